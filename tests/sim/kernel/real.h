// The functions that this executable replaces, as libc has them.
#pragma once

#include <dlfcn.h>

namespace tesela::sim {

/// The next definition of the symbol after this executable's.
template <class Function>
[[nodiscard]] Function* real_function(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

template <class... Arguments>
long real_syscall(long number, Arguments... arguments) {
  static auto* const function = real_function<long(long, ...)>("syscall");
  return function(number, arguments...);
}

}  // namespace tesela::sim

/// Calls the real NAME with these arguments.
#define REAL(NAME, ...)                                                                \
  ([&] {                                                                               \
    static auto* const function = ::tesela::sim::real_function<decltype(NAME)>(#NAME); \
    return function(__VA_ARGS__);                                                      \
  }())
