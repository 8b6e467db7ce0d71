// The reading threads, each with its own connection, so that no read waits for the writer.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/result.h"
#include "server/store/sqlite/read/queries.h"

namespace tesela::store {

class ReaderPool {
 public:
  /// A read. Called once: on a reader's thread, with the queries; or, if it was refused, on the
  /// thread that submits it, with kUnavailable.
  using Job = std::move_only_function<void(Expected<Queries*>)>;

  /// Starts a thread for each of `readers`, named "NAME-0" and so on.
  ReaderPool(const std::string& name, std::vector<std::unique_ptr<Queries>> readers);
  /// Closes.
  ~ReaderPool();
  ReaderPool(const ReaderPool&) = delete;
  ReaderPool& operator=(const ReaderPool&) = delete;

  /// Refused when limits::kStoreReadQueueMax jobs wait, or after close(). Any thread.
  void submit(Job job);
  /// Refuses further jobs, runs those that wait, and ends the threads. May be called again; not by
  /// two threads at once.
  void close();

 private:
  /// Moves the job out of `job`, unless it is refused.
  Expected<void> push(Job& job);
  void run(Queries& queries);

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  bool closed_{false};
  std::vector<std::unique_ptr<Queries>> readers_;
  std::vector<std::thread> threads_;
};

}  // namespace tesela::store
