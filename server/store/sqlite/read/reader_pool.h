// The threads that read: each with a connection of its own, so that no read waits for the writer.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/core/result.h"
#include "server/store/sqlite/read/queries.h"

namespace tesela::store {

class ReaderPool {
 public:
  /// A read. Called once: with the queries on a reader's thread, or with the reason why there are
  /// none (kUnavailable) on the thread that submits it.
  using Job = std::move_only_function<void(Expected<Queries*>)>;

  /// Starts a thread for each of `readers`.
  explicit ReaderPool(std::vector<Queries> readers);
  /// Closes.
  ~ReaderPool();
  ReaderPool(const ReaderPool&) = delete;
  ReaderPool& operator=(const ReaderPool&) = delete;

  /// Refused when limits::kStoreReadQueueMax jobs wait, or after close(). Any thread.
  void submit(Job job);
  /// Takes no more, does what waits and ends the threads. May be called again; not by two threads
  /// at once.
  void close();

 private:
  /// Takes the job out of `job`, unless it refuses.
  Expected<void> push(Job& job);
  void run(Queries& queries);

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  bool closed_{false};
  std::vector<Queries> readers_;
  std::vector<std::thread> threads_;
};

}  // namespace tesela::store
