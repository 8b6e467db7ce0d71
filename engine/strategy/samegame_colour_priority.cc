#include "engine/strategy/samegame_colour_priority.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "engine/samegame/removal.h"

namespace tesela::samegame {

namespace {

using Set = LargeBoard::Set;

/// Cell number `index` in scan order: rows from the top, in each row from the right.
std::uint16_t scanned(const Setting& setting, int index) {
  const int row = index / setting.columns;
  const int from_the_right = index % setting.columns;
  return static_cast<std::uint16_t>((row + 1) * setting.columns - 1 - from_the_right);
}

}  // namespace

std::optional<Move> ColourPriority::choose(const State& s) {
  const Set playable = s.board.playable();
  meet_colours(s, playable);
  for (const Colour colour : priorities_) {
    const Set moves = s.board.tiles_of(colour) & playable;
    for (int index = 0; index < s.setting.cell_count() && !moves.empty(); ++index) {
      const std::uint16_t cell = scanned(s.setting, index);
      if (moves.contains(place_of<Set>(s.setting, cell))) {
        return Move{cell};
      }
    }
  }
  return std::nullopt;
}

void ColourPriority::meet_colours(const State& s, const Set& playable) {
  bool front_is_free = priorities_.empty();
  for (int index = 0; index < s.setting.cell_count(); ++index) {
    const auto place = place_of<Set>(s.setting, scanned(s.setting, index));
    const auto colour = static_cast<Colour>(s.board.number(place));
    if (colour == kEmpty || std::ranges::find(priorities_, colour) != priorities_.end()) {
      continue;
    }
    if (front_is_free && !(s.board.tiles_of(colour) & playable).empty()) {
      priorities_.insert(priorities_.begin(), colour);
      front_is_free = false;
    } else {
      priorities_.push_back(colour);
    }
  }
}

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
