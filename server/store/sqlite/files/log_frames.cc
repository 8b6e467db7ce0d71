#include "server/store/sqlite/files/log_frames.h"

#include <bit>
#include <cstring>

namespace tesela::store {
namespace {

constexpr std::uint32_t kMagic = 0x377f0682;  // the lowest bit: the words are big-endian
constexpr std::uint32_t kFormat = 3007000;
constexpr std::size_t kSummedOfHeader = 8;

std::uint32_t native_word(const char* at) {
  std::uint32_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

template <bool kSwapped>
LogSum sum_words(LogSum sum, std::string_view bytes) {
  const auto word = [&](std::size_t at) {
    const std::uint32_t stored = native_word(bytes.data() + at);
    return kSwapped ? __builtin_bswap32(stored) : stored;
  };
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    sum.first += word(at) + sum.second;
    sum.second += word(at + 4) + sum.first;
  }
  return sum;
}

bool is_native(WordOrder order) {
  return (order == WordOrder::kLittleEndian) == (std::endian::native == std::endian::little);
}

/// What a bit of a word changes in the sum when it is set: `factor` times its value.
struct Effect {
  LogSum factor;
  LogSum change;
};

/// The bit of `word` that changes a sum by `change` when it has its other value.
std::optional<unsigned> bit_of(std::uint32_t word, const Effect& effect) {
  for (unsigned bit = 0; bit < 32; ++bit) {
    const std::uint32_t value = std::uint32_t{1} << bit;
    const std::uint32_t added = (word & value) != 0 ? 0U - value : value;
    if (effect.factor.first * added == effect.change.first &&
        effect.factor.second * added == effect.change.second) {
      return bit;
    }
  }
  return std::nullopt;
}

}  // namespace

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  const std::uint32_t word = native_word(bytes.data() + at);
  return std::endian::native == std::endian::little ? __builtin_bswap32(word) : word;
}

LogSum sum_at(std::string_view bytes, std::size_t at) {
  return {word_at(bytes, at), word_at(bytes, at + 4)};
}

std::uint64_t salts_at(std::string_view bytes, std::size_t at) {
  return std::uint64_t{word_at(bytes, at)} << 32U | word_at(bytes, at + 4);
}

LogSum sum_of(LogSum before, std::string_view bytes, WordOrder order) {
  return is_native(order) ? sum_words<false>(before, bytes) : sum_words<true>(before, bytes);
}

LogSum sum_of_frame(LogSum before, std::string_view frame, WordOrder order) {
  const LogSum after_header = sum_of(before, frame.substr(0, kSummedOfHeader), order);
  return sum_of(after_header, frame.substr(kFrameHeaderBytes), order);
}

std::optional<std::size_t> turned_bit(std::string_view bytes, LogSum found, LogSum stated,
                                      WordOrder order) {
  const LogSum change{stated.first - found.first, stated.second - found.second};
  // What an even and an odd word add to the sum; each pair behind them adds again.
  LogSum even{1, 1};
  LogSum odd{0, 1};
  const auto one_more_pair = [](LogSum& sum) {
    sum.first += sum.second;
    sum.second += sum.first;
  };
  for (std::size_t at = bytes.size() - bytes.size() % 8; at >= 8; at -= 8) {
    for (const std::size_t word : {at - 8, at - 4}) {
      const std::uint32_t stored = native_word(bytes.data() + word);
      const std::uint32_t value = is_native(order) ? stored : __builtin_bswap32(stored);
      const auto bit = bit_of(value, {word == at - 8 ? even : odd, change});
      if (!bit) continue;
      const std::size_t byte = order == WordOrder::kLittleEndian ? *bit / 8 : 3 - *bit / 8;
      return (word + byte) * 8 + *bit % 8;
    }
    one_more_pair(even);
    one_more_pair(odd);
  }
  return std::nullopt;
}

std::optional<LogHeader> LogHeader::read(std::string_view bytes) {
  if (bytes.size() < kLogHeaderBytes) return std::nullopt;
  const std::uint32_t magic = word_at(bytes, 0);
  const std::size_t page_bytes = word_at(bytes, 8);
  LogHeader header{.order = (magic & 1U) != 0 ? WordOrder::kBigEndian : WordOrder::kLittleEndian,
                   .page_bytes = page_bytes,
                   .salts = salts_at(bytes, 16),
                   .sum = sum_at(bytes, kHeaderSumAt)};
  const bool usable = (magic & ~1U) == kMagic && word_at(bytes, 4) == kFormat &&
                      std::has_single_bit(page_bytes) && page_bytes >= 512 && page_bytes <= 65536;
  if (!usable || sum_of({}, bytes.substr(0, kHeaderSumAt), header.order) != header.sum) {
    return std::nullopt;
  }
  return header;
}

}  // namespace tesela::store
