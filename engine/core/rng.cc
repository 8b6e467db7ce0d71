#include "engine/core/rng.h"

#include <algorithm>

namespace tesela {

namespace {

// A batch costs as much as several blocks, and most moves draw words of one or two.
constexpr int kBlocksAlone = 2;

}  // namespace

// NOLINTBEGIN(cppcoreguidelines-pro-type-member-init): clearing a kilobyte costs as much as a draw
Rng::Rng(const Seed& seed) : key_{chacha20_key(seed)} {}

Rng::Rng(const Place& place, const Block& near)
    : key_{place.key},
      block_{place.consumed / kChaChaBlockWords},
      skip_{place.consumed % kChaChaBlockWords},
      alone_{kBlocksAlone} {
  if (near.counter != block_) return;
  std::ranges::copy(near.words, words_.end() - kChaChaBlockWords);
  begin_last_block();
}
// NOLINTEND(cppcoreguidelines-pro-type-member-init)

Rng::Block Rng::block() const {
  Block block;
  if (next_ == kChaChaBatchWords) return block;
  const std::size_t first = next_ / kChaChaBlockWords * kChaChaBlockWords;
  block.counter = block_ - (kChaChaBatchWords - first) / kChaChaBlockWords;
  std::copy_n(words_.begin() + static_cast<std::ptrdiff_t>(first), kChaChaBlockWords,
              block.words.begin());
  return block;
}

void Rng::begin_last_block() {
  block_ += 1;
  next_ = kChaChaBatchWords - kChaChaBlockWords + skip_;
  skip_ = 0;
}

void Rng::refill() {
  if (alone_ > 0) {
    --alone_;
    const auto counter = static_cast<std::uint32_t>(block_);
    const auto carry = static_cast<std::uint32_t>(block_ >> 32U);
    const ChaChaBlock block = chacha20_block(key_, counter, {carry, 0, 0});
    std::ranges::copy(block, words_.end() - kChaChaBlockWords);
    begin_last_block();
    return;
  }
  chacha20_batch(key_, block_, widest_chacha_lanes(), words_);
  block_ += kChaChaBatchBlocks;
  next_ = 0;
}

}  // namespace tesela
