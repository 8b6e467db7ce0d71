#include "engine/core/rng.h"

namespace tesela {

Rng::Rng(const Seed& seed) : key_{chacha20_key(seed)} {}

void Rng::refill() {
  chacha20_batch(key_, block_, widest_chacha_lanes(), words_);
  block_ += kChaChaBatchBlocks;
  next_ = 0;
}

}  // namespace tesela
