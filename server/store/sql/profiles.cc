#include "server/store/sql/profiles.h"

#include <utility>

#include "server/store/refusals.h"
#include "server/store/sql/accounts.h"
#include "server/store/sql/boards.h"
#include "server/store/sql/players.h"
#include "server/store/sql/session/idempotent.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

constexpr Text kHas{
    "SELECT 1 FROM handles WHERE key = $1 AND player_id = $2 AND handle = $3"
    " AND kept_until_ms IS NULL"};
constexpr Text kHandle{
    "SELECT key, created_ms FROM handles WHERE player_id = $1 AND kept_until_ms IS NULL"};
constexpr Text kShowOtherwise{"UPDATE handles SET handle = $2 WHERE key = $1"};
constexpr Text kKeep{
    "UPDATE handles SET kept_until_ms = $2 WHERE player_id = $1 AND kept_until_ms IS NULL"};
// What is not kept any more: the key that is wanted, and all of the player.
constexpr Text kFree{
    "DELETE FROM handles WHERE (key = $1 OR player_id = $2) AND kept_until_ms <= $3"};
constexpr Text kAddHandle{
    "INSERT INTO handles (key, player_id, handle, created_ms) VALUES ($1, $2, $3, $4)"};
constexpr Text kNameByHandle{"UPDATE players SET display_name = $2 WHERE id = $1"};
const std::string kHandlePlayers =
    kPlayerColumns + "handles JOIN players p ON p.id = player_id WHERE kept_until_ms IS NULL AND ";
const std::string kHolder = kHandlePlayers + "key = $1";
const std::string kHolders = kHandlePlayers + "key >= $1 AND key < $2 ORDER BY key LIMIT $3";
constexpr Text kKeptHandles{
    "SELECT handle, kept_until_ms FROM handles WHERE player_id = $1 AND kept_until_ms > $2"
    " ORDER BY key"};
constexpr Text kSetAudience{"UPDATE players SET audience = $2 WHERE id = $1 AND erased_ms IS NULL"};
constexpr Text kRatingDays{
    "SELECT day, points FROM rating_days WHERE game = $1 AND player_id = $2 AND day >= $3"
    " ORDER BY day"};

constexpr Text kNewestScores{
    "SELECT board_id, kind, game, config, day, points, at_ms, table_id"
    " FROM scores JOIN boards ON boards.id = board_id"
    " WHERE player_id = $1 AND kind = $2 ORDER BY board_id DESC LIMIT $3"};

std::unexpected<Error> handle_taken(const Violation& /*violation*/) {
  return refuse(ErrorCode::kTaken,
                "Another player has this handle, or one that looks like it, or had it lately: take"
                " another one.");
}

/// The statements that give the player a new handle.
Batch giving(const HandleClaim& claim) {
  Batch batch;
  batch.add(kFree).text(claim.key).id(claim.player).number(claim.now_ms);
  batch.add(kKeep).id(claim.player).number(claim.kept_until_ms);
  batch.add(kAddHandle).text(claim.key).id(claim.player).text(claim.handle).number(claim.now_ms);
  return batch;
}

}  // namespace

awaitable<Expected<void>> claim_handle(WriteSession& session, const HandleClaim& claim) {
  auto give = [&claim](WriteSession& in) -> awaitable<Expected<void>> {
    const auto kind = co_await lock_account(in, claim.player);
    if (!kind) co_return std::unexpected(kind.error());
    if (*kind != PlayerKind::kMember && *kind != PlayerKind::kOfIssuer) {
      co_return refuse(ErrorCode::kPermissionDenied,
                       "Only an account that is kept has a handle: add a passkey or a recovery"
                       " code first.");
    }
    const auto found = co_await in.run(Query(kHandle).id(claim.player));
    const bool same = !found.empty() && found[0].text(0) == claim.key;
    if (!same && !found.empty() && found[0].number(1) >= claim.changed_before_ms) {
      co_return refuse(ErrorCode::kTooSoon,
                       "You have changed your handle lately: it can be changed every 30 days.");
    }
    Batch batch;
    if (same) {
      batch.add(kShowOtherwise).text(claim.key).text(claim.handle);
    } else {
      batch = giving(claim);
    }
    batch.add(kNameByHandle).id(claim.player).text(kHandleMark + claim.handle);
    co_return co_await in.commit(std::move(batch));
  };
  Query question(kHas);
  question.text(claim.key).id(claim.player).text(claim.handle);
  co_return co_await idempotent(session, std::move(question), handle_taken, give);
}

awaitable<Expected<PlayerRow>> holder(Session& session, const std::string& key) {
  const auto rows = co_await session.finish(Query(kHolder.c_str()).text(key));
  if (rows.empty()) co_return no_such_player();
  co_return player_of(rows[0]);
}

awaitable<Expected<std::vector<PlayerRow>>> holders(Session& session, const std::string& key_prefix,
                                                    std::size_t max) {
  const auto rows = co_await session.finish(
      Query(kHolders.c_str()).text(key_prefix).text(end_of_prefix(key_prefix)).count(max));
  co_return rows.map(player_of);
}

awaitable<Expected<std::vector<KeptHandle>>> kept_handles(Session& session, PlayerId player,
                                                          std::int64_t now_ms) {
  const auto rows = co_await session.finish(Query(kKeptHandles).id(player).number(now_ms));
  co_return rows.map(
      [](Row row) { return KeptHandle{.handle = row.text(0), .kept_until_ms = row.number(1)}; });
}

awaitable<Expected<void>> set_audience(WriteSession& session, PlayerId player, Audience audience) {
  const auto rows = co_await session.finish(Query(kSetAudience).id(player).one_of(audience));
  if (rows.changed() == 0) co_return no_such_player();
  co_return Expected<void>{};
}

awaitable<Expected<std::vector<RatingPoint>>> rating_days(Session& session, const std::string& game,
                                                          PlayerId player, Day since) {
  const auto rows =
      co_await session.finish(Query(kRatingDays).text(game).id(player).number(day_number(since)));
  co_return rows.map([](Row row) {
    return RatingPoint{.day = *day_of_number(row.number(0)), .points = row.small<std::int32_t>(1)};
  });
}

awaitable<Expected<NewestScores>> newest_scores(Session& session, PlayerId player,
                                                std::size_t best_max, std::size_t daily_max) {
  Batch batch;
  batch.add(kNewestScores).id(player).one_of(BoardKind::kBest).count(best_max);
  batch.add(kNewestScores).id(player).one_of(BoardKind::kDaily).count(daily_max);
  const auto answers = co_await session.finish(std::move(batch));
  co_return NewestScores{.best = answers[0].map(score_of), .daily = answers[1].map(score_of)};
}

void delete_profile_of(Batch& batch, PlayerId player) {
  static constexpr Text kDropHandles{"DELETE FROM handles WHERE player_id = $1"};
  static constexpr Text kDropDays{"DELETE FROM rating_days WHERE player_id = $1"};
  batch.add(kDropHandles).id(player);
  batch.add(kDropDays).id(player);
}

}  // namespace tesela::store::sql
