// Binary arithmetic coding with adaptive probabilities (server/store/FORMAT.md, "Packed logs"). The
// bytes are a durable format: nothing here may change without a new format number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tesela::archive {

/// The probability that a bit is 1, learned from the bits before: their frequency, with less and
/// less weight for those long ago.
class BitModel {
 public:
  /// In 4096ths, from 1 to 4095.
  [[nodiscard]] std::uint32_t chance() const;
  /// How many bits were learned, at most kSeenMax.
  [[nodiscard]] std::uint32_t seen() const { return state_ & kSeenMask; }
  void learn(bool bit);

 private:
  static constexpr std::uint32_t kSeenMask = 0x3ff;
  static constexpr std::uint32_t kSeenMax = 255;
  /// 2^17 / (2 * seen + 3).
  static constexpr auto kRates = [] {
    std::array<std::int64_t, kSeenMax + 1> rates{};
    for (std::uint32_t seen = 0; seen <= kSeenMax; ++seen) rates[seen] = (1 << 17) / (2 * seen + 3);
    return rates;
  }();

  std::uint32_t state_{1U << 31U};  // 22 bits of probability, 10 bits of count
};

/// Zeros at the end of every code, which are left out.
inline constexpr std::size_t kLeftOut = 3;

/// One direction of the code: `bit` takes the bit to write and returns it.
class RangeEncoder {
 public:
  static constexpr bool kDecodes = false;

  /// Codes a bit that is 1 with `chance` / 4096.
  bool bit(std::uint32_t chance, bool value);
  /// Ends the code. The bytes that it has then.
  [[nodiscard]] std::string finish();

 private:
  void shift_low();

  std::string out_;
  std::uint64_t low_{0};
  std::uint32_t range_{0xffffffff};
  std::uint8_t cache_{0};
  std::uint64_t cached_{0};  // bytes that a carry may still change: `cache_` and bytes of 0xff
  bool first_{true};
};

/// The other direction: `bit` ignores its argument and returns the bit that is read. Any bytes can
/// be decoded.
class RangeDecoder {
 public:
  static constexpr bool kDecodes = true;

  /// The bytes outlive it.
  explicit RangeDecoder(std::string_view bytes);

  bool bit(std::uint32_t chance, bool ignored);
  /// Whether more was read than an encoder has written: zeros, without end.
  [[nodiscard]] bool overrun() const { return next_ > bytes_.size() + kLeftOut; }
  /// Whether exactly the bytes were read.
  [[nodiscard]] bool at_end() const { return next_ == bytes_.size() + kLeftOut; }

 private:
  std::uint8_t byte();

  std::string_view bytes_;
  std::size_t next_{0};  // may be beyond the end
  std::uint32_t range_{0xffffffff};
  std::uint32_t code_{0};
};

inline std::uint32_t BitModel::chance() const {
  const std::uint32_t chance = state_ >> 20U;
  return chance == 0 ? 1 : chance;
}

inline void BitModel::learn(bool bit) {
  // The n-th bit counts 1 / (n + 1.5): the estimate of Krichevsky and Trofimov.
  const std::uint32_t seen = state_ & kSeenMask;
  const std::int64_t probability = state_ >> 10U;
  const std::int64_t target = bit ? (1 << 22) - 1 : 0;
  const std::int64_t moved = probability + ((target - probability) * kRates[seen] >> 16);
  state_ = static_cast<std::uint32_t>(moved) << 10U | (seen < kSeenMax ? seen + 1 : seen);
}

inline bool RangeEncoder::bit(std::uint32_t chance, bool value) {
  const std::uint32_t bound = (range_ >> 12U) * chance;
  if (value) {
    range_ = bound;
  } else {
    low_ += bound;
    range_ -= bound;
  }
  while (range_ < 1U << 24U) {
    range_ <<= 8U;
    shift_low();
  }
  return value;
}

inline bool RangeDecoder::bit(std::uint32_t chance, bool /*ignored*/) {
  const std::uint32_t bound = (range_ >> 12U) * chance;
  const bool value = code_ < bound;
  if (value) {
    range_ = bound;
  } else {
    code_ -= bound;
    range_ -= bound;
  }
  while (range_ < 1U << 24U) {
    range_ <<= 8U;
    code_ = code_ << 8U | byte();
  }
  return value;
}

inline std::string RangeEncoder::finish() {
  // The range has at least 2^24 numbers, so one of them ends with three zero bytes.
  constexpr std::uint64_t kLast = (1U << 24U) - 1;
  low_ = (low_ + kLast) & ~kLast;
  for (int i = 0; i < 5; ++i) shift_low();
  out_.resize(out_.size() - kLeftOut);
  return std::move(out_);
}

inline void RangeEncoder::shift_low() {
  const bool carry = low_ >> 32U != 0;
  if (low_ < 0xff000000U || carry) {
    if (!first_) out_ += static_cast<char>(cache_ + (carry ? 1 : 0));
    first_ = false;
    for (; cached_ > 0; --cached_) out_ += static_cast<char>(0xff + (carry ? 1 : 0));
    cache_ = static_cast<std::uint8_t>(low_ >> 24U);
  } else {
    ++cached_;
  }
  low_ = (low_ & 0x00ffffffU) << 8U;
}

inline RangeDecoder::RangeDecoder(std::string_view bytes) : bytes_(bytes) {
  for (int i = 0; i < 4; ++i) code_ = code_ << 8U | byte();
}

inline std::uint8_t RangeDecoder::byte() {
  const std::size_t at = next_++;
  return at < bytes_.size() ? static_cast<std::uint8_t>(bytes_[at]) : 0;
}

}  // namespace tesela::archive
