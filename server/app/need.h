// Requirements of a start.
#pragma once

#include <stdexcept>
#include <utility>

#include "engine/core/result.h"

namespace tesela {

/// The value, or throws: the server cannot start without it.
template <class T>
T need(Expected<T> value) {
  if (!value) throw std::runtime_error(value.error().message);
  return std::move(*value);
}

inline void need(const Expected<void>& done) {
  if (!done) throw std::runtime_error(done.error().message);
}

}  // namespace tesela
