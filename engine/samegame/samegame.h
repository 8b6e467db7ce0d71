// SameGame: the rules. The paragraphs R-SG-n are those of RULES.md here.
//
// They are written once for any board of board.h. `Game` plays every table there is, `SmallGame`
// those that fit on a small board: the same rules in a state a fifth as large, for searches and
// simulations.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "engine/core/rng.h"
#include "engine/samegame/board.h"
#include "engine/samegame/config.h"
#include "engine/samegame/removal.h"
#include "engine/samegame/row_major.h"

namespace tesela::samegame {

/// The seat of the player.
inline constexpr Seat kOnlySeat{0};

/// The bonus of a cleared board (R-SG-5).
inline constexpr std::int32_t kClearedBonus = 1000;

/// A position. Nothing of it is hidden from the player.
template <class AnyBoard>
struct StateOn {
  Setting setting{};
  std::int32_t points{};  // of the groups removed so far, without the final bonus
  AnyBoard board{};

  friend bool operator==(const StateOn&, const StateOn&) = default;
};

/// The group to remove, by any of its cells (row-major).
struct Move {
  std::uint16_t cell{};

  friend bool operator==(const Move&, const Move&) = default;
};

/// Tiles of a colour that hang together, at least two.
struct Group {
  std::vector<std::uint16_t> cells{};  // row-major, ascending
  std::int32_t points{};               // what removing it scores

  friend bool operator==(const Group&, const Group&) = default;
};

/// The state of a game.
enum class Outcome : std::uint8_t {
  kInPlay,   // a move is possible
  kCleared,  // over: the board is empty
  kStuck,    // over: tiles are left, but no group
};

template <class AnyBoard>
[[nodiscard]] Outcome outcome(const StateOn<AnyBoard>& s);

/// R-SG-5: the points that are added if the game ends with this board.
template <class AnyBoard>
[[nodiscard]] std::int32_t final_bonus(const StateOn<AnyBoard>& s);

/// The points; once the game is over, with the final bonus.
template <class AnyBoard>
[[nodiscard]] std::int32_t score(const StateOn<AnyBoard>& s);

/// Every group once, by ascending first cell.
template <class AnyBoard>
[[nodiscard]] std::vector<Group> groups(const StateOn<AnyBoard>& s);

/// The rules, as engine/core/game.h asks for them.
template <class AnyBoard>
struct GameOn {
  using Config = samegame::Config;
  using State = StateOn<AnyBoard>;
  using Move = samegame::Move;
  using Stage = samegame::Stage;
  using Set = typename AnyBoard::Set;

  static constexpr std::string_view kName = "samegame";

  [[nodiscard]] static constexpr std::uint8_t seats(const Config&) { return 1; }

  /// R-SG-1. Refuses as `validate` does, and boards of more cells than there is room for.
  [[nodiscard]] static Expected<State> start(const Config& config, Rng& rng);

  /// R-SG-2: every cell that has a group, column by column from the left, in each from the bottom.
  template <class Sink>
  static void legal_moves(const State& s, Seat seat, Sink&& sink) {
    if (seat == kOnlySeat) {
      s.board.playable().each([&](auto place) { sink(Move{cell_of<Set>(s.setting, place)}); });
    }
  }

  /// R-SG-2..4. Refuses with kNotYourTurn, kGameOver or kIllegalMove. Draws nothing.
  template <class Stages>
  [[nodiscard]] static Expected<State> apply(const State& s, Seat seat, const Move& move, Rng& rng,
                                             Stages&& stages);

  /// Seat 0 until the game is over (R-SG-5).
  [[nodiscard]] static std::optional<Seat> turn(const State& s);
  /// The score.
  [[nodiscard]] static Result standings(const State& s);
  /// The same, once the game is over.
  [[nodiscard]] static std::optional<Result> result(const State& s);

 private:
  /// The group of the move, or why it is refused.
  [[nodiscard]] static Expected<Set> group_of(const State& s, Seat seat, const Move& move);
};

template <class AnyBoard>
template <class Stages>
Expected<StateOn<AnyBoard>> GameOn<AnyBoard>::apply(const State& s, Seat seat, const Move& move,
                                                    Rng& /*rng*/, Stages&& stages) {
  const Expected<Set> group = group_of(s, seat, move);
  if (!group) {
    return std::unexpected(group.error());
  }
  State next = s;
  next.points += remove_group(s.setting, next.board, *group, stages);
  return next;
}

/// Every table (R-SG-1).
using Game = GameOn<LargeBoard>;
using State = Game::State;
/// Tables of at most 15 rows, 16 columns and 7 colours.
using SmallGame = GameOn<SmallBoard>;
using SmallState = SmallGame::State;

/// The same position on a small board, which has room for it (SmallBoard::has_room).
[[nodiscard]] SmallState small_of(const State& s);

static_assert(tesela::Game<Game>);
static_assert(tesela::Game<SmallGame>);
static_assert(sizeof(SmallState) <= 256);

// Made in samegame.cc.
extern template struct GameOn<LargeBoard>;
extern template struct GameOn<SmallBoard>;

/// The board as text: one line a row, the colours as digits with a space between them, '.' for an
/// empty cell.
[[nodiscard]] std::string draw(const Setting& setting, std::span<const Colour> cells);

/// The result of a random game.
template <class AnyBoard>
struct Playout {
  StateOn<AnyBoard> end{};
  std::uint32_t moves{};
};

/// A random game to its end, as fast as possible, for searches and statistics: the rules of
/// Game::apply without its checks. Plays on from `s` with moves that are uniform among the legal
/// ones: a random cell of those that have a group, so that a group of n is n times as likely as
/// another of one. Each move draws uniform(number of legal moves), which counts in the order of
/// Game::legal_moves.
template <class AnyBoard>
[[nodiscard]] Playout<AnyBoard> play_out(const StateOn<AnyBoard>& s, Rng& rng);

}  // namespace tesela::samegame
