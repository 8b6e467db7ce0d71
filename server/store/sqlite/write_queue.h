// The way of a write to the one thread that writes: many producers, one consumer, bounded. Events
// of tables go first: a move does not wait behind a thousand sign-ins.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
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

  /// The next writes, at most limits::kStoreBatchMax, those of tables first, and of the others no
  /// more than limits::kStoreBatchOthersMax; each of the two in the order in which they came. Waits
  /// for the first. Valid until the next call. Empty when `time_max` (none: for ever) has passed
  /// without one; nothing when the queue is closed and everything was taken. The consumer's thread.
  std::optional<std::span<Write>> take(std::optional<std::chrono::milliseconds> time_max);

 private:
  mutable std::mutex mutex_;
  // Shared with the wake-ups that are on their way.
  std::shared_ptr<std::condition_variable> wake_{std::make_shared<std::condition_variable>()};
  std::vector<Write> moves_;
  std::deque<Write> others_;
  // Who has been asked to wake the consumer, if it sleeps: somebody who may take their time, or
  // one who brings a move.
  enum class Waker : std::uint8_t { kNone, kAny, kMove };
  bool sleeping_{false};
  Waker waker_{Waker::kNone};
  bool closed_{false};
  std::vector<Write> batch_;  // the consumer's own
};

}  // namespace tesela::store
