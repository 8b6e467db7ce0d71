#include "engine/azul/playout.h"

namespace tesela::azul {

Playout play_out(const State& s, Rng& rng) {
  Playout playout{.end = s, .moves = 0};
  const NoStages untold;
  while (!playout.end.over && playout.moves < kPlayoutMovesMax) {
    const Choices legal = choices(playout.end);
    play(playout.end, legal.nth(rng.uniform(legal.count())), rng, untold);
    ++playout.moves;
  }
  return playout;
}

}  // namespace tesela::azul
