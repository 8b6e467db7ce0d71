// The strategy of the SameGame project (R-SG-6): one colour after the other.
#pragma once

#include <optional>
#include <vector>

#include "engine/samegame/samegame.h"

namespace tesela::samegame {

/// Plays one game: it remembers in which order it met the colours.
class ColourPriority {
 public:
  /// The move of the next turn, or none when there is no group. To be asked once every turn, from
  /// the first one on.
  [[nodiscard]] std::optional<Move> choose(const State& s);

 private:
  void meet_colours(const State& s, const LargeBoard::Set& playable);

  std::vector<Colour> priorities_;
};

}  // namespace tesela::samegame
