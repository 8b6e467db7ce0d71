// The rule of a move on a board of bits (R-SG-2, R-SG-3). This is the only place where it stands:
// small boards and large ones run it, and so do the boards of numbers that tell a client which tile
// went where.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/samegame/cell_set.h"

namespace tesela::samegame {

/// Holds a number in every cell: 0 where it is empty, otherwise a colour, below 2^kPlanes. Plane p
/// is the set of the cells in whose number bit p is set.
template <unsigned kColumnBits, unsigned kColumns, unsigned kPlanes>
class Board {
 public:
  using Set = CellSet<kColumnBits, kColumns>;
  using Place = typename Set::Place;

  static constexpr unsigned kRowsMax = kColumnBits - 1;
  static constexpr unsigned kColumnsMax = kColumns;
  static constexpr unsigned kNumberMax = (1U << kPlanes) - 1;

  [[nodiscard]] static constexpr bool has_room(unsigned rows, unsigned columns, unsigned colours) {
    return rows <= kRowsMax && columns <= kColumnsMax && colours <= kNumberMax;
  }

  /// How many places there are.
  static constexpr unsigned kPlaces = kColumnBits * kColumns;
  /// Of the same size, with room for what `of_places` puts there.
  using Numbered = Board<kColumnBits, kColumns, std::bit_width(kPlaces)>;

  /// Each of the `tiles` holds the number of its place, plus kPlaces, so that none is 0.
  [[nodiscard]] static constexpr Board of_places(const Set& tiles)
    requires(std::bit_width(kPlaces) == kPlanes)
  {
    Board board;
    for (std::size_t index = 0; index < Set::kWords; ++index) {
      for (unsigned plane = 0; plane < kPlanes; ++plane) {
        board.planes_[plane].set_word(index, places_with(plane, index) & tiles.word(index));
      }
    }
    return board;
  }

  [[nodiscard]] constexpr unsigned number(Place place) const {
    unsigned number = 0;
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      number |= (planes_[plane].contains(place) ? 1U : 0U) << plane;
    }
    return number;
  }

  /// Fills an empty cell.
  constexpr void put(Place place, unsigned number) {
    // Without a branch: which colour is drawn cannot be foreseen.
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      planes_[plane].add(place, number >> plane & 1U);
    }
  }

  /// The cells that hold a tile.
  [[nodiscard]] constexpr Set tiles() const {
    Set tiles;
    for (const Set& plane : planes_) {
      tiles |= plane;
    }
    return tiles;
  }

  /// The cells that hold `number`, which is not 0.
  [[nodiscard]] constexpr Set tiles_of(unsigned number) const {
    Set equal = tiles();
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      equal = (number >> plane & 1U) != 0 ? equal & planes_[plane] : equal - planes_[plane];
    }
    return equal;
  }

  /// The cells in which the two hold different numbers.
  [[nodiscard]] constexpr Set unlike(const Board& other) const {
    Set unlike;
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      unlike |= planes_[plane] ^ other.planes_[plane];
    }
    return unlike;
  }

  /// The cells whose group has at least two: those with a neighbour of their colour (R-SG-2).
  [[nodiscard]] constexpr Set playable() const {
    Set tiles;
    Set unlike_above;
    Set unlike_right;
    for (const Set& plane : planes_) {
      tiles |= plane;
      unlike_above |= plane ^ plane.down();
      unlike_right |= plane ^ plane.left();
    }
    const Set like_above = tiles - unlike_above;
    const Set like_right = tiles - unlike_right;
    return like_above | like_above.up() | like_right | like_right.right();
  }

  /// The tiles of the colour in `place`, which is not empty, that hang together with it (R-SG-2).
  [[nodiscard]] constexpr Set group(Place place) const {
    // Most groups are in one word or two: only those words are looked at.
    const unsigned colour = number(place);
    std::size_t first = place / 64;
    std::size_t last = first;
    Set group = Set::of(place);
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t index = first; index <= last; ++index) {
        const std::uint64_t before = group.word(index);
        const std::uint64_t filled = filled_word(index, colour, before | beside(group, index));
        group.set_word(index, filled);
        grown = grown || (filled != before && first != last);
      }
      if (first > 0 && (beside(group, first - 1) & word_of(first - 1, colour)) != 0) {
        --first;
        grown = true;
      }
      if (last + 1 < Set::kWords && (beside(group, last + 1) & word_of(last + 1, colour)) != 0) {
        ++last;
        grown = true;
      }
    }
    return group;
  }

  /// Empties the cells (R-SG-3).
  constexpr void remove(const Set& cells) {
    for (Set& plane : planes_) {
      plane -= cells;
    }
  }

  /// What stands above the `removed` cells sinks by as many of them as are below it (R-SG-3).
  constexpr void fall(const Set& removed) {
    for (std::size_t index = 0; index < Set::kWords; ++index) {
      // From the top down, so that no cell still to come has moved.
      for (std::uint64_t left = removed.word(index); left != 0;) {
        const std::uint64_t gap = std::bit_floor(left);
        left ^= gap;
        sink(index, gap);
      }
    }
  }

  /// The columns that hold tiles close up to the left, over all the empty ones (R-SG-3). In every
  /// column the tiles must have fallen.
  constexpr void collapse() {
    const Set filled = tiles() & Set::bottom();
    const Set after_gap = filled - filled.right() - Set::of(Set::place(0, 0));
    if (after_gap.empty()) {
      return;
    }
    unsigned to = 0;
    for (unsigned from = 0; from < kColumns; ++from) {
      if (filled.column(from) != 0) {
        move_column(from, to++);
      }
    }
  }

  friend constexpr bool operator==(const Board&, const Board&) = default;

 private:
  static constexpr std::uint64_t kLowestBits = Set::bottom().word(0);

  /// The bits of word `index` of a set that stand for places in whose number, plus kPlaces, bit
  /// `bit` is set.
  [[nodiscard]] static constexpr std::uint64_t places_with(unsigned bit, std::size_t index) {
    constexpr std::array<std::uint64_t, 6> kWithin{0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc,
                                                   0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00,
                                                   0xffff0000ffff0000, 0xffffffff00000000};
    if (bit < kWithin.size()) {
      return kWithin[bit];
    }
    return ((kPlaces / 64 + index) >> (bit - kWithin.size()) & 1U) != 0 ? ~std::uint64_t{0} : 0;
  }

  /// The cells above the `gap`, one bit of word `index`, come down by one.
  constexpr void sink(std::size_t index, std::uint64_t gap) {
    // Without a next column in the word `next_column` is 0, and 0 - 1 has every bit.
    const std::uint64_t column_ends = kLowestBits & -(gap << 1);
    const std::uint64_t next_column = column_ends & -column_ends;
    const std::uint64_t above = (next_column - 1) & -(gap << 1);
    for (Set& plane : planes_) {
      const std::uint64_t word = plane.word(index);
      plane.set_word(index, (word & ~(above | gap)) | (word & above) >> 1);
    }
  }

  /// Word `index` of tiles_of(`number`).
  [[nodiscard]] constexpr std::uint64_t word_of(std::size_t index, unsigned number) const {
    std::uint64_t equal = ~std::uint64_t{0};
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      const std::uint64_t word = planes_[plane].word(index);
      equal &= (number >> plane & 1U) != 0 ? word : ~word;
    }
    return equal;
  }

  /// The cells of word `index` beside those of a set in the words before and after it.
  [[nodiscard]] static constexpr std::uint64_t beside(const Set& set, std::size_t index) {
    constexpr unsigned kLastColumn = 64 - kColumnBits;
    const std::uint64_t before = index != 0 ? set.word(index - 1) >> kLastColumn : 0;
    const std::uint64_t after = index + 1 < Set::kWords ? set.word(index + 1) << kLastColumn : 0;
    return before | after;
  }

  /// The tiles of a colour in word `index` that hang together with those of `seeds` in that word.
  [[nodiscard]] constexpr std::uint64_t filled_word(std::size_t index, unsigned colour,
                                                    std::uint64_t seeds) const {
    const std::uint64_t tiles = word_of(index, colour);
    std::uint64_t filled = seeds & tiles;
    for (;;) {
      const std::uint64_t next =
          (filled | filled << 1 | filled >> 1 | filled << kColumnBits | filled >> kColumnBits) &
          tiles;
      if (next == filled) {
        return filled;
      }
      filled = next;
    }
  }

  constexpr void move_column(unsigned from, unsigned to) {
    if (from == to) {
      return;
    }
    for (Set& plane : planes_) {
      plane.set_column(to, plane.column(from));
      plane.set_column(from, 0);
    }
  }

  std::array<Set, kPlanes> planes_{};
};

/// Up to 15 rows, 16 columns and 7 colours in 96 bytes: the board of searches and simulations.
using SmallBoard = Board<16, 16, 3>;
/// Every board there is (R-SG-1).
using LargeBoard = Board<32, 32, 4>;

}  // namespace tesela::samegame
