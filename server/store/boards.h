// Leaderboards by rating or best score, and what a finished game changes on them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "server/store/rating.h"

namespace tesela::store {

/// A day, UTC.
using Day = std::chrono::sys_days;

enum class BoardKind : std::uint8_t {
  kRatings = 1,    // of a game, over all its configurations
  kBest = 2,       // scores of a configuration
  kBestOfDay = 3,  // likewise, of the games that ended on a day
  kDaily = 4,      // scores of a day's daily game
};

/// Identifies a board.
struct BoardKey {
  BoardKind kind{BoardKind::kRatings};
  std::string game;
  std::string config{};      // an encoded google.protobuf.Any; empty for ratings
  std::optional<Day> day{};  // set exactly for kBestOfDay and kDaily

  friend auto operator<=>(const BoardKey&, const BoardKey&) = default;
};

/// A seat of a finished game, for ratings.
struct Placing {
  PlayerId player;
  std::uint32_t rank{};  // lower is better; ties share one
  bool left{};           // the player left or gave up before the end, and gains nothing
  bool house{};          // a strategy of this server: its opponents are not counted
  bool late{};  // a strategy played most of the player's moves: beats nobody who has stayed

  friend bool operator==(const Placing&, const Placing&) = default;
};

/// The points of a finished game for a board of scores, which keeps each player's best.
struct Score {
  BoardKey board;
  PlayerId player;
  std::int64_t points{};
};

/// What a finished game counts for. All its players have seats at the game's table.
struct GameOutcome {
  std::string game;
  std::vector<Placing> placings{};  // empty, or at least two
  std::vector<Score> scores{};
};

/// A player's rating in a game; a newcomer's for a player without games.
struct RatingRow {
  PlayerId player;
  store::Rating rating{};
  std::uint32_t games{};  // that were rated
  /// Different opponents, counted up to kListedOpponents.
  std::uint32_t opponents{};

  friend bool operator==(const RatingRow&, const RatingRow&) = default;
};

/// A line of a board. Ordered by points, descending; equal points by time, ascending.
struct BoardEntry {
  std::uint64_t place{};  // from 1, without gaps
  PlayerId player;
  std::string display_name;
  std::int64_t points{};   // of a rating: the number that people read
  std::int64_t at_ms{};    // when the points were reached, Unix time
  TableId table{};         // the table; 0 on a board of ratings
  store::Rating rating{};  // only on a board of ratings, as `games`
  std::uint32_t games{};

  friend bool operator==(const BoardEntry&, const BoardEntry&) = default;
};

/// The last line of a page of a board. The places of the next page are counted from its `place`,
/// which is not checked.
struct BoardCursor {
  std::uint64_t place{};
  std::int64_t points{};
  std::int64_t at_ms{};
  PlayerId player;

  friend bool operator==(const BoardCursor&, const BoardCursor&) = default;
};

/// Which lines of a board: at most `max` after `after`, or from the top; or around a player, who is
/// in the middle if enough lines are above.
struct BoardRange {
  std::size_t max{};
  std::optional<BoardCursor> after{};
  std::optional<PlayerId> around{};
};

/// A board of ratings has the players with so many different opponents. FORMAT.md has the number
/// too: rows of players who were rated before opponents were counted have it.
inline constexpr std::uint32_t kListedOpponents = 5;
/// The k-th game of a day (UTC) that rates the same two players counts 1/k for their part of it;
/// those after so many count nothing.
inline constexpr std::uint32_t kPairGamesADay = 10;
/// The points of a rating that is not on the board: behind all others, and not shown.
inline constexpr std::int64_t kUnlistedPoints = std::numeric_limits<std::int64_t>::min() / 2;

/// How often a player was rated with an opponent on the last day on which both were. A strategy of
/// this server has none with people: those have one with it.
struct Meeting {
  PlayerId player;
  PlayerId opponent;
  Day day;
  std::uint32_t games{};  // up to kPairGamesADay

  friend bool operator==(const Meeting&, const Meeting&) = default;
};

/// Looks up a player's rating before the game.
using RatingBefore = std::function<RatingRow(PlayerId)>;
/// Looks up a player's meeting with an opponent before the game, if there is one.
using MeetingBefore = std::function<std::optional<Meeting>(PlayerId player, PlayerId opponent)>;

/// What a game changes. Of a player with kListedOpponents opponents the meetings of earlier days
/// are not needed any more.
struct RatedGame {
  std::vector<RatingRow> ratings{};
  std::vector<Meeting> meetings{};
};

/// The ratings after a game of at least two seats, one for each player who has not met all others
/// too often on `day`. A bot on several seats gets the mean of the results of its seats, and the
/// game counts once. A player who has left or was late gains nothing, whatever the rank, and the
/// only first one who was neither loses nothing.
[[nodiscard]] RatedGame after_game(std::span<const Placing> placings, Day day,
                                   const RatingBefore& before, const MeetingBefore& met);

/// What `ratings.points` of a row is: the rating that people read, or kUnlistedPoints.
[[nodiscard]] std::int64_t points_of(const RatingRow& row);
/// Cuts those off that are not on the board of ratings: they stand behind all others.
void cut_unlisted(std::vector<BoardEntry>& entries);

}  // namespace tesela::store
