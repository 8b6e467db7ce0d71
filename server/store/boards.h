// Boards: who stands where by rating or by best score, and what the end of a game changes there.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Names a board.
struct BoardKey {
  BoardKind kind{BoardKind::kRatings};
  std::string game;
  std::string config{};      // an encoded google.protobuf.Any; empty for ratings
  std::optional<Day> day{};  // set exactly for kBestOfDay and kDaily

  friend auto operator<=>(const BoardKey&, const BoardKey&) = default;
};

/// A seat of a finished game by which ratings change.
struct Placing {
  PlayerId player;
  std::uint32_t rank{};  // a lower one is better; those who tie share one
  bool left{};           // the player did not stay to the end: nothing is gained

  friend bool operator==(const Placing&, const Placing&) = default;
};

/// A finished game's points for a board of scores, where only a player's best stands.
struct Score {
  BoardKey board;
  PlayerId player;
  std::int64_t points{};
};

/// What a finished game counts for. Everybody in it sits at the game's table.
struct GameOutcome {
  std::string game;
  std::vector<Placing> placings{};  // none, or at least two
  std::vector<Score> scores{};
};

/// A player's rating in a game; that of a newcomer when it has not played.
struct RatingRow {
  PlayerId player;
  store::Rating rating{};
  std::uint32_t games{};  // that were rated

  friend bool operator==(const RatingRow&, const RatingRow&) = default;
};

/// A line of a board. The most points come first; of equal ones who had them earlier.
struct BoardEntry {
  std::uint64_t place{};  // from 1, without gaps
  PlayerId player;
  std::string display_name;
  std::int64_t points{};   // of a rating: the number that people read
  std::int64_t at_ms{};    // when they were reached, Unix time
  TableId table{};         // where; 0 on a board of ratings
  store::Rating rating{};  // on a board of ratings alone, as is `games`
  std::uint32_t games{};

  friend bool operator==(const BoardEntry&, const BoardEntry&) = default;
};

/// Where a page of a board ended: its last line. Its place is the caller's word, from which the
/// lines after it are counted.
struct BoardCursor {
  std::uint64_t place{};
  std::int64_t points{};
  std::int64_t at_ms{};
  PlayerId player;

  friend bool operator==(const BoardCursor&, const BoardCursor&) = default;
};

/// Which lines: at most `max` after `after`, when given, else from the top; or around a player, who
/// then stands in their middle as far as there are lines above.
struct BoardRange {
  std::size_t max{};
  std::optional<BoardCursor> after{};
  std::optional<PlayerId> around{};
};

/// What is known of a player before the game.
using RatingBefore = std::function<RatingRow(PlayerId)>;

/// The ratings after a game of at least two seats, one for each player. A bot may sit on several
/// seats: its rating then goes to the mean of what each seat would make of it, and the game counts
/// once. Who has left gains nothing, whatever the rank.
[[nodiscard]] std::vector<RatingRow> after_game(std::span<const Placing> placings,
                                                const RatingBefore& before);

}  // namespace tesela::store
