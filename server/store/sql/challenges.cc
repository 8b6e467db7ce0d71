#include <optional>
#include <string>
#include <utility>

#include "server/base/absence_limits.h"
#include "server/base/friend_limits.h"
#include "server/store/refusals.h"
#include "server/store/sql/accounts.h"
#include "server/store/sql/friends.h"
#include "server/store/sql/notices/notices.h"
#include "server/store/sql/session/idempotent.h"
#include "server/store/sql/table_writes.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

constexpr Text kForgetOld{"DELETE FROM challenges WHERE from_id = $1 AND expires_ms <= $2"};
constexpr Text kForgetAnswered{
    "DELETE FROM challenges WHERE id IN (SELECT id FROM challenges WHERE from_id = $1"
    " AND state <> 1 ORDER BY created_ms DESC, id DESC LIMIT 1000 OFFSET $2)"};
constexpr Text kCountOpen{"SELECT count(*) FROM challenges WHERE from_id = $1 AND state = 1"};
constexpr Text kCountOpenTo{
    "SELECT count(*) FROM challenges WHERE to_id = $1 AND state = 1 AND expires_ms > $2"};
// Whether the player blocks the other one; and whether the other one takes challenges.
constexpr Text kMayChallenge{
    "SELECT EXISTS (SELECT 1 FROM blocks WHERE player_id = $1 AND blocked_id = $2),"
    " p.kind <> 3 AND NOT EXISTS (SELECT 1 FROM blocks WHERE player_id = $2 AND blocked_id = $1)"
    " AND (p.challengers = 1 OR p.challengers = 2 AND EXISTS (SELECT 1 FROM follows"
    "  WHERE player_id = $2 AND followed_id = $1)) FROM players p WHERE p.id = $2"};
constexpr Text kAddChallenge{
    "INSERT INTO challenges (id, from_id, to_id, game, config, options, created_ms, expires_ms,"
    " state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1)"};
constexpr Text kIsChallenge{"SELECT 1 FROM challenges WHERE id = $1"};
const std::string kChallenges =
    "SELECT c.id, c.from_id, f.display_name, c.to_id, t.display_name, c.game, c.config, c.options,"
    " c.created_ms, c.expires_ms, c.state, c.table_id, f.here_ms FROM challenges c"
    " JOIN players f ON f.id = c.from_id LEFT JOIN players t ON t.id = c.to_id"
    " WHERE c.expires_ms > $2 AND ";
const std::string kNewestOf = " ORDER BY c.created_ms DESC, c.id DESC LIMIT $3";
const std::string kChallenge = kChallenges + "c.id = $1";
const std::string kChallengesTo = kChallenges + "c.to_id = $1 AND c.state = 1" + kNewestOf;
const std::string kChallengesFrom = kChallenges + "c.from_id = $1" + kNewestOf;
constexpr Text kHere{"SELECT here_ms FROM players WHERE id = $1"};
constexpr Text kLockChallenge{
    "SELECT from_id, to_id, state FROM challenges WHERE id = $1 AND expires_ms > $2 FOR UPDATE"};
constexpr Text kBlocksBetween{
    "SELECT 1 FROM blocks WHERE player_id = $1 AND blocked_id = $2"
    " UNION ALL SELECT 1 FROM blocks WHERE player_id = $2 AND blocked_id = $1"};
constexpr Text kAccept{"UPDATE challenges SET state = 2, to_id = $2, table_id = $3 WHERE id = $1"};
constexpr Text kDecline{"UPDATE challenges SET state = 3 WHERE id = $1"};
constexpr Text kWithdraw{"DELETE FROM challenges WHERE id = $1 AND from_id = $2 AND state = 1"};
constexpr Text kIsAnswered{"SELECT 1 FROM challenges WHERE id = $1 AND from_id = $2"};

std::unexpected<Error> no_such_challenge() {
  return refuse(ErrorCode::kNotFound,
                "There is no such challenge: it was withdrawn, or its time is over.");
}

std::unexpected<Error> answered_before() {
  return refuse(ErrorCode::kTaken, "This challenge was answered before.");
}

std::unexpected<Error> refused_challenge(const Violation& violation) {
  if (violation.constraint() == Violation::Of::kForeignKey) return no_such_player();
  return refuse(ErrorCode::kTaken,
                "You have challenged this player to this game already: wait for the answer, or"
                " withdraw the challenge.");
}

ChallengeRow challenge_of(Row row) {
  ChallengeRow challenge{.id = row.text(0),
                         .from = {.id = row.id<PlayerId>(1), .name = row.text(2)},
                         .game = row.text(5),
                         .config = row.text(6),
                         .options = row.text(7),
                         .created_ms = row.number(8),
                         .expires_ms = row.number(9),
                         .state = row.one_of(10, ChallengeState::kOpen, ChallengeState::kDeclined),
                         .table = row.id_or_none<TableId>(11),
                         .from_here_ms = row.number(12)};
  if (!row.null(3)) challenge.to = NamedPlayer{.id = row.id<PlayerId>(3), .name = row.text(4)};
  return challenge;
}

/// Whether the challenger may challenge the other one. Both are locked.
awaitable<Expected<void>> check_other(WriteSession& session, PlayerId from, PlayerId other,
                                      std::int64_t now_ms) {
  Batch look;
  look.add(kMayChallenge).id(from).id(other);
  look.add(kCountOpenTo).id(other).number(now_ms);
  const auto found = co_await session.run(std::move(look));
  if (found[0].empty()) co_return no_such_player();
  if (found[0][0].flag(0)) {
    co_return refuse(ErrorCode::kPermissionDenied,
                     "You block this player: unblock them before you challenge them.");
  }
  if (!found[0][0].flag(1)) {
    co_return refuse(ErrorCode::kPermissionDenied, "This player takes no challenges of yours.");
  }
  if (std::cmp_greater_equal(found[1][0].number(0), limits::kChallengesToOneMax)) {
    co_return refuse(ErrorCode::kResourceExhausted,
                     "This player has as many open challenges as one may; try again later.");
  }
  co_return Expected<void>{};
}

awaitable<Expected<void>> insert_challenge(WriteSession& session, const ChallengeRow& row) {
  const PlayerId from = row.from.id;
  if (row.to) {
    const auto locked = co_await lock_both(session, from, row.to->id);
    if (!locked) co_return locked;
    const auto may = co_await check_other(session, from, row.to->id, row.created_ms);
    if (!may) co_return may;
  } else {
    const auto locked = co_await lock_account(session, from);
    if (!locked) co_return std::unexpected(locked.error());
  }
  Batch look;
  look.add(kForgetOld).id(from).number(row.created_ms);
  look.add(kForgetAnswered).id(from).count(limits::kAnsweredChallengesKept);
  look.add(kCountOpen).id(from);
  const auto found = co_await session.run(std::move(look));
  if (std::cmp_greater_equal(found[2][0].number(0), limits::kChallengesMax)) {
    co_return refuse(ErrorCode::kResourceExhausted,
                     "You have " + std::to_string(limits::kChallengesMax) +
                         " open challenges, as many as one may: withdraw one first.");
  }
  Batch batch;
  Query& add = batch.add(kAddChallenge).text(row.id).id(from);
  static_cast<void>(row.to ? add.id(row.to->id) : add.null());
  add.text(row.game)
      .bytes(row.config)
      .bytes(row.options)
      .number(row.created_ms)
      .number(row.expires_ms);
  if (row.to) {
    add_notice(batch, {.kind = NoticeKind::kChallenge,
                       .player = row.to->id,
                       .subject = row.id,
                       .table = {},
                       .from = from,
                       .version = {},
                       .due_ms = row.created_ms,
                       .until_ms = row.expires_ms});
  }
  co_return co_await session.commit(std::move(batch));
}

/// A challenge that the player may answer, locked until the end.
struct Answerable {
  PlayerId from;
  ChallengeState state;
  bool by_player;  // its other player is this one
};

awaitable<Expected<Answerable>> lock_challenge(WriteSession& session, const std::string& id,
                                               PlayerId player, std::int64_t now_ms) {
  const auto found = co_await session.run(Query(kLockChallenge).text(id).number(now_ms));
  if (found.empty()) co_return no_such_challenge();
  const Row row = found[0];
  const auto from = row.id<PlayerId>(0);
  const bool by_player = !row.null(1) && row.id<PlayerId>(1) == player;
  const auto state = row.one_of(2, ChallengeState::kOpen, ChallengeState::kDeclined);
  if (from == player) co_return no_such_challenge();
  if (!row.null(1) && !by_player) {
    // One for whoever has the id was answered; others are nobody else's to know.
    if (state == ChallengeState::kAccepted) co_return answered_before();
    co_return no_such_challenge();
  }
  const auto blocked = co_await session.run(Query(kBlocksBetween).id(from).id(player));
  if (state == ChallengeState::kOpen && !blocked.empty()) co_return no_such_challenge();
  co_return Answerable{.from = from, .state = state, .by_player = by_player};
}

awaitable<Expected<void>> take_challenge(WriteSession& session, const Acceptance& acceptance) {
  const auto locked =
      co_await lock_challenge(session, acceptance.challenge, acceptance.player, acceptance.now_ms);
  if (!locked) co_return std::unexpected(locked.error());
  if (locked->state == ChallengeState::kAccepted) {
    co_await confirm(session);
    co_return Expected<void>{};
  }
  if (locked->state != ChallengeState::kOpen) co_return answered_before();
  Batch batch;
  batch.add(kAccept).text(acceptance.challenge).id(acceptance.player).id(acceptance.table.id);
  add_notice(batch, {.kind = NoticeKind::kChallenge,
                     .player = locked->from,
                     .subject = acceptance.challenge,
                     .table = acceptance.table.id,
                     .from = acceptance.player,
                     .version = {},
                     .due_ms = acceptance.now_ms,
                     .until_ms = acceptance.now_ms + limits::kAcceptanceTold.count()});
  static_cast<void>(co_await session.run(std::move(batch)));
  const TableWrite added{acceptance.table, acceptance.first_record, acceptance.outcome};
  co_return co_await insert_table(session, added);
}

}  // namespace

awaitable<Expected<void>> add_challenge(WriteSession& session, const ChallengeRow& challenge) {
  auto add = [&challenge](WriteSession& in) { return insert_challenge(in, challenge); };
  co_return co_await idempotent(session, Query(kIsChallenge).text(challenge.id), refused_challenge,
                                add);
}

awaitable<Expected<ChallengeRow>> challenge(Session& session, const std::string& id,
                                            std::int64_t now_ms) {
  const auto rows = co_await session.finish(Query(kChallenge.c_str()).text(id).number(now_ms));
  if (rows.empty()) co_return no_such_challenge();
  co_return challenge_of(rows[0]);
}

awaitable<Expected<ChallengeLists>> challenges(Session& session, PlayerId player,
                                               std::int64_t now_ms) {
  constexpr std::size_t kFromMax = limits::kChallengesMax + limits::kAnsweredChallengesKept;
  Batch batch;
  batch.add(kHere).id(player);
  batch.add(kChallengesTo.c_str()).id(player).number(now_ms).count(limits::kChallengesToOneMax);
  batch.add(kChallengesFrom.c_str()).id(player).number(now_ms).count(kFromMax);
  const auto answers = co_await session.finish(std::move(batch));
  if (answers[0].empty()) co_return no_such_player();
  co_return ChallengeLists{.to_player = answers[1].map(challenge_of),
                           .from_player = answers[2].map(challenge_of),
                           .here_ms = answers[0][0].number(0)};
}

awaitable<Expected<void>> accept_challenge(WriteSession& session, const Acceptance& acceptance) {
  std::optional<Violation> violation;
  try {
    co_return co_await take_challenge(session, acceptance);
  } catch (const Violation& violated) {
    violation.emplace(violated);
  }
  co_await session.roll_back();
  co_return refused_table(*violation);
}

awaitable<Expected<void>> decline_challenge(WriteSession& session, const std::string& id,
                                            PlayerId player, std::int64_t now_ms) {
  const auto locked = co_await lock_challenge(session, id, player, now_ms);
  if (!locked) co_return std::unexpected(locked.error());
  // What is for whoever has the id is nobody's to decline.
  if (!locked->by_player) co_return no_such_challenge();
  if (locked->state == ChallengeState::kAccepted) co_return answered_before();
  co_return co_await session.commit(Query(kDecline).text(id));
}

awaitable<Expected<void>> withdraw_challenge(WriteSession& session, const std::string& id,
                                             PlayerId player) {
  Batch batch;
  batch.add(kWithdraw).text(id).id(player);
  batch.add(kIsAnswered).text(id).id(player);
  const auto answers = co_await session.finish(std::move(batch));
  if (!answers[1].empty()) co_return answered_before();
  co_return Expected<void>{};
}

}  // namespace tesela::store::sql
