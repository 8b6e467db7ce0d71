#include "engine/g2248/playout.h"

#include <algorithm>

namespace tesela::g2248 {

namespace {

template <std::size_t Capacity>
Playout play_on(const State& s, std::uint64_t moves_max, Rng& rng) {
  BoardOf<Capacity> board{.rows = s.board.rows, .columns = s.board.columns};
  std::ranges::copy(s.board.used(), board.cells.begin());
  Playout playout{.end = s};
  while (playout.moves < moves_max && has_chain(board)) {
    const Path chain = random_chain(board, rng);
    const Exponent value = value_of(board, chain.cells());
    score(playout.end, tile_value(value));
    join(board, chain.cells(), {.value = value, .goal_reached = false}, rng, NoStages{});
    ++playout.moves;
  }
  std::ranges::copy(board.used(), playout.end.board.cells.begin());
  return playout;
}

}  // namespace

Playout play_out(const State& s, std::uint64_t moves_max, Rng& rng) {
  return s.board.size() <= kSmallCellsMax ? play_on<kSmallCellsMax>(s, moves_max, rng)
                                          : play_on<kCellsMax>(s, moves_max, rng);
}

}  // namespace tesela::g2248
