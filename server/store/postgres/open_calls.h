// The calls of a store that are under way.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace tesela::store::postgres {

/// Counts the calls that are not answered yet. Any thread.
class OpenCalls {
 public:
  /// False after close().
  bool begin() {
    const std::scoped_lock lock(mutex_);
    if (closed_) return false;
    ++count_;
    return true;
  }
  void end(std::size_t count) {
    {
      const std::scoped_lock lock(mutex_);
      count_ -= count;
    }
    ended_.notify_all();
  }
  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  void wait_for_all() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return count_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t count_{0};
  bool closed_{};
};

}  // namespace tesela::store::postgres
