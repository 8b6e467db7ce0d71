#include "server/store/sql/merging/merge.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/base/friend_limits.h"
#include "server/base/scale_limits.h"
#include "server/store/rating.h"
#include "server/store/refusals.h"
#include "server/store/store.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

// $1 is the guest and $2 the account, unless something else is said.

// What a live table writes locks its head, then its rows, then its players: so does a merge.
// Servers on SQLite write one after another.
constexpr Text kLockHeads{
    "SELECT 1 FROM heads WHERE table_id IN"
    " (SELECT table_id FROM seats WHERE player_id = $1 AND state IN (1, 3)"
    "  UNION SELECT id FROM tables WHERE owner_id = $1 AND state IN (1, 3))"
    " ORDER BY table_id FOR UPDATE"};
// Whoever inserts a seat or a rating of either waits, and then finds the merge.
constexpr Text kLockGuestAndAccount{
    "SELECT id, kind, erased_ms, merged_into, display_name FROM players WHERE id = ANY($1)"
    " ORDER BY id FOR UPDATE"};
constexpr Text kActInForce{
    "SELECT 1 FROM acts a WHERE a.player_id = $1 AND a.until_ms > $2"
    " AND NOT EXISTS (SELECT 1 FROM acts u WHERE u.undoes = a.id) LIMIT 1"};
constexpr Text kTriesDailyAgain{
    "SELECT 1 FROM tables g JOIN tables a ON a.owner_id = $2 AND a.game = g.game"
    " AND a.daily = g.daily WHERE g.owner_id = $1 AND g.daily IS NOT NULL AND g.state IN (1, 3)"
    " LIMIT 1"};
constexpr Text kCountSeats{
    "SELECT count(*), coalesce(sum(CASE WHEN state IN (1, 3) THEN 1 ELSE 0 END), 0)"
    " FROM seats WHERE player_id = $1"};
constexpr Text kShared{
    "SELECT g.table_id, g.state IN (1, 3) FROM seats g JOIN seats a ON a.table_id = g.table_id"
    " AND a.player_id = $2 WHERE g.player_id = $1"};

constexpr Text kMoveSeats{
    "UPDATE seats SET player_id = $2 WHERE player_id = $1 AND NOT (table_id = ANY($3))"};
// Of two tries at a daily game the account's own stays its try: the other one is a game among
// others.
constexpr Text kMoveTables{
    "UPDATE tables SET owner_id = $2 WHERE owner_id = $1 AND NOT EXISTS"
    " (SELECT 1 FROM tables a WHERE a.owner_id = $2 AND a.game = tables.game"
    "  AND a.daily = tables.daily)"};
// The second try, which is the guest's still, does not count on the board of daily games.
constexpr Text kMoveScores{
    "INSERT INTO scores (board_id, player_id, points, at_ms, table_id)"
    " SELECT board_id, $2::bigint, points, at_ms, table_id FROM scores WHERE player_id = $1"
    " AND NOT EXISTS (SELECT 1 FROM boards b JOIN tables t ON t.id = scores.table_id"
    "  WHERE b.id = scores.board_id AND b.kind = 4 AND t.owner_id = $1)"
    " ON CONFLICT (board_id, player_id) DO UPDATE SET points = excluded.points,"
    "  at_ms = excluded.at_ms, table_id = excluded.table_id"
    "  WHERE scores.points < excluded.points"
    "   OR (scores.points = excluded.points AND scores.at_ms > excluded.at_ms)"};

// As many as there is room for.
constexpr Text kMoveFollows{
    "INSERT INTO follows (player_id, followed_id, made_ms)"
    " SELECT $2::bigint, followed_id, made_ms FROM follows WHERE player_id = $1"
    "  AND followed_id <> $2 AND followed_id NOT IN"
    "   (SELECT followed_id FROM follows WHERE player_id = $2)"
    "  LIMIT greatest(0,"
    "   $3 - (SELECT count(*) FROM follows WHERE player_id = $2))"};
constexpr Text kMoveBlocks{
    "INSERT INTO blocks (player_id, blocked_id, made_ms)"
    " SELECT $2::bigint, blocked_id, made_ms FROM blocks WHERE player_id = $1"
    "  AND blocked_id <> $2 AND blocked_id NOT IN"
    "   (SELECT blocked_id FROM blocks WHERE player_id = $2)"
    "  LIMIT greatest(0,"
    "   $3 - (SELECT count(*) FROM blocks WHERE player_id = $2))"};

/// What has no other parameters, in this order.
constexpr std::array kMoves{
    // Of two last matches that which lives counts.
    Text{"DELETE FROM last_matches WHERE player_id = $2 AND EXISTS (SELECT 1 FROM last_matches g"
         " JOIN tables t ON t.id = g.table_id WHERE g.player_id = $1 AND t.state IN (1, 3))"},
    Text{"UPDATE last_matches SET player_id = $2 WHERE player_id = $1"
         " AND NOT EXISTS (SELECT 1 FROM last_matches a WHERE a.player_id = $2)"},

    Text{"INSERT INTO follows (player_id, followed_id, made_ms)"
         " SELECT player_id, $2::bigint, made_ms FROM follows WHERE followed_id = $1"
         "  AND player_id <> $2 ON CONFLICT DO NOTHING"},
    Text{"INSERT INTO blocks (player_id, blocked_id, made_ms)"
         " SELECT player_id, $2::bigint, made_ms FROM blocks WHERE blocked_id = $1"
         "  AND player_id <> $2 ON CONFLICT DO NOTHING"},

    // Between the two, and of those that are open twice the guest's.
    Text{"DELETE FROM challenges WHERE (from_id = $1 AND to_id = $2)"
         " OR (from_id = $2 AND to_id = $1)"},
    Text{"DELETE FROM challenges WHERE from_id = $1 AND state = 1 AND EXISTS"
         " (SELECT 1 FROM challenges a WHERE a.from_id = $2 AND a.to_id = challenges.to_id"
         "  AND a.game = challenges.game AND a.state = 1)"},
    Text{"DELETE FROM challenges WHERE to_id = $1 AND state = 1 AND EXISTS"
         " (SELECT 1 FROM challenges a WHERE a.to_id = $2 AND a.from_id = challenges.from_id"
         "  AND a.game = challenges.game AND a.state = 1)"},
    Text{"UPDATE challenges SET from_id = $2 WHERE from_id = $1"},
    Text{"UPDATE challenges SET to_id = $2 WHERE to_id = $1"},

    Text{"UPDATE acts SET player_id = $2 WHERE player_id = $1"},
    // Of two open reports with the same players one stays the guest's.
    Text{"UPDATE reports SET player_id = $2 WHERE player_id = $1 AND reporter_id <> $2"
         " AND (closed_ms IS NOT NULL OR NOT EXISTS (SELECT 1 FROM reports a"
         "  WHERE a.player_id = $2 AND a.reporter_id = reports.reporter_id"
         "   AND a.closed_ms IS NULL))"},
    Text{"UPDATE reports SET reporter_id = $2 WHERE reporter_id = $1 AND player_id <> $2"
         " AND (closed_ms IS NOT NULL OR NOT EXISTS (SELECT 1 FROM reports a"
         "  WHERE a.reporter_id = $2 AND a.player_id = reports.player_id"
         "   AND a.closed_ms IS NULL))"},
    Text{"UPDATE report_lines SET player_id = $2 WHERE player_id = $1"},
    Text{"UPDATE players SET merged_into = $2 WHERE merged_into = $1"},
};
/// What is left of the guest.
constexpr std::array kLeavings{
    Text{"DELETE FROM scores WHERE player_id = $1"},
    Text{"DELETE FROM last_matches WHERE player_id = $1"},
    Text{"DELETE FROM follows WHERE player_id = $1"},
    Text{"DELETE FROM follows WHERE followed_id = $1"},
    Text{"DELETE FROM blocks WHERE player_id = $1"},
    Text{"DELETE FROM blocks WHERE blocked_id = $1"},
};
/// Of the account $1: nobody follows and blocks a player, or follows a player who was blocked.
constexpr std::array kBlocksCount{
    Text{"DELETE FROM follows WHERE player_id = $1 AND followed_id IN"
         " (SELECT blocked_id FROM blocks WHERE player_id = $1)"},
    Text{"DELETE FROM follows WHERE followed_id = $1 AND player_id IN"
         " (SELECT player_id FROM blocks WHERE blocked_id = $1)"},
};
// What a former member had.
constexpr Text kKeepHandles{
    "UPDATE handles SET player_id = $2, kept_until_ms = coalesce(kept_until_ms, $3)"
    " WHERE player_id = $1"};
constexpr Text kEndGuest{
    "UPDATE players SET erased_ms = $3, merged_into = $2, here_ms = 0, display_name ="
    " CASE WHEN substr(display_name, 1, 1) = '@' THEN $4 ELSE display_name END WHERE id = $1"};

constexpr Text kRatingsOfBoth{
    "SELECT game, player_id, mu, sigma FROM ratings WHERE player_id = ANY($1) FOR UPDATE"};
/// In the game $1, of the player $2, whose rating goes. Meetings of both sides are there, but for
/// those of days that are over.
constexpr std::array kDropRating{
    Text{"DELETE FROM meetings WHERE game = $1 AND opponent_id = $2 AND player_id IN"
         " (SELECT opponent_id FROM meetings WHERE game = $1 AND player_id = $2)"},
    Text{"DELETE FROM meetings WHERE game = $1 AND player_id = $2"},
    Text{"DELETE FROM rating_days WHERE game = $1 AND player_id = $2"},
    Text{"DELETE FROM ratings WHERE game = $1 AND player_id = $2"},
};
/// In the game $1, from the guest $2 to the account $3, which has none.
constexpr std::array kMoveRating{
    Text{"INSERT INTO ratings (game, player_id, mu, sigma, games, points, at_ms, opponents)"
         " SELECT game, $3::bigint, mu, sigma, games, points, at_ms, opponents FROM ratings"
         " WHERE game = $1 AND player_id = $2"},
    Text{"DELETE FROM ratings WHERE game = $1 AND player_id = $2 AND $2 <> $3"},
    Text{"UPDATE rating_days SET player_id = $3 WHERE game = $1 AND player_id = $2"},
    Text{"DELETE FROM meetings WHERE game = $1 AND opponent_id = $3 AND player_id IN"
         " (SELECT opponent_id FROM meetings WHERE game = $1 AND player_id = $2)"},
    Text{"UPDATE meetings SET opponent_id = $3 WHERE game = $1 AND opponent_id = $2"
         " AND player_id <> $3 AND player_id IN"
         " (SELECT opponent_id FROM meetings WHERE game = $1 AND player_id = $2)"},
    Text{"DELETE FROM meetings WHERE game = $1 AND player_id = $2 AND opponent_id = $3"},
    Text{"UPDATE meetings SET player_id = $3 WHERE game = $1 AND player_id = $2"},
};

/// A row of kLockGuestAndAccount.
struct MergedPlayer {
  PlayerKind kind{};
  bool erased{};
  std::optional<PlayerId> merged_into{};
  std::string name{};
};

std::map<PlayerId, MergedPlayer> known_of(const Rows& rows) {
  std::map<PlayerId, MergedPlayer> known;
  for (const Row row : rows) {
    MergedPlayer& each = known[row.id<PlayerId>(0)];
    each.kind = row.one_of(1, PlayerKind::kPerson, PlayerKind::kMember);
    each.erased = !row.null(2);
    each.merged_into = row.id_or_none<PlayerId>(3);
    each.name = row.text(4);
  }
  return known;
}

/// The shown ratings in a game.
struct TwoRatings {
  std::optional<std::int32_t> guest{};
  std::optional<std::int32_t> account{};
};

std::map<std::string, TwoRatings> ratings_of(const Rows& rows, PlayerId guest) {
  std::map<std::string, TwoRatings> ratings;
  for (const Row row : rows) {
    TwoRatings& both = ratings[row.text(0)];
    auto& points = row.id<PlayerId>(1) == guest ? both.guest : both.account;
    points = shown({.mu = row.real(2), .sigma = row.real(3)});
  }
  return ratings;
}

/// Whether the two can be merged, by what they are.
Expected<void> check(const MergedPlayer& guest, const MergedPlayer& account) {
  if (guest.erased || account.erased) return no_such_player();
  if (guest.kind != PlayerKind::kGuest) {
    return refuse(ErrorCode::kPermissionDenied,
                  "Only a guest moves into another account: this one is an account of its own.");
  }
  if (account.kind != PlayerKind::kMember && account.kind != PlayerKind::kOfIssuer) {
    return refuse(ErrorCode::kPermissionDenied,
                  "Only an account that is kept takes a guest in: add a passkey or a recovery code"
                  " first.");
  }
  return {};
}

/// Whether what they have can be merged. Sets `games` and `in_play`.
awaitable<Expected<void>> check_games(WriteSession& session, const Merge& wanted, Merged& merged) {
  Batch look;
  look.add(kActInForce).id(wanted.guest).number(wanted.at_ms);
  look.add(kTriesDailyAgain).id(wanted.guest).id(wanted.account);
  look.add(kCountSeats).id(wanted.guest);
  const auto found = co_await session.run(std::move(look));
  if (!found[0].empty()) {
    co_return refuse(ErrorCode::kPermissionDenied,
                     "An operator's act is in force on the guest: until it is over the guest stays"
                     " what it is.");
  }
  if (!found[1].empty()) {
    co_return refuse(ErrorCode::kAlreadyTried,
                     "The guest is at a daily game at which the account has had its try: finish"
                     " that game first.");
  }
  if (std::cmp_greater(found[2][0].number(0), limits::kMergedGamesMax)) {
    co_return refuse(ErrorCode::kResourceExhausted,
                     "The guest has more than " + std::to_string(limits::kMergedGamesMax) +
                         " games, more than can move at once: keep the guest as an account.");
  }
  merged.games = found[2][0].small<std::uint32_t>(0);
  merged.in_play = found[2][0].small<std::uint32_t>(1);
  co_return Expected<void>{};
}

/// Seats, tables, and their scores. Seats at tables where both sit stay.
awaitable<void> move_games(WriteSession& session, const Merge& wanted, Merged& merged) {
  const auto found = co_await session.run(Query(kShared).id(wanted.guest).id(wanted.account));
  const auto shared = found.ids<TableId>();
  for (const Row row : found) merged.in_play -= row.flag(1) ? 1 : 0;
  merged.left = static_cast<std::uint32_t>(shared.size());
  merged.games -= merged.left;
  Batch batch;
  batch.add(kMoveSeats).id(wanted.guest).id(wanted.account).ids(shared);
  batch.add(kMoveTables).id(wanted.guest).id(wanted.account);
  batch.add(kMoveScores).id(wanted.guest).id(wanted.account);
  const auto answers = co_await session.run(std::move(batch));
  merged.scores = static_cast<std::uint32_t>(answers.back().changed());
}

/// Of each game in which the guest is rated the account has the higher rating of both, with its
/// days and meetings; the other one is gone.
awaitable<std::vector<MergedRating>> merge_ratings(WriteSession& session, const Merge& wanted) {
  Batch look;
  look.add(kRatingsOfBoth).ids(std::vector{wanted.guest, wanted.account});
  const auto found = co_await session.run(std::move(look));
  std::vector<MergedRating> merged;
  Batch batch;
  for (const auto& [game, both] : ratings_of(found[0], wanted.guest)) {
    if (!both.guest) continue;
    const bool moves = !both.account || *both.guest > *both.account;
    merged.push_back(
        {.game = game, .of_guest = moves, .guest = *both.guest, .account = both.account});
    for (const Text& drop : kDropRating) {
      batch.add(drop).text(game).id(moves ? wanted.account : wanted.guest);
    }
    if (!moves) continue;
    for (const Text& move : kMoveRating) {
      batch.add(move).text(game).id(wanted.guest).id(wanted.account);
    }
  }
  if (batch.size() > 0) static_cast<void>(co_await session.run(std::move(batch)));
  co_return merged;
}

awaitable<void> move_rest(WriteSession& session, const Merge& wanted) {
  Batch batch;
  batch.add(kMoveFollows).id(wanted.guest).id(wanted.account).count(limits::kFollowsMax);
  batch.add(kMoveBlocks).id(wanted.guest).id(wanted.account).count(limits::kBlocksMax);
  for (const Text& move : kMoves) batch.add(move).id(wanted.guest).id(wanted.account);
  for (const Text& leavings : kLeavings) batch.add(leavings).id(wanted.guest);
  for (const Text& counts : kBlocksCount) batch.add(counts).id(wanted.account);
  batch.add(kKeepHandles)
      .id(wanted.guest)
      .id(wanted.account)
      .number(wanted.at_ms + limits::kHandleKept.count());
  batch.add(kEndGuest).id(wanted.guest).id(wanted.account).number(wanted.at_ms).text(kErasedName);
  static_cast<void>(co_await session.run(std::move(batch)));
}

}  // namespace

awaitable<Expected<Merged>> merge(WriteSession& session, const Merge& wanted) {
  if (wanted.guest == wanted.account) {
    co_return refuse(ErrorCode::kInvalidArgument, "The guest is the account itself.");
  }
  Batch look;
  if (session.dialect() == Dialect::kPostgres) look.add(kLockHeads).id(wanted.guest);
  look.add(kLockGuestAndAccount).ids(std::vector{wanted.guest, wanted.account});
  const auto found = co_await session.run(std::move(look));
  const auto known = known_of(found.back());
  if (known.size() < 2) co_return no_such_player();
  const MergedPlayer& guest = known.at(wanted.guest);
  if (guest.merged_into == wanted.account) co_return Merged{.merged_before = true};
  if (auto may = check(guest, known.at(wanted.account)); !may) {
    co_return std::unexpected(std::move(may.error()));
  }
  Merged merged{.guest_name = guest.name};
  if (auto may = co_await check_games(session, wanted, merged); !may) {
    co_return std::unexpected(std::move(may.error()));
  }
  co_await move_games(session, wanted, merged);
  merged.ratings = co_await merge_ratings(session, wanted);
  co_await move_rest(session, wanted);
  co_return merged;
}

}  // namespace tesela::store::sql
