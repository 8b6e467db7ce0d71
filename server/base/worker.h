// Work in the background of one loop, until it is asked to end.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <string_view>

#include "server/base/loop.h"

namespace tesela::base {

/// Runs one coroutine on a loop. Destroy it when it was not started, after `stop` has returned, or
/// when the loop no longer runs.
class Worker {
 public:
  virtual ~Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// What it does, as a noun, for the log.
  [[nodiscard]] std::string_view what() const { return what_; }
  /// Works until `stop`; again after one that has returned. Any thread, one at a time.
  void start();
  /// Asks the work to end, and returns when it has ended; at once when it was not started. May be
  /// called again. Any thread, while the loop runs.
  boost::asio::awaitable<void> stop();

 protected:
  using Time = std::chrono::steady_clock::time_point;

  /// The loop and the text outlive it.
  Worker(Loop& loop, std::string_view what);

  /// Ends the next or present pause_between at its `first`. Any thread, while the loop runs.
  void wake();

  // The following on the loop's thread alone.

  /// The work. It ends soon when `stopping`, which ends each pause.
  virtual boost::asio::awaitable<void> run() = 0;
  [[nodiscard]] bool stopping() const { return stopping_; }
  boost::asio::awaitable<void> pause(std::chrono::milliseconds time);
  boost::asio::awaitable<void> pause_until(Time end);
  /// Until `last`, or until `first` if `wake` was called since the last such pause.
  boost::asio::awaitable<void> pause_between(Time first, Time last);

 private:
  boost::asio::awaitable<void> stop_here();

  Loop& loop_;
  const std::string_view what_;
  boost::asio::steady_timer pause_;
  boost::asio::steady_timer ended_;  // cancelled when the work has ended
  bool running_ = false;
  bool stopping_ = false;
  bool woken_ = false;
};

}  // namespace tesela::base
