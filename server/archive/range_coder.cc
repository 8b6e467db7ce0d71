#include "server/archive/range_coder.h"

#include <utility>

namespace tesela::archive {

std::string RangeEncoder::finish() {
  // The range has at least 2^24 numbers, so one of them ends with three zero bytes.
  constexpr std::uint64_t kLast = (1U << 24U) - 1;
  low_ = (low_ + kLast) & ~kLast;
  for (int i = 0; i < 5; ++i) shift_low();
  out_.resize(out_.size() - kLeftOut);
  return std::move(out_);
}

void RangeEncoder::shift_low() {
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

RangeDecoder::RangeDecoder(std::string_view bytes) : bytes_(bytes) {
  for (int i = 0; i < 4; ++i) code_ = code_ << 8U | byte();
}

std::uint8_t RangeDecoder::byte() {
  const std::size_t at = next_++;
  return at < bytes_.size() ? static_cast<std::uint8_t>(bytes_[at]) : 0;
}

}  // namespace tesela::archive
