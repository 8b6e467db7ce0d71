/// How often a test repeats what it repeats for chance's sake.
#pragma once

#include <algorithm>
#include <concepts>

namespace tesela::test {

/// `usual`; under a sanitizer a tenth of it, at least 1: what a sanitizer finds is in a tenth too,
/// and takes it ten times as long.
template <std::integral T>
constexpr T rounds(T usual) {
#ifdef TESELA_SANITIZED
  return std::max<T>(usual / 10, 1);
#else
  return usual;
#endif
}

}  // namespace tesela::test
