// Gives memory back to the system that the allocator keeps for what is gone.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include "server/metrics/metrics.h"

namespace tesela::ops {

/// glibc returns the free end of a heap, and no free pages between what is still in use: after many
/// tables have left memory the process keeps most of what they took. This has a thread that looks
/// at the load from time to time, and when much of it has gone since the last time, it calls
/// malloc_trim(3). A load that comes and goes evenly is left alone, because its memory is used
/// again. Each heap of the allocator is locked while its pages are given back, for some
/// milliseconds.
class HeapTrim {
 public:
  struct Options {
    std::function<std::size_t()> load;  // how many things are there now; called on the thread
    std::size_t fall;                   // so many must have gone
    std::chrono::milliseconds interval;
    std::function<void()> trim;  // what is called then; empty: malloc_trim(0)
  };

  explicit HeapTrim(Options options);
  /// The load is what there is of tables and connections; limits::kHeapTrimFall of them.
  explicit HeapTrim(metrics::Metrics& metrics);
  HeapTrim(const HeapTrim&) = delete;
  HeapTrim& operator=(const HeapTrim&) = delete;

 private:
  void run(const std::stop_token& stop);
  void look();

  const Options options_;
  std::size_t highest_ = 0;  // load since the last trim
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::jthread thread_;  // last: it uses everything above
};

}  // namespace tesela::ops
