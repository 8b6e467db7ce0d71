// Limits of what the server asks others.
#pragma once

#include <chrono>
#include <cstddef>

namespace tesela::limits {

/// The most time of one answer. Later: UNAVAILABLE.
inline constexpr std::chrono::seconds kFetchTime{5};
/// Bytes of one answer, and of its headers. Above: UNAVAILABLE.
inline constexpr std::size_t kFetchedBytesMax = 256UL * 1024;
inline constexpr std::size_t kFetchedHeaderBytesMax = 16UL * 1024;

}  // namespace tesela::limits
