// What the fields of a log are coded with: numbers, bytes and texts, each with probabilities of its
// own (server/store/FORMAT.md, "Packed logs"). Every function codes in both directions: a Coder is
// a RangeEncoder or a RangeDecoder.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "server/archive/range_coder.h"

namespace tesela::archive {

template <class Coder>
bool code_bit(Coder& coder, BitModel& model, bool bit) {
  const bool coded = coder.bit(model.chance(), bit);
  model.learn(coded);
  return coded;
}

/// The last `count` bits of a number that cannot be predicted.
template <class Coder>
std::uint64_t code_random(Coder& coder, std::uint64_t value, unsigned count) {
  std::uint64_t coded = 0;
  while (count-- > 0) coded = coded << 1U | (coder.bit(2048, (value >> count & 1U) != 0) ? 1U : 0U);
  return coded;
}

/// Values of `Bits` bits, the highest first, each bit under those before it.
template <unsigned Bits>
class SymbolModel {
 public:
  template <class Coder>
  std::uint8_t code(Coder& coder, std::uint8_t value) {
    std::uint32_t node = 1;
    for (unsigned i = Bits; i-- > 0;) {
      node = node << 1U | (code_bit(coder, nodes_[node], (value >> i & 1U) != 0) ? 1U : 0U);
    }
    return static_cast<std::uint8_t>(node - (1U << Bits));
  }

 private:
  std::array<BitModel, std::size_t{1} << Bits> nodes_;
};

/// Any number: its width in unary, then the bits below its highest, three of them under those
/// before, the others by their place.
class NumberModel {
 public:
  template <class Coder>
  std::uint64_t code(Coder& coder, std::uint64_t value) {
    const auto true_width = static_cast<unsigned>(std::bit_width(value));
    unsigned width = 0;
    while (width < 64 && code_bit(coder, wider_[width], width < true_width)) ++width;
    if (width < 2) return width;
    std::uint64_t coded = 1;
    for (unsigned i = width - 1; i-- > 0;) {
      BitModel& model = coded < kUnder ? upper_[width][coded] : lower_[i];
      coded = coded << 1U | (code_bit(coder, model, (value >> i & 1U) != 0) ? 1U : 0U);
    }
    return coded;
  }

 private:
  static constexpr std::uint64_t kUnder = 8;

  std::array<BitModel, 64> wider_;
  std::array<std::array<BitModel, kUnder>, 65> upper_;
  std::array<BitModel, 64> lower_;
};

/// Signed differences as numbers: 0, -1, 1, -2 … are 0, 1, 2, 3 …
[[nodiscard]] constexpr std::uint64_t folded(std::uint64_t difference) {
  return difference << 1U ^ (0 - (difference >> 63U));
}
[[nodiscard]] constexpr std::uint64_t unfolded(std::uint64_t number) {
  return number >> 1U ^ (0 - (number & 1U));
}

/// The bytes that texts may still have: what is decoded may be made by anybody.
class Allowance {
 public:
  explicit Allowance(std::uint64_t bytes) : left_(bytes) {}

  /// Takes bytes, or nothing: then `exceeded` from now on.
  bool take(std::uint64_t bytes) {
    exceeded_ = exceeded_ || bytes > left_;
    if (!exceeded_) left_ -= bytes;
    return !exceeded_;
  }
  /// What was decoded is nothing that an encoder writes.
  void fail() { exceeded_ = true; }
  [[nodiscard]] bool exceeded() const { return exceeded_; }

 private:
  std::uint64_t left_;
  bool exceeded_{false};
};

/// Texts of any bytes.
class TextModel {
 public:
  template <class Coder>
  void code(Coder& coder, std::string& text, Allowance& allowance) {
    const std::uint64_t length = lengths_.code(coder, text.size());
    if (!allowance.take(length)) return;
    text.resize(length);
    for (char& byte : text) {
      byte = static_cast<char>(bytes_.code(coder, static_cast<std::uint8_t>(byte)));
    }
  }

 private:
  NumberModel lengths_;
  SymbolModel<8> bytes_;
};

/// Two guesses at each bit of a byte, by a narrow and by a wide context, of which the one that has
/// seen more counts more.
class ByteMixer {
 public:
  template <class Coder>
  std::uint8_t code(Coder& coder, std::uint32_t wide, std::uint32_t narrow, std::uint8_t value) {
    std::uint32_t node = 1;
    for (unsigned i = 8; i-- > 0;) {
      BitModel& a = wide_[slot(wide, node)];
      BitModel& b = narrow_[slot(narrow, node)];
      const bool bit = coder.bit(mixed(a, b), (value >> i & 1U) != 0);
      a.learn(bit);
      b.learn(bit);
      node = node << 1U | (bit ? 1U : 0U);
    }
    return static_cast<std::uint8_t>(node);
  }

 private:
  static constexpr unsigned kSlotBits = 14;

  static std::size_t slot(std::uint32_t context, std::uint32_t node) {
    return (context * 256 + node) * 0x9e3779b1U >> (32 - kSlotBits);
  }
  static std::uint32_t mixed(const BitModel& wide, const BitModel& narrow) {
    const std::uint32_t weight_wide = wide.seen() + 1;
    const std::uint32_t weight_narrow = kNarrowWeight * narrow.seen();
    return (wide.chance() * weight_wide + narrow.chance() * weight_narrow) /
           (weight_wide + weight_narrow);
  }
  static constexpr std::uint32_t kNarrowWeight = 4;

  std::vector<BitModel> wide_{std::size_t{1} << kSlotBits};
  std::vector<BitModel> narrow_{std::size_t{1} << kSlotBits};
};

}  // namespace tesela::archive
