// ChaCha20 (RFC 8439) as the dice use it: one block by the letter of the RFC, and many blocks at a
// time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tesela {

/// A 256-bit key, in the order of its bytes.
using Seed = std::array<std::uint8_t, 32>;
/// The same as the eight words that the cipher computes with.
using ChaChaKey = std::array<std::uint32_t, 8>;
[[nodiscard]] ChaChaKey chacha20_key(const Seed& seed);

inline constexpr std::size_t kChaChaBlockWords = 16;
/// The words of one block, in the order in which RFC 8439 serialises them.
using ChaChaBlock = std::array<std::uint32_t, kChaChaBlockWords>;

/// The block function of RFC 8439, section 2.3.
[[nodiscard]] ChaChaBlock chacha20_block(const ChaChaKey& key, std::uint32_t counter,
                                         const std::array<std::uint32_t, 3>& nonce);

/// How many blocks are computed side by side. It changes the speed and never the words.
enum class ChaChaLanes : std::uint8_t {
  k4 = 4,    // any machine
  k8 = 8,    // a machine with AVX2
  k16 = 16,  // a machine with AVX-512
};

/// The most that this machine can do.
[[nodiscard]] ChaChaLanes widest_chacha_lanes();

/// The blocks are computed in pieces of sixteen.
inline constexpr std::size_t kChaChaBatchBlocks = 16;
inline constexpr std::size_t kChaChaBatchWords = kChaChaBatchBlocks * kChaChaBlockWords;
using ChaChaBatch = std::span<std::uint32_t, kChaChaBatchWords>;

/// Writes the blocks with the counters `first`, `first + 1`, ... one after the other. The nonce is
/// zero, but for its first word, which holds the upper half of the counter. The machine must be
/// able to do `lanes`.
void chacha20_batch(const ChaChaKey& key, std::uint64_t first, ChaChaLanes lanes, ChaChaBatch out);

}  // namespace tesela
