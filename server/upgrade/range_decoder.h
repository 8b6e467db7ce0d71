// Reads what an arithmetic coder with adaptive probabilities has written: the packed logs of the
// versions before the first release.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tesela::upgrade {

/// The probability that a bit is 1, learned from the bits before.
class BitModel {
 public:
  /// In 4096ths, from 1 to 4095.
  [[nodiscard]] std::uint32_t chance() const {
    const std::uint32_t chance = state_ >> 20U;
    return chance == 0 ? 1 : chance;
  }
  /// How many bits were learned, at most kSeenMax.
  [[nodiscard]] std::uint32_t seen() const { return state_ & kSeenMask; }

  void learn(bool bit) {
    const std::uint32_t seen = state_ & kSeenMask;
    const std::int64_t probability = state_ >> 10U;
    const std::int64_t target = bit ? (1 << 22) - 1 : 0;
    const std::int64_t rate = (1 << 17) / (2 * std::int64_t{seen} + 3);
    const std::int64_t moved = probability + ((target - probability) * rate >> 16);
    state_ = static_cast<std::uint32_t>(moved) << 10U | (seen < kSeenMax ? seen + 1 : seen);
  }

 private:
  static constexpr std::uint32_t kSeenMask = 0x3ff;
  static constexpr std::uint32_t kSeenMax = 255;

  std::uint32_t state_{1U << 31U};  // 22 bits of probability, 10 bits of count
};

/// Takes bytes of any origin: what it reads behind their end is zeros.
class RangeDecoder {
 public:
  /// The bytes outlive it. At most so many bytes of text are read.
  RangeDecoder(std::string_view bytes, std::uint64_t text_max)
      : bytes_(bytes), text_left_(text_max) {
    for (int i = 0; i < 4; ++i) code_ = code_ << 8U | byte();
  }

  /// A bit that is 1 with `chance` / 4096.
  bool bit(std::uint32_t chance) {
    const std::uint32_t bound = (range_ >> 12U) * chance;
    const bool value = code_ < bound;
    if (!value) code_ -= bound;
    range_ = value ? bound : range_ - bound;
    while (range_ < 1U << 24U) {
      range_ <<= 8U;
      code_ = code_ << 8U | byte();
    }
    return value;
  }
  bool bit(BitModel& model) {
    const bool value = bit(model.chance());
    model.learn(value);
    return value;
  }
  /// A number of `count` bits that were not predicted.
  std::uint64_t random(unsigned count) {
    std::uint64_t value = 0;
    while (count-- > 0) value = value << 1U | (bit(2048) ? 1U : 0U);
    return value;
  }

  /// Whether a text of so many bytes may follow; otherwise `failed` from now on.
  bool take(std::uint64_t bytes) {
    if (bytes > text_left_) return fail();
    text_left_ -= bytes;
    return true;
  }
  /// The bytes are none that an encoder has written.
  bool fail() {
    text_left_ = 0;
    failed_ = true;
    return false;
  }
  [[nodiscard]] bool failed() const { return failed_ || next_ > bytes_.size() + kLeftOut; }
  /// Whether exactly the bytes were read.
  [[nodiscard]] bool at_end() const { return next_ == bytes_.size() + kLeftOut; }

 private:
  /// Zeros at the end of every code, which are left out.
  static constexpr std::size_t kLeftOut = 3;

  std::uint8_t byte() {
    const std::size_t at = next_++;
    return at < bytes_.size() ? static_cast<std::uint8_t>(bytes_[at]) : 0;
  }

  std::string_view bytes_;
  std::size_t next_{0};  // may be beyond the end
  std::uint32_t range_{0xffffffff};
  std::uint32_t code_{0};
  std::uint64_t text_left_;
  bool failed_{false};
};

/// Values of `Bits` bits, the highest first, each bit under those before it.
template <unsigned Bits>
class SymbolModel {
 public:
  std::uint8_t read(RangeDecoder& coder) {
    std::uint32_t node = 1;
    for (unsigned i = 0; i < Bits; ++i) node = node << 1U | (coder.bit(nodes_[node]) ? 1U : 0U);
    return static_cast<std::uint8_t>(node - (1U << Bits));
  }

 private:
  std::array<BitModel, std::size_t{1} << Bits> nodes_;
};

/// Any number: its width in unary, then the bits below its highest, three of them under those
/// before, the others by their place.
class NumberModel {
 public:
  std::uint64_t read(RangeDecoder& coder) {
    unsigned width = 0;
    while (width < 64 && coder.bit(wider_[width])) ++width;
    if (width < 2) return width;
    std::uint64_t value = 1;
    for (unsigned i = width - 1; i-- > 0;) {
      BitModel& model = value < kUnder ? upper_[width][value] : lower_[i];
      value = value << 1U | (coder.bit(model) ? 1U : 0U);
    }
    return value;
  }
  /// A signed difference: 0, 1, 2, 3 … are 0, -1, 1, -2 …
  std::uint64_t read_difference(RangeDecoder& coder) {
    const std::uint64_t number = read(coder);
    return number >> 1U ^ (0 - (number & 1U));
  }

 private:
  static constexpr std::uint64_t kUnder = 8;

  std::array<BitModel, 64> wider_;
  std::array<std::array<BitModel, kUnder>, 65> upper_;
  std::array<BitModel, 64> lower_;
};

class TextModel {
 public:
  /// Empty where no text may follow.
  std::string read(RangeDecoder& coder) {
    std::string text;
    const std::uint64_t length = lengths_.read(coder);
    if (!coder.take(length)) return text;
    while (text.size() < length && !coder.failed()) {
      text += static_cast<char>(bytes_.read(coder));
    }
    return text;
  }

 private:
  NumberModel lengths_;
  SymbolModel<8> bytes_;
};

/// Two guesses at each bit of a byte, by a narrow and by a wide context, of which the one that has
/// seen more counts more.
class ByteMixer {
 public:
  std::uint8_t read(RangeDecoder& coder, std::uint32_t wide, std::uint32_t narrow) {
    std::uint32_t node = 1;
    for (int i = 0; i < 8; ++i) {
      BitModel& a = wide_[slot(wide, node)];
      BitModel& b = narrow_[slot(narrow, node)];
      const bool bit = coder.bit(mixed(a, b));
      a.learn(bit);
      b.learn(bit);
      node = node << 1U | (bit ? 1U : 0U);
    }
    return static_cast<std::uint8_t>(node);
  }

 private:
  static constexpr unsigned kSlotBits = 14;
  static constexpr std::uint32_t kNarrowWeight = 4;

  static std::size_t slot(std::uint32_t context, std::uint32_t node) {
    return (context * 256 + node) * 0x9e3779b1U >> (32 - kSlotBits);
  }
  static std::uint32_t mixed(const BitModel& wide, const BitModel& narrow) {
    const std::uint32_t weight_wide = wide.seen() + 1;
    const std::uint32_t weight_narrow = kNarrowWeight * narrow.seen();
    return (wide.chance() * weight_wide + narrow.chance() * weight_narrow) /
           (weight_wide + weight_narrow);
  }

  std::vector<BitModel> wide_{std::size_t{1} << kSlotBits};
  std::vector<BitModel> narrow_{std::size_t{1} << kSlotBits};
};

}  // namespace tesela::upgrade
