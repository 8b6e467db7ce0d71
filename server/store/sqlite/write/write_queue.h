// The way of a write to the one thread that writes: many producers, one consumer, bounded. Events
// of tables go first: a move does not wait behind a thousand sign-ins. The consumer gets what a
// thread brings in one round of its work together: fewer commits, of more writes each.
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

#include "server/store/sqlite/write/write.h"

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
  /// for the first, and until one of those who brought some has done what it had to do already.
  /// Valid until the next call. Empty when `time_max` (none: for ever) has passed
  /// without one; nothing when the queue is closed and everything was taken. The consumer's thread.
  std::optional<std::span<Write>> take(std::optional<std::chrono::milliseconds> time_max);

 private:
  // Shared with those who were asked to end it.
  struct Round {
    std::mutex mutex;
    std::condition_variable ended;
    std::uint64_t number{0};
    bool over{false};  // only while something waits
  };

  const std::shared_ptr<Round> round_{std::make_shared<Round>()};
  // Under the mutex of the round.
  std::vector<Write> moves_;
  std::deque<Write> others_;
  std::vector<base::Continuation> asked_;  // to end this round
  bool closed_{false};
  std::vector<Write> batch_;  // the consumer's own
};

}  // namespace tesela::store
