// The queue of the writer: many producers, one consumer, bounded. Events of tables go before other
// writes. The consumer waits until a producing thread has finished its current round of handlers,
// so that the writes of the round share a commit.
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
  /// Moves the write out of `write`, unless it is refused: kUnavailable when limits::kStoreQueueMax
  /// writes wait, or after close(). Any thread.
  Expected<void> push(Write& write);
  /// Queues a write of snapshots, for which nobody waits. It starts no transaction: it is taken
  /// with the next write of another kind, or when the queue is closed. Dropped when
  /// limits::kStoreSnapshotsMax wait, or after close(). Any thread.
  void push_aside(Write write);
  /// Refuses further writes. Any thread.
  void close();
  /// The number of waiting writes. Any thread.
  [[nodiscard]] std::size_t waiting() const;

  /// The next writes, at most limits::kStoreBatchMax: first events of tables, then at most
  /// limits::kStoreBatchOthersMax others and limits::kStoreBatchSnapshotsMax of snapshots, each
  /// kind in the order of arrival. Waits for the first write, and until one of its producers has
  /// run the handlers that were ready. The span is valid until the next call; it is empty when
  /// `time_max` (without a value: no limit) has passed. No value when the queue is closed and
  /// empty. The consumer's thread.
  std::optional<std::span<Write>> take(std::optional<std::chrono::milliseconds> time_max);

 private:
  // Shared with the handlers that were posted to end it.
  struct Round {
    std::mutex mutex;
    std::condition_variable ended;
    std::uint64_t number{0};
    bool over{false};  // set only while writes wait
  };

  const std::shared_ptr<Round> round_{std::make_shared<Round>()};
  // Under the mutex of the round.
  std::vector<Write> moves_;
  std::deque<Write> others_;
  std::deque<Write> snapshots_;
  std::vector<base::Continuation> asked_;  // callers with a posted end of this round
  bool closed_{false};
  std::vector<Write> batch_;  // used by the consumer alone
};

}  // namespace tesela::store
