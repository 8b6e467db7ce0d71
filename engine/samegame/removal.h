// A move, from the group to the settled board, and its stages for clients (R-SG-3, R-SG-4).
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/grid.h"
#include "engine/samegame/board.h"
#include "engine/samegame/config.h"
#include "engine/samegame/row_major.h"

namespace tesela::samegame {

enum class StageKind : std::uint8_t { kRemove, kFall, kCollapse };

/// What happened, in the order remove, fall, collapse; one that changes nothing is left out
/// (R-SG-3). Motions stand in the order of the cells in which the tiles arrive.
struct Stage {
  StageKind kind{};
  std::vector<Colour> cells{};           // the grid after the stage, row-major
  std::vector<Motion> motions{};         // fall, collapse: the tiles that move
  std::vector<std::uint16_t> removed{};  // remove: the cells of the group, ascending
  std::int32_t points{};                 // remove: its points; otherwise 0

  friend bool operator==(const Stage&, const Stage&) = default;
};

/// R-SG-4, for a group of `size` tiles.
[[nodiscard]] constexpr std::int32_t points_of(std::uint32_t size) {
  const std::int32_t over_two = static_cast<std::int32_t>(size) - 2;
  return over_two * over_two;
}

/// Where the tiles of `board` go when `step` moves them: the same step moves their places.
template <class AnyBoard, class Step>
[[nodiscard]] std::vector<Motion> motions_of(const Setting& setting, const AnyBoard& board,
                                             const Step& step) {
  using Set = typename AnyBoard::Set;
  using Numbered = typename AnyBoard::Numbered;
  Numbered numbered = Numbered::of_places(board.tiles());
  step(numbered);
  const Set moved = numbered.unlike(Numbered::of_places(numbered.tiles()));
  std::vector<Motion> motions;
  motions.reserve(moved.size());
  each_cell<Set>(setting, [&](std::uint16_t cell, auto place) {
    if (moved.contains(place)) {
      const auto from = cell_of<Set>(setting, numbered.number(place) - AnyBoard::kPlaces);
      motions.push_back({.from = from, .to = cell});
    }
  });
  return motions;
}

/// Does a step to the board and tells of it, if it moves anything.
template <class AnyBoard, class Step, class Stages>
void tell_step(StageKind kind, const Setting& setting, AnyBoard& board, const Step& step,
               Stages& stages) {
  if constexpr (std::remove_cvref_t<Stages>::kWanted) {
    std::vector<Motion> motions = motions_of(setting, board, step);
    step(board);
    if (!motions.empty()) {
      stages(
          Stage{.kind = kind, .cells = colours_of(setting, board), .motions = std::move(motions)});
    }
  } else {
    step(board);
  }
}

/// Removes a group, which has at least two tiles. Returns the points.
template <class AnyBoard, class Stages>
std::int32_t remove_group(const Setting& setting, AnyBoard& board,
                          const typename AnyBoard::Set& group, Stages& stages) {
  const std::int32_t points = points_of(group.size());
  board.remove(group);
  if constexpr (std::remove_cvref_t<Stages>::kWanted) {
    stages(Stage{.kind = StageKind::kRemove,
                 .cells = colours_of(setting, board),
                 .removed = cells_of(setting, group),
                 .points = points});
  }
  tell_step(StageKind::kFall, setting, board, [&](auto& any) { any.fall(group); }, stages);
  tell_step(StageKind::kCollapse, setting, board, [](auto& any) { any.collapse(); }, stages);
  return points;
}

}  // namespace tesela::samegame
