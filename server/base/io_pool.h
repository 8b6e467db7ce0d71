// The network threads: one io_context a core, one thread each. What lives on a context is touched
// by its thread alone, so it needs no locks; crossing over is a post.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <deque>
#include <thread>
#include <vector>

#include "engine/core/ids.h"

namespace tesela::base {

class IoPool {
 public:
  /// Makes `threads` contexts (at least one); nothing runs yet. `niceness`: how far their threads
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

  [[nodiscard]] std::size_t size() const { return contexts_.size(); }
  /// The context at `index`, below size().
  [[nodiscard]] boost::asio::io_context& at(std::size_t index) { return contexts_[index]; }
  /// Where a table and every socket that watches it live. The same for the life of the process.
  [[nodiscard]] std::size_t index_of(TableId table) const;
  /// The contexts in turn, for connections that belong to no table. Any thread.
  [[nodiscard]] boost::asio::io_context& any();

 private:
  std::deque<boost::asio::io_context> contexts_;  // a deque: an io_context cannot move
  std::vector<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> guards_;
  std::vector<std::thread> threads_;
  const int niceness_;
  std::atomic<std::size_t> turn_{0};
};

}  // namespace tesela::base
