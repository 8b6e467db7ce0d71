#include "server/store/sql/boards.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "server/base/clock.h"
#include "server/store/sql/boards.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

// A live table may not know yet that a guest was merged into an account. Waits for a merge under
// way.
constexpr Text kWhoseRatings{
    "SELECT id, coalesce(merged_into, id) FROM players WHERE id = ANY($1) ORDER BY id"
    " FOR KEY SHARE"};
constexpr Text kLockRatings{
    "SELECT player_id, mu, sigma, games, opponents FROM ratings"
    " WHERE game = $1 AND player_id = ANY($2) ORDER BY player_id FOR UPDATE"};
// Only under the locks of both ratings: it sees what the transaction before has written. Of a
// player without a rating nobody has a meeting, and two who add that rating at once conflict.
constexpr Text kMeetings{
    "SELECT player_id, opponent_id, day, games FROM meetings"
    " WHERE game = $1 AND player_id = ANY($2) AND opponent_id = ANY($2)"};
constexpr Text kSetMeeting{
    "INSERT INTO meetings (game, player_id, opponent_id, day, games) VALUES ($1, $2, $3, $4, $5)"
    " ON CONFLICT (game, player_id, opponent_id)"
    " DO UPDATE SET day = excluded.day, games = excluded.games"};
constexpr Text kForget{"DELETE FROM meetings WHERE game = $1 AND player_id = $2 AND day < $3"};
constexpr Text kAddRating{
    "INSERT INTO ratings (game, player_id, mu, sigma, games, points, at_ms, opponents)"
    " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"};
constexpr Text kSetRating{
    "UPDATE ratings SET mu = $3, sigma = $4, games = $5, points = $6, at_ms = $7,"
    " opponents = $8 WHERE game = $1 AND player_id = $2"};
constexpr Text kKeepChange{
    "INSERT INTO rated_games (table_id, player_id, mu, sigma) VALUES ($1, $2, $3, $4)"
    " ON CONFLICT DO NOTHING"};
// Waits for a merge under way, as kWhoseRatings.
constexpr Text kChanges{
    "SELECT coalesce(p.merged_into, p.id), r.mu, r.sigma FROM rated_games r"
    " JOIN players p ON p.id = r.player_id WHERE r.table_id = $1 ORDER BY p.id"
    " FOR KEY SHARE OF p",
    "SELECT coalesce(p.merged_into, p.id), r.mu, r.sigma FROM rated_games r"
    " JOIN players p ON p.id = r.player_id WHERE r.table_id = $1 ORDER BY p.id"};
constexpr Text kDropScores{"DELETE FROM scores WHERE table_id = $1"};
constexpr Text kSetRatingDay{
    "INSERT INTO rating_days (game, player_id, day, points) VALUES ($1, $2, $3, $4)"
    " ON CONFLICT (game, player_id, day) DO UPDATE SET points = excluded.points"};
constexpr Text kAddBoard{
    "INSERT INTO boards (kind, game, config, config_hash, day)"
    " VALUES ($1, $2, $3, sha256($3), $4) ON CONFLICT DO NOTHING",
    "INSERT INTO boards (kind, game, config, day) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING"};
constexpr Text kSetScore{
    "INSERT INTO scores (board_id, player_id, points, at_ms, table_id)"
    " SELECT id, coalesce((SELECT merged_into FROM players WHERE players.id = $5), $5),"
    "  $6::bigint, $7::bigint, $8::bigint FROM boards"
    "  WHERE kind = $1 AND game = $2 AND config_hash = sha256($3) AND day = $4"
    " ON CONFLICT (board_id, player_id) DO UPDATE SET points = excluded.points,"
    "  at_ms = excluded.at_ms, table_id = excluded.table_id WHERE scores.points < excluded.points",
    "INSERT INTO scores (board_id, player_id, points, at_ms, table_id)"
    " SELECT id, coalesce((SELECT merged_into FROM players WHERE players.id = $5), $5),"
    "  $6, $7, $8 FROM boards"
    "  WHERE kind = $1 AND game = $2 AND config = $3 AND day = $4"
    " ON CONFLICT (board_id, player_id) DO UPDATE SET points = excluded.points,"
    "  at_ms = excluded.at_ms, table_id = excluded.table_id WHERE scores.points < excluded.points"};

/// No game has brought a sigma so low.
constexpr double kSigmaMin = 0.5;

/// What is known of the players of a game before it.
struct Known {
  std::map<PlayerId, RatingRow> ratings;
  std::map<std::pair<PlayerId, PlayerId>, Meeting> meetings;
};

std::map<std::pair<PlayerId, PlayerId>, Meeting> meetings_of(const Rows& rows) {
  std::map<std::pair<PlayerId, PlayerId>, Meeting> meetings;
  for (const Row row : rows) {
    const Meeting meeting{.player = row.id<PlayerId>(0),
                          .opponent = row.id<PlayerId>(1),
                          .day = Day{std::chrono::days{row.number(2)}},
                          .games = row.small<std::uint32_t>(3)};
    meetings.emplace(std::pair{meeting.player, meeting.opponent}, meeting);
  }
  return meetings;
}

std::map<PlayerId, RatingRow> ratings_of(const Rows& rows) {
  std::map<PlayerId, RatingRow> ratings;
  for (const Row row : rows) {
    const auto player = row.id<PlayerId>(0);
    ratings[player] = {.player = player,
                       .rating = {.mu = row.real(1), .sigma = row.real(2)},
                       .games = row.small<std::uint32_t>(3),
                       .opponents = row.small<std::uint32_t>(4)};
  }
  return ratings;
}

/// Meetings come behind the ratings, to which they refer.
void add_meetings(Batch& batch, const std::string& game, const RatedGame& rated, Day day) {
  for (const Meeting& meeting : rated.meetings) {
    batch.add(kSetMeeting)
        .text(game)
        .id(meeting.player)
        .id(meeting.opponent)
        .number(day_number(meeting.day))
        .number(meeting.games);
  }
  for (const RatingRow& row : rated.ratings) {
    if (row.opponents < kListedOpponents) continue;
    batch.add(kForget).text(game).id(row.player).number(day_number(day));
  }
}

void set_rating(Batch& batch, const Text& text, const std::string& game, const RatingRow& row,
                std::int64_t at_ms) {
  batch.add(text)
      .text(game)
      .id(row.player)
      .real(row.rating.mu)
      .real(row.rating.sigma)
      .number(row.games)
      .number(points_of(row))
      .number(at_ms)
      .number(row.opponents);
  batch.add(kSetRatingDay)
      .text(game)
      .id(row.player)
      .number(day_number(base::day_of(at_ms)))
      .number(shown(row.rating));
}

void add_ratings(Batch& batch, const GameOutcome& outcome, const Known& known, TableId table,
                 std::int64_t ended_ms) {
  const auto before = [&](PlayerId player) {
    const auto found = known.ratings.find(player);
    return found == known.ratings.end() ? RatingRow{.player = player} : found->second;
  };
  const auto met = [&](PlayerId player, PlayerId opponent) -> std::optional<Meeting> {
    const auto found = known.meetings.find({player, opponent});
    if (found == known.meetings.end()) return std::nullopt;
    return found->second;
  };
  const Day day = base::day_of(ended_ms);
  const RatedGame rated = after_game(outcome.placings, day, before, met);
  for (const RatingRow& row : rated.ratings) {
    const Text& text = known.ratings.contains(row.player) ? kSetRating : kAddRating;
    set_rating(batch, text, outcome.game, row, ended_ms);
    const store::Rating old = before(row.player).rating;
    batch.add(kKeepChange)
        .id(table)
        .id(row.player)
        .real(row.rating.mu - old.mu)
        .real(row.rating.sigma - old.sigma);
  }
  add_meetings(batch, outcome.game, rated, day);
}

void add_score(Batch& batch, const Score& score, TableId table, std::int64_t ended_ms) {
  bind_board(batch.add(kAddBoard), score.board);
  bind_board(batch.add(kSetScore), score.board)
      .id(score.player)
      .number(score.points)
      .number(ended_ms)
      .id(table);
}

bool plays(const std::vector<Placing>& placings, PlayerId player) {
  return std::ranges::find(placings, player, &Placing::player) != placings.end();
}

/// Gives the places of guests to the accounts into which they were merged. Nobody is rated where an
/// account had two. Whether there were any.
bool give_to_accounts(std::vector<Placing>& placings, const Rows& whose) {
  bool given = false;
  for (const Row row : whose) {
    const auto player = row.id<PlayerId>(0);
    const auto account = row.id<PlayerId>(1);
    if (player == account) continue;
    if (plays(placings, account)) {
      placings.clear();
      return true;
    }
    for (Placing& placing : placings) {
      if (placing.player == player) placing.player = account;
    }
    given = true;
  }
  return given;
}

awaitable<Known> lock_ratings(WriteSession& session, GameOutcome& outcome) {
  for (;;) {
    std::set<PlayerId> players;
    for (const Placing& placing : outcome.placings) players.insert(placing.player);
    const std::vector<PlayerId> sorted(players.begin(), players.end());
    Batch batch;
    batch.add(kWhoseRatings).ids(sorted);
    batch.add(kLockRatings).text(outcome.game).ids(sorted);
    batch.add(kMeetings).text(outcome.game).ids(sorted);
    const auto results = co_await session.run(std::move(batch));
    if (give_to_accounts(outcome.placings, results[0])) continue;
    co_return Known{.ratings = ratings_of(results[1]), .meetings = meetings_of(results[2])};
  }
}

/// The statements that count the outcome.
awaitable<Batch> counting(WriteSession& session, GameOutcome outcome, TableId table,
                          std::int64_t ended_ms) {
  Batch batch;
  if (!outcome.placings.empty()) {
    const auto known = co_await lock_ratings(session, outcome);
    if (!outcome.placings.empty()) add_ratings(batch, outcome, known, table, ended_ms);
  }
  for (const Score& score : outcome.scores) add_score(batch, score, table, ended_ms);
  co_return batch;
}

}  // namespace

awaitable<void> count(WriteSession& session, const GameOutcome& outcome, TableId table,
                      std::int64_t ended_ms) {
  Batch batch = co_await counting(session, outcome, table, ended_ms);
  static_cast<void>(co_await session.run(std::move(batch)));
}

awaitable<void> change_back(WriteSession& session, const std::string& game, TableId table,
                            Counts counts, std::int64_t now_ms) {
  Query look{kChanges};
  look.id(table);
  const auto changes = co_await session.run(std::move(look));
  auto players = changes.ids<PlayerId>();
  std::ranges::sort(players);
  Query lock{kLockRatings};
  lock.text(game).ids(players);
  const auto locked = co_await session.run(std::move(lock));
  auto ratings = ratings_of(locked);
  const double sign = counts == Counts::kAgain ? 1 : -1;
  for (const Row row : changes) {
    const auto found = ratings.find(row.id<PlayerId>(0));
    if (found == ratings.end()) continue;
    RatingRow& rating = found->second;
    rating.rating.mu += sign * row.real(1);
    // Later games have changed it too: the sum may be out of bounds.
    rating.rating.sigma =
        std::clamp(rating.rating.sigma + sign * row.real(2), kSigmaMin, kNewcomer.sigma);
    rating.games = counts == Counts::kAgain ? rating.games + 1 : std::max(rating.games, 1U) - 1;
  }
  Batch batch;
  for (const auto& [player, row] : ratings) set_rating(batch, kSetRating, game, row, now_ms);
  if (counts == Counts::kNoMore) batch.add(kDropScores).id(table);
  static_cast<void>(co_await session.run(std::move(batch)));
}

awaitable<void> count_and_finish(WriteSession& session, const GameOutcome& outcome, TableId table,
                                 std::int64_t ended_ms) {
  Batch batch = co_await counting(session, outcome, table, ended_ms);
  static_cast<void>(co_await session.finish(std::move(batch)));
}

}  // namespace tesela::store::sql
