// Estimates the immediate value of moves of Azul: for playouts, and to order the moves of a search
// first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/azul/azul.h"
#include "engine/core/rng.h"
#include "engine/strategy/azul/moves.h"

namespace tesela::azul {

/// The wall with the tiles of full pattern lines on it.
[[nodiscard]] Wall wall_after_tiling(const Board& board);

/// Points that the moves of the seat on turn look worth: what a full pattern line will score, a
/// part of it for a line that is begun, some of the bonuses that come nearer, less what the floor
/// line costs.
class MoveValues {
 public:
  explicit MoveValues(const State& s);

  /// Calls `sink(move, points)` for every legal move, in the order of Choices.
  template <class Sink>
  void each(Sink&& sink) const {
    choices_.each([&](const Move& move) { sink(move, of(move)); });
  }

  [[nodiscard]] float of(const Move& move) const;

  /// One of the moves, e times less likely for each `scale` points by which it looks worse than the
  /// best, and none that looks worse by more than four of them. By one word of `rng`.
  [[nodiscard]] Move draw(float scale, Rng& rng) const;

 private:
  const State& s_;
  Choices choices_;
  unsigned occupied_;  // spaces of the floor line
  /// The points of the tile of a row and a colour, and the bonuses that it brings nearer.
  std::array<std::array<float, kColourCount>, kRows> tile_{};
};

}  // namespace tesela::azul
