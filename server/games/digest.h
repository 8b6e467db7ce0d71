// The digest of a position that every record carries (server/store/FORMAT.md).
#pragma once

#include <cstdint>

namespace tesela::games {

/// FNV-1a, 64 bits. It notices accidents, not attacks.
/// Source: https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
class Fnv {
 public:
  constexpr void byte(std::uint8_t value) { hash_ = (hash_ ^ value) * 0x100000001b3; }
  /// Eight bytes, the lowest first.
  constexpr void u64(std::uint64_t value) {
    for (int i = 0; i < 8; ++i, value >>= 8U) byte(static_cast<std::uint8_t>(value));
  }
  [[nodiscard]] constexpr std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace tesela::games
