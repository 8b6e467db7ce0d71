// 2048: the rules as the server plays them. The paragraphs R-2048-n are those of RULES.md here.
//
// Searches and simulations use the same rules on a packed board: playout.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/core/game.h"
#include "engine/core/grid.h"
#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "engine/core/rng.h"
#include "engine/g2048/board.h"
#include "engine/g2048/config.h"
#include "engine/g2048/direction.h"
#include "engine/g2048/line.h"

namespace tesela::g2048 {

/// The seat of the player.
inline constexpr Seat kOnlySeat{0};

/// A position. Nothing of it is hidden from a player.
struct State {
  Config config;
  Cells cells{};
  std::uint64_t score{};
  bool objective_reached{};  // R-2048-6: the largest cell is at least the objective

  friend bool operator==(const State&, const State&) = default;
};

struct Move {
  Direction direction{};

  friend bool operator==(const Move&, const Move&) = default;
};

enum class StageKind : std::uint8_t { kSlide, kMerge, kSpawn };

/// What happened, in the order slide, merge, slide, spawn; one that changes nothing is left out
/// (R-2048-7). Motions go line by line, the lines as they are numbered (rows from the top or
/// columns from the left), in each line from the edge to which the tiles move.
struct Stage {
  StageKind kind{};
  Cells cells{};                 // the grid after the stage
  Motions<kCellsMax> motions{};  // slide: the tiles that move; merge: both partners of each merge
  std::uint8_t spawned{};        // spawn: the cell of the new tile; otherwise 0
  std::uint64_t points{};        // merge: its points; otherwise 0

  friend bool operator==(const Stage&, const Stage&) = default;
};

/// Collects the reports of a board's lines into the stages of the move.
class MoveStages {
 public:
  class Line {
   public:
    Line(MoveStages& into, LineOfCells where) : into_{into}, where_{where} {}
    void motion(Phase phase, std::size_t from, std::size_t to, bool merged) {
      into_.add(phase, {.from = static_cast<std::uint16_t>(where_.cell(from)),
                        .to = static_cast<std::uint16_t>(where_.cell(to)),
                        .merged = merged});
    }

   private:
    MoveStages& into_;
    LineOfCells where_;
  };

  explicit MoveStages(const Cells& before)
      : phases_{Stage{.kind = StageKind::kSlide, .cells = before},
                Stage{.kind = StageKind::kMerge, .cells = before},
                Stage{.kind = StageKind::kSlide, .cells = before}} {}

  [[nodiscard]] Line of(LineOfCells where) { return {*this, where}; }

  /// Hands the stages that changed something to `stages`, in order. Once, when all lines have
  /// moved.
  template <class Stages>
  void give(std::uint64_t points, Stages& stages) {
    phases_[static_cast<std::size_t>(Phase::kMerge)].points = points;
    for (const Stage& stage : phases_) {
      if (!stage.motions.empty()) {
        stages(stage);
      }
    }
  }

 private:
  void add(Phase phase, const Motion& motion);

  std::array<Stage, 3> phases_;  // one for each Phase
};

// How a new tile comes (R-2048-4), on any kind of board.

/// The exponent that one draw gives, by the cumulative weights.
[[nodiscard]] inline Exponent draw_exponent(const Config& config, Rng& rng) {
  const std::uint32_t drawn = rng.uniform(kPerMille);
  // Counts instead of stopping early: which weight is drawn cannot be foreseen by a branch either.
  std::size_t passed = 0;
  std::uint32_t cumulative = 0;
  for (std::size_t i = 0; i + 1 < config.weight_count; ++i) {
    cumulative += config.weights[i].per_mille;
    passed += drawn >= cumulative ? 1 : 0;
  }
  return config.weights[passed].exponent;
}

/// Puts one tile on a board with an empty cell: draws the cell, then the value, unless it is
/// `given` (not kDrawn). Returns the cell, as the board names cells.
template <class AnyBoard>
auto spawn(AnyBoard& board, const Config& config, Exponent given, Rng& rng) {
  const auto place = board.nth_empty(rng.uniform(board.empty_count()));
  board.put(place, given != kDrawn ? given : draw_exponent(config, rng));
  return place;
}

/// The state of a game.
enum class Outcome : std::uint8_t {
  kInPlay,            // a move is possible and the objective is not reached
  kObjectiveReached,  // a move is possible, the objective is reached and play goes on
  kWon,               // over: the objective was reached, by a table that stops there
  kLost,              // over: no move changes the board
};

[[nodiscard]] Outcome outcome(const State& s);
/// The same for a caller that knows whether a move changes the board.
[[nodiscard]] Outcome outcome(const State& s, bool can_move);

/// Whether the table has stopped at its objective (R-2048-6).
[[nodiscard]] constexpr bool is_won(const State& s) {
  return s.objective_reached && s.config.stop_at_objective;
}

/// The rules, as engine/core/game.h asks for them.
struct Game {
  using Config = g2048::Config;
  using State = g2048::State;
  using Move = g2048::Move;
  using Stage = g2048::Stage;

  static constexpr std::string_view kName = "2048";

  [[nodiscard]] static constexpr std::uint8_t seats(const Config&) { return 1; }

  /// R-2048-5. Refuses what `validate` refuses.
  [[nodiscard]] static Expected<State> start(const Config& config, Rng& rng);

  /// R-2048-2, in the order of Direction.
  template <class Sink>
  static void legal_moves(const State& s, Seat seat, Sink&& sink) {
    if (seat != kOnlySeat || is_won(s)) {
      return;
    }
    const Board board{s.config.size, s.cells};
    for (const Direction direction : kDirections) {
      if (board.changes(direction)) {
        sink(Move{direction});
      }
    }
  }

  /// R-2048-2..4, 6, 7. Refuses with kNotYourTurn, kGameOver or kIllegalMove.
  template <class Stages>
  [[nodiscard]] static Expected<State> apply(const State& s, Seat seat, const Move& move, Rng& rng,
                                             Stages&& stages);

  /// Seat 0 until the game is over (R-2048-6).
  [[nodiscard]] static std::optional<Seat> turn(const State& s);
  /// The score.
  [[nodiscard]] static Result standings(const State& s);
  /// The same, once the game is over.
  [[nodiscard]] static std::optional<Result> result(const State& s);

 private:
  /// Whether it is the seat's turn, and the move one of the four.
  [[nodiscard]] static bool may_move(const State& s, Seat seat, const Move& move);
  /// Why a move that is not legal is refused.
  [[nodiscard]] static std::unexpected<Error> refused(const State& s, Seat seat, const Move& move);
};

template <class Stages>
Expected<State> Game::apply(const State& s, Seat seat, const Move& move, Rng& rng,
                            Stages&& stages) {
  if (!may_move(s, seat, move)) {
    return refused(s, seat, move);
  }
  constexpr bool kTold = std::remove_cvref_t<Stages>::kWanted;
  std::conditional_t<kTold, MoveStages, UntoldBoard> told{s.cells};
  Board board{s.config.size, s.cells};
  State next = s;
  next.score += board.slide(move.direction, told);
  if (board.cells() == s.cells) {
    return refused(s, seat, move);
  }
  told.give(next.score - s.score, stages);
  const std::uint8_t cell = spawn(board, s.config, kDrawn, rng);
  next.cells = board.cells();
  next.objective_reached = board.largest() >= s.config.objective;
  if constexpr (kTold) {
    stages(Stage{.kind = StageKind::kSpawn, .cells = next.cells, .motions = {}, .spawned = cell});
  }
  return next;
}

static_assert(tesela::Game<Game>);

/// The board as text: one line a row, values aligned to the right in columns of at least five
/// characters, '.' for an empty cell.
[[nodiscard]] std::string draw(const Cells& cells, std::uint8_t size);

}  // namespace tesela::g2048
