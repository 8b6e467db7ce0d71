#include "server/store/sql/players.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "server/store/refusals.h"
#include "server/store/sql/accounts.h"
#include "server/store/sql/boards.h"
#include "server/store/sql/friends.h"
#include "server/store/sql/merging/merge.h"
#include "server/store/sql/profiles.h"
#include "server/store/sql/session/idempotent.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

const std::string kPlayer = kPlayerColumns + "players p WHERE id = $1";
const std::string kPlayers =
    kPlayerColumns +
    "players p WHERE (created_ms, id) < ($1, $2) ORDER BY created_ms DESC, id DESC LIMIT $3";
const std::string kPlayersByName =
    kPlayerColumns +
    "players p WHERE (display_name, created_ms, id) > ($4, $1, $2) AND display_name < $5"
    " ORDER BY display_name, created_ms, id LIMIT $3";
constexpr Text kSeekers{
    "SELECT p.id, r.mu, m.table_id, coalesce(t.state IN (1, 3), false) FROM players p"
    " LEFT JOIN ratings r ON r.game = $2 AND r.player_id = p.id"
    " LEFT JOIN last_matches m ON m.player_id = p.id"
    " LEFT JOIN tables t ON t.id = m.table_id WHERE p.id = ANY($1)"};
constexpr Text kBlockedBy{
    "SELECT player_id, blocked_id FROM blocks WHERE player_id = ANY($1)"
    " ORDER BY player_id, blocked_id"};
constexpr Text kErased{// Not "IS NOT NULL": SQLite would not take the index.
                       "SELECT p.id, p.merged_into, coalesce(a.display_name, '') FROM players p"
                       " LEFT JOIN players a ON a.id = p.merged_into WHERE p.erased_ms > 0"
                       " ORDER BY p.erased_ms DESC, p.id DESC LIMIT $1"};
constexpr Text kScores{
    "SELECT board_id, kind, game, config, day, points, at_ms, table_id"
    " FROM scores JOIN boards ON boards.id = board_id"
    " WHERE player_id = $1 AND board_id > $2 ORDER BY board_id LIMIT $3"};

constexpr Text kAddPlayer{
    "INSERT INTO players (id, display_name, created_ms, kind, identity, seen_ms)"
    " VALUES ($1, $2, $3, $4, $5, $3)"};
constexpr Text kIsPlayer{
    "SELECT 1 FROM players WHERE id = $1 AND display_name = $2 AND created_ms = $3 AND kind = $4"
    " AND identity = $5"};
// Waits for the transactions that insert a seat of the player, which lock the row for its key.
constexpr Text kLockPlayer{"SELECT kind FROM players WHERE id = $1 FOR UPDATE"};
constexpr Text kErasePlayer{
    "UPDATE players SET display_name = $2, identity = $4, erased_ms = coalesce(erased_ms, $3)"
    " WHERE id = $1"};
constexpr Text kForgetMerged{"UPDATE players SET display_name = $2 WHERE merged_into = $1"};
constexpr Text kIsMerged{"SELECT 1 FROM players WHERE id = $1 AND merged_into = $2"};
// What was withheld is not part of the dice of a game that has not begun; later games need the
// state, which tells that something is missing.
constexpr Text kEraseContributions{
    "UPDATE seats SET contribution = $3, contribution_state = CASE WHEN state = 3 AND"
    " contribution_state IN (2, 3) THEN 4 ELSE contribution_state END"
    " WHERE table_id = ANY($2) AND (player_id = $1"
    "  OR player_id IN (SELECT id FROM players WHERE merged_into = $1))"};

SeekerRow seeker_of(Row row) {
  return {.player = row.id<PlayerId>(0),
          .mu = row.null(1) ? kNewcomer.mu : row.real(1),
          .last_match = row.id_or_none<TableId>(2),
          .match_lives = row.flag(3)};
}

constexpr int kLongerThanNames = 256;  // characters
constexpr std::uint32_t kCodePointMax = 0x10ffff;
constexpr std::uint32_t kSurrogateMin = 0xd800;
constexpr std::uint32_t kAfterSurrogates = 0xe000;

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

/// The code point of one character.
std::uint32_t decoded(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return lead;
  std::uint32_t point = lead & (0x7fU >> character.size());
  for (const char byte : character.substr(1)) {
    point = point << 6U | (static_cast<unsigned char>(byte) & 0x3fU);
  }
  return point;
}

std::string encoded(std::uint32_t point) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
  const auto tail = [&](std::uint32_t shift) { return byte(0x80U | (point >> shift & 0x3fU)); };
  if (point < 0x80) return {byte(point)};
  if (point < 0x800) return {byte(0xc0U | point >> 6U), tail(0)};
  if (point < 0x10000) return {byte(0xe0U | point >> 12U), tail(6), tail(0)};
  return {byte(0xf0U | point >> 18U), tail(12), tail(6), tail(0)};
}

void bind(Query& query, const PlayerRow& player) {
  query.id(player.id)
      .text(player.display_name)
      .number(player.created_ms)
      .one_of(player.kind)
      .bytes(player.identity);
}

ErasedPlayer erased_of(Row row) {
  return {.player = row.id<PlayerId>(0),
          .merged_into = row.id_or_none<PlayerId>(1),
          .name = row.text(2)};
}

std::unexpected<Error> changed_meanwhile(const Violation& /*violation*/) {
  return refuse(ErrorCode::kUnavailable,
                "The guest or the account has begun something meanwhile: try again.");
}

std::unexpected<Error> player_taken(const Violation& /*violation*/) {
  return refuse(ErrorCode::kInternal, "This player's id is taken.");
}

}  // namespace

PlayerRow player_of(Row row) {
  return {.id = row.id<PlayerId>(0),
          .display_name = row.text(1),
          .created_ms = row.number(2),
          .kind = row.one_of(3, PlayerKind::kPerson, PlayerKind::kMember),
          .identity = row.text(4),
          .erased_ms = row.number_or_none(5),
          .audience = row.one_of(6, Audience::kEverybody, Audience::kNobody),
          .owner = row.id_or_none<PlayerId>(7)};
}

ScoreLine score_of(Row row) {
  return {.id = static_cast<std::uint64_t>(row.number(0)),
          .board = {.kind = row.one_of(1, BoardKind::kBest, BoardKind::kDaily),
                    .game = row.text(2),
                    .config = row.text(3),
                    .day = day_of_number(row.number(4))},
          .points = row.number(5),
          .at_ms = row.number(6),
          .table = row.id<TableId>(7)};
}

std::string end_of_prefix(std::string prefix) {
  while (!prefix.empty()) {
    std::size_t begin = prefix.size() - 1;
    while (begin > 0 && continues(prefix[begin])) --begin;
    const std::uint32_t next = decoded(std::string_view(prefix).substr(begin)) + 1;
    prefix.resize(begin);
    if (next > kCodePointMax) continue;
    return prefix + encoded(next == kSurrogateMin ? kAfterSurrogates : next);
  }
  // Every character was the last that there is.
  for (int i = 0; i < kLongerThanNames; ++i) prefix += encoded(kCodePointMax);
  return prefix;
}

awaitable<Expected<PlayerRow>> player(Session& session, PlayerId id) {
  const auto rows = co_await session.finish(Query(kPlayer.c_str()).id(id));
  if (rows.empty()) co_return no_such_player();
  co_return player_of(rows[0]);
}

awaitable<Expected<std::vector<PlayerRow>>> players(Session& session,
                                                    const std::string& name_prefix,
                                                    const std::optional<PlayerCursor>& after,
                                                    std::size_t max) {
  const bool by_name = !name_prefix.empty();
  // Without a cursor: before the newest, or before the first name.
  const PlayerCursor first{.created_ms = by_name ? -1 : std::numeric_limits<std::int64_t>::max(),
                           .id = {},
                           .display_name = name_prefix};
  const bool begins = !after || after->display_name < name_prefix;
  const PlayerCursor& start = begins && (by_name || !after) ? first : *after;
  Batch batch;
  Query& list = batch.add((by_name ? kPlayersByName : kPlayers).c_str())
                    .number(start.created_ms)
                    .id(start.id)
                    .count(max);
  if (by_name) list.text(start.display_name).text(end_of_prefix(name_prefix));
  const auto answers = co_await session.finish(std::move(batch));
  co_return answers[0].map(player_of);
}

awaitable<Expected<std::vector<SeekerRow>>> seekers(Session& session, const std::string& game,
                                                    const std::vector<PlayerId>& players) {
  Batch batch;
  batch.add(kSeekers).ids(players).text(game);
  batch.add(kBlockedBy).ids(players);
  const auto answers = co_await session.finish(std::move(batch));
  auto seekers = answers[0].map(seeker_of);
  auto seeker = seekers.begin();
  for (const Row row : answers[1]) {  // those of one player one after another
    const auto player = row.id<PlayerId>(0);
    if (seeker == seekers.end() || seeker->player != player) {
      seeker = std::ranges::find(seekers, player, &SeekerRow::player);
    }
    if (seeker != seekers.end()) seeker->blocked.push_back(row.id<PlayerId>(1));
  }
  co_return seekers;
}

awaitable<Expected<std::vector<ErasedPlayer>>> erased(Session& session, std::size_t max) {
  const auto rows = co_await session.finish(Query(kErased).count(max));
  co_return rows.map(erased_of);
}

awaitable<Expected<std::vector<ScoreLine>>> scores(Session& session, PlayerId player,
                                                   std::uint64_t after, std::size_t max) {
  const auto rows = co_await session.finish(
      Query(kScores).id(player).number(static_cast<std::int64_t>(after)).count(max));
  co_return rows.map(score_of);
}

awaitable<Expected<void>> add_player(WriteSession& session, const PlayerRow& player) {
  auto insert = [&player](WriteSession& in) -> awaitable<Expected<void>> {
    Batch batch;
    insert_player(batch, player);
    co_return co_await in.commit(std::move(batch));
  };
  Query question(kIsPlayer);
  bind(question, player);
  co_return co_await idempotent(session, std::move(question), player_taken, insert);
}

void insert_player(Batch& batch, const PlayerRow& player) {
  bind(batch.add(kAddPlayer), player);
}

awaitable<Expected<void>> erase(WriteSession& session, PlayerId player, std::int64_t at_ms,
                                const std::vector<TableId>& tables) {
  const auto found = co_await session.run(Query(kLockPlayer).id(player));
  if (found.empty()) co_return no_such_player();
  if (found[0].number(0) == static_cast<std::int64_t>(PlayerKind::kBot)) {
    co_return refuse(ErrorCode::kInvalidArgument,
                     "This is the account of a bot, and nobody's name.");
  }
  session.overwrite_deleted();
  Batch batch;
  batch.add(kErasePlayer).id(player).text(kErasedName).number(at_ms).bytes({});
  batch.add(kForgetMerged).id(player).text(kErasedName);
  delete_account_of(batch, player);
  delete_profile_of(batch, player);
  delete_friends_of(batch, player);
  batch.add(kEraseContributions).id(player).ids(tables).bytes({});
  co_return co_await session.commit(std::move(batch));
}

awaitable<Expected<Merged>> merge_and_finish(WriteSession& session, const Merge& wanted) {
  Merged merged;
  auto move = [&](WriteSession& in) -> awaitable<Expected<void>> {
    auto moved = co_await merge(in, wanted);
    if (!moved) co_return std::unexpected(std::move(moved.error()));
    merged = std::move(*moved);
    if (merged.merged_before) {
      co_await confirm(in);
    } else if (!wanted.only_looks) {
      auto ended = co_await end_sessions(in, wanted.guest, std::nullopt, std::nullopt);
      merged.ended = std::move(*ended);
    }
    co_return Expected<void>{};
  };
  Query question(kIsMerged);
  question.id(wanted.guest).id(wanted.account);
  const auto done = co_await idempotent(session, std::move(question), changed_meanwhile, move);
  if (!done) co_return std::unexpected(done.error());
  co_return merged;
}

}  // namespace tesela::store::sql
