// Whether a program may print in colours.
#pragma once

#include <cstdlib>

namespace tesela::base {

/// False where the environment has a NO_COLOR that is not empty (https://no-color.org). Called
/// before anything sets the environment.
[[nodiscard]] inline bool wants_colours() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets the environment
  const char* none = std::getenv("NO_COLOR");
  return none == nullptr || *none == '\0';
}

}  // namespace tesela::base
