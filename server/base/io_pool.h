// A pool of event loops with one thread each. An object that belongs to a loop is used by its
// thread alone and needs no locks; other threads hand tasks over to the loop (loop.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/ids.h"
#include "server/base/loop.h"

namespace tesela::base {

class IoPool {
 public:
  /// Creates `threads` loops (at least one); nothing runs yet. With a `niceness` above 0 the
  /// threads have a lower priority; at 0 they have short time slices (limits::kStreamSlice). They
  /// are named "NAME-0" and so on.
  explicit IoPool(std::size_t threads, int niceness = 0, std::string name = "loop");
  /// Stops and joins.
  ~IoPool();
  IoPool(const IoPool&) = delete;
  IoPool& operator=(const IoPool&) = delete;

  /// Starts the threads.
  void run();
  /// Waits until the loops have no work left, and ends the threads.
  void join();
  /// Stops the loops; pending handlers are not called.
  void stop();

  [[nodiscard]] std::size_t size() const { return loops_.size(); }
  /// The loop at `index`, below size().
  [[nodiscard]] Loop& at(std::size_t index) { return loops_[index]; }
  /// The index of the loop of a table and its streams. Constant while the process runs.
  [[nodiscard]] std::size_t index_of(TableId table) const;
  /// The loops in turn (round robin), for connections without a table. Any thread.
  [[nodiscard]] Loop& any();

 private:
  std::deque<Loop> loops_;  // a deque: a loop cannot move
  std::vector<std::thread> threads_;
  const int niceness_;
  const std::string name_;
  std::atomic<std::size_t> turn_{0};
};

}  // namespace tesela::base
