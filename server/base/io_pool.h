// A pool of io_contexts with one thread each. An object that belongs to a context is used by its
// thread alone and needs no locks; other threads post to the context.
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
  /// Creates `threads` contexts (at least one); nothing runs yet. With a `niceness` above 0 the
  /// threads have a lower priority; at 0 they have short time slices (limits::kStreamSlice).
  explicit IoPool(std::size_t threads, int niceness = 0);
  /// Stops and joins.
  ~IoPool();
  IoPool(const IoPool&) = delete;
  IoPool& operator=(const IoPool&) = delete;

  /// Starts the threads.
  void run();
  /// Waits until the contexts have no work left, and ends the threads.
  void join();
  /// Stops the contexts; pending handlers are not called.
  void stop();

  [[nodiscard]] std::size_t size() const { return contexts_.size(); }
  /// The context at `index`, below size().
  [[nodiscard]] boost::asio::io_context& at(std::size_t index) { return contexts_[index]; }
  /// The index of the context of a table and its streams. Constant while the process runs.
  [[nodiscard]] std::size_t index_of(TableId table) const;
  /// The contexts in turn (round robin), for connections without a table. Any thread.
  [[nodiscard]] boost::asio::io_context& any();

 private:
  std::deque<boost::asio::io_context> contexts_;  // a deque: an io_context cannot move
  std::vector<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> guards_;
  std::vector<std::thread> threads_;
  const int niceness_;
  std::atomic<std::size_t> turn_{0};
};

}  // namespace tesela::base
