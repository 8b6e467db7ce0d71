// The groups of a board, kept while a game is played on: for searches that look at all of them
// before each move.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/core/game.h"
#include "engine/samegame/board.h"
#include "engine/samegame/removal.h"
#include "engine/samegame/samegame.h"

namespace tesela::samegame {

/// A group as a search sees it.
template <class AnyBoard>
struct KnownGroup {
  typename AnyBoard::Set cells;
  std::uint32_t hash;  // of cells and colour
  std::uint16_t size;
  std::uint16_t colour;
};

/// A position and its groups. In no particular order, but always the same after the same moves.
template <class AnyBoard>
class GroupList {
 public:
  using Set = typename AnyBoard::Set;
  using Known = KnownGroup<AnyBoard>;

  /// Every group has two cells at least.
  static constexpr std::size_t kGroupsMax = AnyBoard::kPlaces / 2;

  explicit GroupList(const StateOn<AnyBoard>& s) : s_{s} { find(s_.board.playable()); }

  [[nodiscard]] const StateOn<AnyBoard>& state() const { return s_; }
  [[nodiscard]] std::span<const Known> groups() const { return std::span{groups_}.first(count_); }

  /// Removes the group with this index.
  void play(std::size_t index) {
    const Set cells = groups_[index].cells;
    const unsigned columns_before = columns_in_use();
    const NoStages untold;
    s_.points += remove_group(s_.setting, s_.board, cells, untold);
    if (columns_in_use() != columns_before) {
      count_ = 0;
      find(s_.board.playable());
      return;
    }
    // Only groups in the columns of the move, or beside them, can be others now.
    const Set near = columns_near(cells);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if ((groups_[i].cells & near).empty()) {
        groups_[kept++] = groups_[i];
      }
    }
    count_ = kept;
    find(s_.board.playable() & near);
  }

 private:
  [[nodiscard]] unsigned columns_in_use() const {
    return (s_.board.tiles() & Set::bottom()).size();
  }

  /// All cells of the columns of `cells` and of the columns beside them.
  [[nodiscard]] static Set columns_near(const Set& cells) {
    Set near;
    for (unsigned column = 0; column < AnyBoard::kColumnsMax; ++column) {
      if (cells.column(column) != 0) {
        near.set_column(column, kWholeColumn);
      }
    }
    return near | near.left() | near.right();
  }

  /// Adds the groups that `cells`, all of them in groups, belong to.
  void find(Set cells) {
    while (!cells.empty()) {
      const auto place = cells.nth(0);
      const Set group = s_.board.group(place);
      const unsigned colour = s_.board.number(place);
      cells -= group;
      groups_[count_++] = {.cells = group,
                           .hash = hash_of(group, colour),
                           .size = static_cast<std::uint16_t>(group.size()),
                           .colour = static_cast<std::uint16_t>(colour)};
    }
  }

  [[nodiscard]] static std::uint32_t hash_of(const Set& cells, unsigned colour) {
    std::uint64_t hash = colour;
    for (std::size_t index = 0; index < Set::kWords; ++index) {
      hash = (hash ^ cells.word(index)) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32U;
    }
    return static_cast<std::uint32_t>(hash);
  }

  static constexpr std::uint64_t kWholeColumn = (std::uint64_t{1} << (AnyBoard::kRowsMax + 1)) - 1;

  StateOn<AnyBoard> s_;
  std::size_t count_{0};
  std::array<Known, kGroupsMax> groups_;
};

}  // namespace tesela::samegame
