#include "engine/strategy/samegame_colour_priority.h"

#include <optional>

#include "engine/samegame/removal.h"

namespace tesela::samegame {

std::vector<Move> colour_priority_moves(State s) {
  ColourPriority priorities;
  std::vector<Move> moves;
  const NoStages untold;
  while (const std::optional<Move> move = priorities.choose(s)) {
    const auto place = place_of<LargeBoard::Set>(s.setting, move->cell);
    s.points += remove_group(s.setting, s.board, s.board.group(place), untold);
    moves.push_back(*move);
  }
  return moves;
}

}  // namespace tesela::samegame
