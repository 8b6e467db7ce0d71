// What decides on a move: bots, hints and simulations all ask a Strategy.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "engine/core/game.h"
#include "engine/core/ids.h"
#include "engine/core/rng.h"

namespace tesela {

inline constexpr auto kNoTimeLimit = std::chrono::microseconds::max();
inline constexpr auto kNoNodeLimit = std::numeric_limits<std::uint64_t>::max();

/// The limits of one search. It ends at whichever limit comes first, so a caller
/// sets at least one. With `nodes` alone the same dice give the same move, on any thread and
/// however fast the machine is; another build or mathematics library may round otherwise.
struct Budget {
  /// From the call on, by the steady clock; a thread that others keep waiting takes less of it
  /// (node_counter.h).
  std::chrono::microseconds time{kNoTimeLimit};
  std::uint64_t nodes{kNoNodeLimit};  // moves that the search tries
  std::stop_token stop{};             // obeyed within 2 ms
};

/// The memory that a strategy may use.
struct StrategyMemory {
  std::size_t tree_bytes{std::size_t{16} << 20U};  // for the tree of a search
};

/// The result of a strategy.
template <Game G>
struct Choice {
  typename G::Move move{};
  /// The estimated value of the move, in the strategy's measure (Description::measure). Empty
  /// without an estimate: it plays at random, or found no move of the kind that it looks for.
  std::optional<double> value{};

  friend bool operator==(const Choice&, const Choice&) = default;
};

/// Plays one seat of one game and may keep state between moves. One thread at a time.
template <Game G>
class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  Strategy(Strategy&&) = delete;
  Strategy& operator=(Strategy&&) = delete;
  virtual ~Strategy() = default;

  /// The move for `seat`, which is on turn. `view` holds what that seat can see; `rng` is the
  /// strategy's own and never the table's. Legal, however small the budget. When the game is
  /// over, a default-constructed choice.
  [[nodiscard]] virtual Choice<G> choose(const typename G::State& view, Seat seat, Rng& rng,
                                         const Budget& budget) = 0;

  /// The best moves of a position, at most `most` of them and the best first, for analysis and for
  /// hints that show several. Values are in the measure of Choice::value and can be compared; a
  /// move that the budget did not suffice for has none. None when the game is over. A strategy
  /// that does not compare moves gives its choice alone.
  [[nodiscard]] virtual std::vector<Choice<G>> rank(const typename G::State& view, Seat seat,
                                                    Rng& rng, const Budget& budget,
                                                    std::size_t most) {
    if (most == 0 || !G::turn(view)) {
      return {};
    }
    return {choose(view, seat, rng, budget)};
  }

  /// All moves that it compares, as `rank` gives them, with `played`, a legal move, among them if
  /// it can judge it: for analysis, which compares a move's worth with the best.
  [[nodiscard]] virtual std::vector<Choice<G>> compare(const typename G::State& view, Seat seat,
                                                       Rng& rng, const Budget& budget,
                                                       const typename G::Move& /*played*/) {
    return rank(view, seat, rng, budget, std::numeric_limits<std::size_t>::max());
  }

  /// About how many nodes it tries in a millisecond on one usual core, in `view`: makes of a time a
  /// budget that gives the same result on every machine. 0: its budget does not matter.
  [[nodiscard]] virtual std::uint64_t nodes_per_ms(const typename G::State& /*view*/) const {
    return 0;
  }

  /// How it means to play on after its last choice: the moves of its seat, the next one first. None
  /// unless it plans.
  [[nodiscard]] virtual std::vector<typename G::Move> plan() const { return {}; }
  /// Before a choice in `view`: what another object of a strategy that plans, of the same game,
  /// meant to play from there on. Moves that cannot be played are no plan.
  virtual void resume(const typename G::State& /*view*/,
                      std::span<const typename G::Move> /*plan*/) {}
};

/// How much of its budget a strategy uses.
enum class Thought : std::uint8_t {
  kInstant,  // next to none: it answers at once
  kSearch,   // as much as it gets
};

/// The strongest level. Each is stronger than the one below it, at every number of seats, in the
/// time of a usual move (README.md says by how much).
inline constexpr std::uint8_t kLevelMax = 5;

/// What players call the levels, from the first on.
inline constexpr std::array<std::string_view, kLevelMax> kLevelNames{"beginner", "easy", "medium",
                                                                     "hard", "expert"};

/// What players call a level, from 0 to kLevelMax: 0 is none, and has no name.
[[nodiscard]] constexpr std::string_view level_name(std::uint8_t level) {
  return level == 0 ? std::string_view{} : kLevelNames[level - 1U];
}

/// How the values of a measure are read.
enum class Reading : std::uint8_t {
  kCount,     // a count in the measure's unit
  kShare,     // a share, from 0 to 1
  kRelative,  // in comparison with the best move of the position alone
};

/// Measures whose values are no plain numbers. Of two players the share of one is the chance to
/// win.
inline constexpr std::string_view kShareMeasure = "share of the others left behind";
/// A lost game is worth 0, and two boards in play differ by little. So a move that has 99 % of the
/// worth of the best is as much worse as to lose one game in a hundred within the moves ahead.
inline constexpr std::string_view kWorthMeasure = "worth of the boards ahead";

[[nodiscard]] constexpr Reading reading_of(std::string_view measure) {
  if (measure == kShareMeasure) {
    return Reading::kShare;
  }
  return measure == kWorthMeasure ? Reading::kRelative : Reading::kCount;
}

/// What people are told of a strategy.
struct Description {
  std::string_view name;       // unique in its game
  std::string_view text;       // one line
  std::string_view measure{};  // of Choice::value; empty when it has none
  /// How much less than the best a move is worth, in `measure`, that an analysis calls a mistake:
  /// more than the error of the estimates of usual budgets. 0: it compares no moves.
  double mistake{};
  /// From 1 to kLevelMax (level_name), or 0: on no level, since it is nothing to play against.
  std::uint8_t level{1};
  Thought thought{Thought::kInstant};
  /// Whether it remembers from one move to the next how it wants to go on (Strategy::plan): then
  /// thought is best spent on the first.
  bool plans{false};
};

}  // namespace tesela
