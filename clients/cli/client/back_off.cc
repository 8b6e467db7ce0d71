#include "clients/cli/client/back_off.h"

#include <algorithm>

#include "clients/cli/base/random.h"

namespace tesela::cli {

BackOff::Duration BackOff::next() {
  Duration longest = first_;
  for (unsigned i = 0; i < tries_ && longest < max_; ++i) longest *= 2;
  ++tries_;
  longest = std::min(longest, max_);
  const auto half = static_cast<std::uint32_t>(longest.count() / 2);
  return Duration{longest.count() - random_below(random_, half + 1)};
}

}  // namespace tesela::cli
