// The name of the calling thread.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace tesela::base {

/// Names the calling thread, for top -H, perf and core dumps, by the first 15 characters of `name`:
/// pthread_setname_np(3). The first thing that a thread of the server does. Threads that it starts
/// inherit the name.
inline void name_thread(std::string name) {
  name.resize(std::min<std::size_t>(name.size(), 15));
  static_cast<void>(pthread_setname_np(pthread_self(), name.c_str()));
}

}  // namespace tesela::base
