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
    const Set ground_before = ground();
    const NoStages untold;
    s_.points += remove_group(s_.setting, s_.board, cells, untold);
    if (ground() != ground_before) {  // columns have closed up
      count_ = 0;
      find(s_.board.playable());
      return;
    }
    // Only groups that have moved, or are beside such, can differ now.
    const Set near = moved_or_beside(cells);
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
  /// The tiles at the bottom.
  [[nodiscard]] Set ground() const { return s_.board.tiles() & Set::bottom(); }

  /// In each column the cells from the lowest of `removed` on, and the cells beside them.
  [[nodiscard]] static Set moved_or_beside(const Set& removed) {
    Set moved;
    for (std::size_t index = 0; index < Set::kWords; ++index) {
      std::uint64_t cells = 0;
      for (std::uint64_t left = removed.word(index); left != 0;) {
        const std::uint64_t lowest = left & -left;
        // Where no column follows in the word it is 0, and the difference reaches to its end.
        const std::uint64_t next_columns = Set::bottom().word(index) & -(lowest << 1);
        const std::uint64_t column = (next_columns & -next_columns) - lowest;
        cells |= column;
        left &= ~column;
      }
      moved.set_word(index, cells);
    }
    return moved | moved.left() | moved.right() | moved.down();
  }

  /// Adds the groups that `cells`, all of them in groups, belong to.
  void find(Set cells) {
    while (!cells.empty()) {
      const auto place = cells.first();
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

  StateOn<AnyBoard> s_;
  std::size_t count_{0};
  std::array<Known, kGroupsMax> groups_;
};

}  // namespace tesela::samegame
