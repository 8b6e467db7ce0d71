#include "engine/core/rng.h"

namespace tesela {

Rng::Rng(const Seed& seed) : key_{chacha20_key(seed)} {}

Rng::Rng(const Place& place)
    : key_{place.key},
      block_{place.consumed / kChaChaBatchWords * kChaChaBatchBlocks},
      skip_{place.consumed % kChaChaBatchWords} {}

void Rng::refill() {
  chacha20_batch(key_, block_, widest_chacha_lanes(), words_);
  block_ += kChaChaBatchBlocks;
  next_ = skip_;
  skip_ = 0;
}

}  // namespace tesela
