// The network threads: one loop a core, one thread each. What lives on a loop is touched by its
// thread alone, so it needs no locks; crossing over is a call of the loop (loop.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <thread>
#include <vector>

#include "engine/core/ids.h"
#include "server/base/loop.h"

namespace tesela::base {

class IoPool {
 public:
  /// Makes `threads` loops (at least one); nothing runs yet. `niceness`: how far their threads
  /// stand back behind others of the machine; at 0 they come promptly (limits::kStreamSlice).
  explicit IoPool(std::size_t threads, int niceness = 0);
  /// Stops and joins.
  ~IoPool();
  IoPool(const IoPool&) = delete;
  IoPool& operator=(const IoPool&) = delete;

  /// Starts the threads.
  void run();
  /// Lets the threads end as soon as they have nothing left to do, and waits for them.
  void join();
  /// Abandons what is still pending.
  void stop();

  [[nodiscard]] std::size_t size() const { return loops_.size(); }
  /// The loop at `index`, below size().
  [[nodiscard]] Loop& at(std::size_t index) { return loops_[index]; }
  /// Where a table and every socket that watches it live. The same for the life of the process.
  [[nodiscard]] std::size_t index_of(TableId table) const;
  /// The loops in turn, for connections that belong to no table. Any thread.
  [[nodiscard]] Loop& any();

 private:
  std::deque<Loop> loops_;  // a deque: a loop cannot move
  std::vector<std::thread> threads_;
  const int niceness_;
  std::atomic<std::size_t> turn_{0};
};

}  // namespace tesela::base
