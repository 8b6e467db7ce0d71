#include "engine/strategy/samegame/colour_priority.h"

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

/// Plays a legal move. False, without effect, when it is none.
bool play(State& s, const Move& move) {
  if (move.cell >= s.setting.cell_count()) {
    return false;
  }
  const auto place = place_of<Set>(s.setting, move.cell);
  if (!s.board.playable().contains(place)) {
    return false;
  }
  const NoStages untold;
  s.points += remove_group(s.setting, s.board, s.board.group(place), untold);
  return true;
}

}  // namespace

std::optional<Move> ColourPriority::choose(const State& s) {
  const Set playable = s.board.playable();
  meet_colours(s, playable);
  for (const Colour colour : met()) {
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
  bool front_is_free = count_ == 0;
  for (int index = 0; index < s.setting.cell_count(); ++index) {
    const auto place = place_of<Set>(s.setting, scanned(s.setting, index));
    const auto colour = static_cast<Colour>(s.board.number(place));
    if (colour == kEmpty || std::ranges::find(met(), colour) != met().end()) {
      continue;
    }
    colours_[count_++] = colour;
    if (front_is_free && !(s.board.tiles_of(colour) & playable).empty()) {
      std::rotate(colours_.begin(), colours_.begin() + count_ - 1, colours_.begin() + count_);
      front_is_free = false;
    }
  }
}

void colour_priority_moves(State s, std::vector<Move>& moves) {
  ColourPriority priorities;
  moves.clear();
  while (const std::optional<Move> move = priorities.choose(s)) {
    play(s, *move);
    moves.push_back(*move);
  }
}

Choice<Game> ColourPriorityStrategy::choose(const State& view, Seat /*seat*/, Rng& /*rng*/,
                                            const Budget& /*budget*/) {
  if (!Game::turn(view)) {
    return {};
  }
  if (position_ != view || left().empty()) {
    moves_.reserve(static_cast<std::size_t>(view.setting.cell_count()) / 2);
    colour_priority_moves(view, moves_);
    next_ = 0;
    position_ = view;
  }
  const Move move = moves_[next_++];
  play(*position_, move);
  return {.move = move};
}

void ColourPriorityStrategy::resume(const State& view, std::span<const Move> plan) {
  State s = view;
  const bool playable = std::ranges::all_of(plan, [&](const Move& move) { return play(s, move); });
  if (playable && s.board.playable().empty()) {
    moves_.assign(plan.begin(), plan.end());
    next_ = 0;
    position_ = view;
  }
}

}  // namespace tesela::samegame
