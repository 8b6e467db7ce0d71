#include "engine/samegame/playout.h"

#include "engine/core/game.h"

namespace tesela::samegame {

template <class AnyBoard>
Playout<AnyBoard> play_out(const StateOn<AnyBoard>& s, Rng& rng) {
  Playout<AnyBoard> playout{.end = s};
  NoStages untold;
  for (;; ++playout.moves) {
    AnyBoard& board = playout.end.board;
    const typename AnyBoard::Set playable = board.playable();
    const std::uint32_t count = playable.size();
    if (count == 0) {
      return playout;
    }
    const auto group = board.group(playable.nth(rng.uniform(count)));
    playout.end.points += remove_group(s.setting, board, group, untold);
  }
}

template Playout<LargeBoard> play_out(const State&, Rng&);
template Playout<SmallBoard> play_out(const SmallState&, Rng&);

}  // namespace tesela::samegame
