// A set of cells of a board as bits: one column after the other from the left, in each column from
// the bottom.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tesela::samegame {

/// `kColumns` columns of `kColumnBits` bits. The highest bit of a column never has a tile, so that
/// `up` and `down` may shift across the end of a column: such a bit is removed by intersecting with
/// the tiles.
template <unsigned kColumnBits, unsigned kColumns>
class CellSet {
 public:
  /// Of a cell: column * kColumnBits + height, the height from 0 at the bottom.
  using Place = unsigned;

  static constexpr std::size_t kWords = std::size_t{kColumnBits} * kColumns / 64;

  [[nodiscard]] static constexpr CellSet of(Place place) {
    CellSet set;
    set.words_[place / 64] = std::uint64_t{1} << (place % 64);
    return set;
  }

  [[nodiscard]] static constexpr Place place(unsigned column, unsigned height) {
    return column * kColumnBits + height;
  }
  [[nodiscard]] static constexpr unsigned column_of(Place place) { return place / kColumnBits; }
  [[nodiscard]] static constexpr unsigned height_of(Place place) { return place % kColumnBits; }

  /// The bottom cell of every column.
  [[nodiscard]] static constexpr CellSet bottom() {
    CellSet set;
    for (unsigned column = 0; column < kColumns; ++column) {
      set |= of(place(column, 0));
    }
    return set;
  }

  [[nodiscard]] constexpr bool contains(Place place) const {
    return (words_[place / 64] >> (place % 64) & 1U) != 0;
  }

  /// Adds the cell if `present` is 1, and nothing if it is 0.
  constexpr void add(Place place, std::uint64_t present) {
    words_[place / 64] |= present << (place % 64);
  }

  [[nodiscard]] constexpr bool empty() const {
    std::uint64_t any = 0;
    for (const std::uint64_t word : words_) {
      any |= word;
    }
    return any == 0;
  }

  [[nodiscard]] constexpr std::uint32_t size() const {
    // Not std::popcount of each word, which is a call where the processor need not have one.
    std::uint64_t bytes = 0;
    for (const std::uint64_t word : words_) {
      const std::uint64_t pairs = word - (word >> 1 & 0x5555555555555555);
      const std::uint64_t nibbles =
          (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333);
      bytes += (nibbles + (nibbles >> 4)) & 0x0f0f0f0f0f0f0f0f;
    }
    static_assert(kWords * 8 < 256);
    const std::uint64_t halves = (bytes & 0x00ff00ff00ff00ff) + (bytes >> 8 & 0x00ff00ff00ff00ff);
    return static_cast<std::uint32_t>(halves * 0x0001000100010001 >> 48);
  }

  /// The first cell in the order of places. The set is not empty.
  [[nodiscard]] constexpr Place first() const {
    std::size_t index = 0;
    while (words_[index] == 0) {
      ++index;
    }
    return static_cast<Place>(64 * index) + static_cast<Place>(std::countr_zero(words_[index]));
  }

  /// The `nth` cell, from 0, in the order of places. `nth` is less than size().
  [[nodiscard]] constexpr Place nth(std::uint32_t nth) const {
    Place first = 0;
    std::size_t index = 0;
    for (;; ++index, first += 64) {
      const auto count = static_cast<std::uint32_t>(std::popcount(words_[index]));
      if (nth < count) {
        break;
      }
      nth -= count;
    }
    std::uint64_t word = words_[index];
    for (; nth != 0; --nth) {
      word &= word - 1;
    }
    return first + static_cast<Place>(std::countr_zero(word));
  }

  /// Calls sink(place) for every cell, in the order of places.
  template <class Sink>
  constexpr void each(Sink&& sink) const {
    for (std::size_t index = 0; index < kWords; ++index) {
      for (std::uint64_t word = words_[index]; word != 0; word &= word - 1) {
        sink(static_cast<Place>(64 * index) + static_cast<Place>(std::countr_zero(word)));
      }
    }
  }

  /// The cells above, below, and in the columns to the left and to the right of those of the set.
  [[nodiscard]] constexpr CellSet up() const {
    return made([this](std::size_t i) { return words_[i] << 1; });
  }
  [[nodiscard]] constexpr CellSet down() const {
    return made([this](std::size_t i) { return words_[i] >> 1; });
  }
  [[nodiscard]] constexpr CellSet left() const {
    return made([this](std::size_t i) {
      const std::uint64_t next = i + 1 < kWords ? words_[i + 1] : 0;
      return words_[i] >> kColumnBits | next << (64 - kColumnBits);
    });
  }
  [[nodiscard]] constexpr CellSet right() const {
    return made([this](std::size_t i) {
      const std::uint64_t previous = i != 0 ? words_[i - 1] : 0;
      return words_[i] << kColumnBits | previous >> (64 - kColumnBits);
    });
  }

  [[nodiscard]] constexpr CellSet operator&(const CellSet& other) const {
    return made([&](std::size_t i) { return words_[i] & other.words_[i]; });
  }
  [[nodiscard]] constexpr CellSet operator|(const CellSet& other) const {
    return made([&](std::size_t i) { return words_[i] | other.words_[i]; });
  }
  [[nodiscard]] constexpr CellSet operator^(const CellSet& other) const {
    return made([&](std::size_t i) { return words_[i] ^ other.words_[i]; });
  }
  /// The cells of this set that are not in the `other`.
  [[nodiscard]] constexpr CellSet operator-(const CellSet& other) const {
    return made([&](std::size_t i) { return words_[i] & ~other.words_[i]; });
  }
  constexpr CellSet& operator|=(const CellSet& other) { return *this = *this | other; }
  constexpr CellSet& operator-=(const CellSet& other) { return *this = *this - other; }

  /// The words that hold the bits, 64 each.
  [[nodiscard]] constexpr std::uint64_t word(std::size_t index) const { return words_[index]; }
  constexpr void set_word(std::size_t index, std::uint64_t word) { words_[index] = word; }

  /// A column as a number: bit n is the cell of height n.
  [[nodiscard]] constexpr std::uint64_t column(unsigned column) const {
    const Place bottom = place(column, 0);
    return words_[bottom / 64] >> (bottom % 64) & kColumn;
  }
  constexpr void set_column(unsigned column, std::uint64_t bits) {
    const Place bottom = place(column, 0);
    std::uint64_t& word = words_[bottom / 64];
    word = (word & ~(kColumn << (bottom % 64))) | bits << (bottom % 64);
  }

  friend constexpr bool operator==(const CellSet&, const CellSet&) = default;

 private:
  static constexpr std::uint64_t kColumn = (std::uint64_t{1} << kColumnBits) - 1;
  static_assert(64 % kColumnBits == 0 && kColumnBits < 64 && kColumnBits * kColumns % 64 == 0);

  template <class Word>
  [[nodiscard]] static constexpr CellSet made(Word&& word) {
    CellSet set;
    for (std::size_t i = 0; i < kWords; ++i) {
      set.words_[i] = word(i);
    }
    return set;
  }

  std::array<std::uint64_t, kWords> words_{};
};

}  // namespace tesela::samegame
