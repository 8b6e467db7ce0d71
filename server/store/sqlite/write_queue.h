// The way of a write to the one thread that writes: many producers, one consumer, bounded.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "server/store/sqlite/write.h"

namespace tesela::store {

class WriteQueue {
 public:
  /// Takes the write out of `write`, unless it refuses: kUnavailable when limits::kStoreQueueMax
  /// writes wait, or after close(). Any thread.
  Expected<void> push(Write& write);
  /// No write is taken from now on. Any thread.
  void close();
  /// Writes that wait. Any thread.
  [[nodiscard]] std::size_t waiting() const;

  /// The next writes, at most limits::kStoreBatchMax, in the order in which they came; waits for
  /// the first. Valid until the next call. Empty when `time_max` (none: for ever) has passed
  /// without one; nothing when the queue is closed and everything was taken. The consumer's thread.
  std::optional<std::span<Write>> take(std::optional<std::chrono::milliseconds> time_max);

 private:
  mutable std::mutex mutex_;
  // Shared with the wake-ups that are on their way.
  std::shared_ptr<std::condition_variable> wake_{std::make_shared<std::condition_variable>()};
  std::vector<Write> incoming_;
  std::size_t waiting_{0};  // in both vectors, less what was taken
  bool sleeping_{false};    // the consumer waits for a wake-up
  bool closed_{false};
  std::vector<Write> backlog_;  // the consumer's own, as is the next
  std::size_t taken_{0};        // of the backlog
};

}  // namespace tesela::store
