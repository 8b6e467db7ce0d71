#include "engine/core/rng.h"

#include <algorithm>

namespace tesela {

Rng::Rng(const Seed& seed) : key_{chacha20_key(seed)} {}

Rng::Rng(const Place& place)
    : key_{place.key},
      block_{place.consumed / kChaChaBlockWords},
      skip_{place.consumed % kChaChaBlockWords},
      one_block_{true} {}

void Rng::refill() {
  if (one_block_) {
    const auto counter = static_cast<std::uint32_t>(block_);
    const auto carry = static_cast<std::uint32_t>(block_ >> 32U);
    const ChaChaBlock block = chacha20_block(key_, counter, {carry, 0, 0});
    std::ranges::copy(block, words_.end() - kChaChaBlockWords);
    block_ += 1;
    next_ = kChaChaBatchWords - kChaChaBlockWords + skip_;
    skip_ = 0;
    one_block_ = false;
    return;
  }
  chacha20_batch(key_, block_, widest_chacha_lanes(), words_);
  block_ += kChaChaBatchBlocks;
  next_ = 0;
}

}  // namespace tesela
