// How much memory this process has.
#pragma once

#include <cstdint>

namespace tesela::metrics {

/// In bytes, as Linux tells in /proc; 0 where there is no /proc. Any thread.
[[nodiscard]] std::uint64_t resident_bytes();

}  // namespace tesela::metrics
