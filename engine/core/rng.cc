#include "engine/core/rng.h"

#include <algorithm>
#include <span>

namespace tesela {

namespace {

constexpr std::array<std::uint32_t, 4> kConstants{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
constexpr int kDoubleRounds = 10;

using Key = std::array<std::uint32_t, 8>;

/// `W` is one word, or the same word of several blocks side by side.
template <class W>
[[gnu::always_inline]] inline void rotate(W& word, int bits) {
  word = (word << bits) | (word >> (32 - bits));
}

template <class W>
[[gnu::always_inline]] inline void quarter_round(W& a, W& b, W& c, W& d) {
  a += b, d ^= a, rotate(d, 16);
  c += d, b ^= c, rotate(b, 12);
  a += b, d ^= a, rotate(d, 8);
  c += d, b ^= c, rotate(b, 7);
}

/// RFC 8439, section 2.3: twenty rounds, then the input is added to what they gave.
template <class W>
[[gnu::always_inline]] inline void permute(std::array<W, 16>& x) {
  const std::array<W, 16> input = x;
  for (int round = 0; round < kDoubleRounds; ++round) {
    quarter_round(x[0], x[4], x[8], x[12]);
    quarter_round(x[1], x[5], x[9], x[13]);
    quarter_round(x[2], x[6], x[10], x[14]);
    quarter_round(x[3], x[7], x[11], x[15]);
    quarter_round(x[0], x[5], x[10], x[15]);
    quarter_round(x[1], x[6], x[11], x[12]);
    quarter_round(x[2], x[7], x[8], x[13]);
    quarter_round(x[3], x[4], x[9], x[14]);
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] += input[i];
  }
}

/// The same on every platform, whatever its byte order.
std::uint32_t little_endian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 |
         std::uint32_t{bytes[3]} << 24;
}

/// The same word of as many blocks as fit into `kBytes`, side by side.
template <std::size_t kBytes>
struct Lanes {
  using Word [[gnu::vector_size(kBytes)]] = std::uint32_t;
  static constexpr std::size_t kCount = kBytes / sizeof(std::uint32_t);
};

/// Computes the blocks from `block` on, and writes their words in the order of the stream.
template <std::size_t kBytes>
[[gnu::always_inline]] inline void compute(const Key& key, std::uint64_t block,
                                           std::span<std::uint32_t> words) {
  using Word = typename Lanes<kBytes>::Word;
  constexpr std::size_t kLanes = Lanes<kBytes>::kCount;
  for (; !words.empty(); words = words.subspan(kLanes * 16), block += kLanes) {
    std::array<Word, 16> x{};
    for (std::size_t i = 0; i < 4; ++i) {
      x[i] = Word{} + kConstants[i];
    }
    for (std::size_t i = 0; i < 8; ++i) {
      x[4 + i] = Word{} + key[i];
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      x[12][lane] = static_cast<std::uint32_t>(block + lane);
      x[13][lane] = static_cast<std::uint32_t>((block + lane) >> 32);
    }
    permute(x);
    for (std::size_t i = 0; i < 16; ++i) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        words[lane * 16 + i] = x[i][lane];
      }
    }
  }
}

using Compute = void(const Key& key, std::uint64_t block, std::span<std::uint32_t> words);

#ifdef __x86_64__
[[gnu::target("avx2")]] void compute_avx2(const Key& key, std::uint64_t block,
                                          std::span<std::uint32_t> words) {
  compute<32>(key, block, words);
}
[[gnu::target("avx512f")]] void compute_avx512(const Key& key, std::uint64_t block,
                                               std::span<std::uint32_t> words) {
  compute<64>(key, block, words);
}
#endif

}  // namespace

ChaChaBlock chacha20_block(const Seed& key, std::uint32_t counter,
                           const std::array<std::uint8_t, 12>& nonce) {
  ChaChaBlock x{};
  std::copy(kConstants.begin(), kConstants.end(), x.begin());
  for (std::size_t i = 0; i < 8; ++i) {
    x[4 + i] = little_endian(&key[4 * i]);
  }
  x[12] = counter;
  for (std::size_t i = 0; i < 3; ++i) {
    x[13 + i] = little_endian(&nonce[4 * i]);
  }
  permute(x);
  return x;
}

Rng::Rng(const Seed& seed) : words_{}, key_{}, block_{0}, next_{kBatchWords} {
  for (std::size_t i = 0; i < key_.size(); ++i) {
    key_[i] = little_endian(&seed[4 * i]);
  }
}

void Rng::refill() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f")) {
    compute_avx512(key_, block_, words_);
  } else if (__builtin_cpu_supports("avx2")) {
    compute_avx2(key_, block_, words_);
  } else {
    compute<16>(key_, block_, words_);
  }
#else
  compute<16>(key_, block_, words_);
#endif
  block_ += kBatchBlocks;
  next_ = 0;
}

}  // namespace tesela
