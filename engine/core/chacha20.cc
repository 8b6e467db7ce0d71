#include "engine/core/chacha20.h"

namespace tesela {

namespace {

constexpr std::array<std::uint32_t, 4> kConstants{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
constexpr int kDoubleRounds = 10;

// `W` is one word, or the same word of several blocks side by side. Everything is inlined, so that
// it is compiled for the machine of its caller.

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

/// RFC 8439, section 2.3: twenty rounds, then the input is added to their result.
template <class W>
[[gnu::always_inline]] inline void permute(std::array<W, kChaChaBlockWords>& x) {
  const std::array<W, kChaChaBlockWords> input = x;
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

/// A word of each of `kLanes` blocks.
template <std::size_t kLanes>
struct Vector {
  using Type [[gnu::vector_size(kLanes * sizeof(std::uint32_t))]] = std::uint32_t;
};

template <std::size_t kLanes>
[[gnu::always_inline]] inline void batch(const ChaChaKey& key, std::uint64_t first,
                                         ChaChaBatch out) {
  using W = typename Vector<kLanes>::Type;
  for (std::size_t done = 0; done < kChaChaBatchBlocks; done += kLanes) {
    std::array<W, kChaChaBlockWords> x{};
    for (std::size_t i = 0; i < kConstants.size(); ++i) {
      x[i] = W{} + kConstants[i];
    }
    for (std::size_t i = 0; i < key.size(); ++i) {
      x[4 + i] = W{} + key[i];
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      x[12][lane] = static_cast<std::uint32_t>(first + done + lane);
      x[13][lane] = static_cast<std::uint32_t>((first + done + lane) >> 32);
    }
    permute(x);
    for (std::size_t i = 0; i < kChaChaBlockWords; ++i) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        out[(done + lane) * kChaChaBlockWords + i] = x[i][lane];
      }
    }
  }
}

#ifdef __x86_64__
[[gnu::target("avx2")]] void batch_avx2(const ChaChaKey& key, std::uint64_t first,
                                        ChaChaBatch out) {
  batch<8>(key, first, out);
}

[[gnu::target("avx512f")]] void batch_avx512(const ChaChaKey& key, std::uint64_t first,
                                             ChaChaBatch out) {
  batch<16>(key, first, out);
}
#endif

}  // namespace

ChaChaKey chacha20_key(const Seed& seed) {
  ChaChaKey key{};
  for (std::size_t i = 0; i < seed.size(); ++i) {
    key[i / 4] |= std::uint32_t{seed[i]} << (8 * (i % 4));
  }
  return key;
}

ChaChaBlock chacha20_block(const ChaChaKey& key, std::uint32_t counter,
                           const std::array<std::uint32_t, 3>& nonce) {
  // The block as four rows of four words: the four quarter rounds of half a double round at once.
  using Row = typename Vector<4>::Type;
  const Row first{kConstants[0], kConstants[1], kConstants[2], kConstants[3]};
  const Row second{key[0], key[1], key[2], key[3]};
  const Row third{key[4], key[5], key[6], key[7]};
  const Row fourth{counter, nonce[0], nonce[1], nonce[2]};
  Row a = first;
  Row b = second;
  Row c = third;
  Row d = fourth;
  for (int round = 0; round < kDoubleRounds; ++round) {
    quarter_round(a, b, c, d);
    // The diagonals become columns, and columns diagonals again.
    b = __builtin_shufflevector(b, b, 1, 2, 3, 0);
    c = __builtin_shufflevector(c, c, 2, 3, 0, 1);
    d = __builtin_shufflevector(d, d, 3, 0, 1, 2);
    quarter_round(a, b, c, d);
    b = __builtin_shufflevector(b, b, 3, 0, 1, 2);
    c = __builtin_shufflevector(c, c, 2, 3, 0, 1);
    d = __builtin_shufflevector(d, d, 1, 2, 3, 0);
  }
  a += first;
  b += second;
  c += third;
  d += fourth;
  ChaChaBlock block{};
  for (std::size_t i = 0; i < 4; ++i) {
    block[i] = a[i];
    block[4 + i] = b[i];
    block[8 + i] = c[i];
    block[12 + i] = d[i];
  }
  return block;
}

ChaChaLanes widest_chacha_lanes() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") != 0) {
    return ChaChaLanes::k16;
  }
  if (__builtin_cpu_supports("avx2") != 0) {
    return ChaChaLanes::k8;
  }
#endif
  return ChaChaLanes::k4;
}

void chacha20_batch(const ChaChaKey& key, std::uint64_t first, [[maybe_unused]] ChaChaLanes lanes,
                    ChaChaBatch out) {
#ifdef __x86_64__
  if (lanes == ChaChaLanes::k16) {
    return batch_avx512(key, first, out);
  }
  if (lanes == ChaChaLanes::k8) {
    return batch_avx2(key, first, out);
  }
#endif
  batch<4>(key, first, out);
}

}  // namespace tesela
