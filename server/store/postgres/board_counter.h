// Keeps the counts of boards up to date while the store is open.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/base/loop.h"
#include "server/store/postgres/calls.h"

namespace tesela::store::postgres {

/// The loop's thread.
class BoardCounter {
 public:
  /// Everything outlives it. `open`: of the calls that close() of the store waits for.
  BoardCounter(base::Loop& loop, OpenCalls& open, Calls& writes)
      : loop_(loop), open_(open), writes_(writes), pause_(loop) {}
  BoardCounter(const BoardCounter&) = delete;
  BoardCounter& operator=(const BoardCounter&) = delete;

  /// Counts what has changed, every limits::kBoardCountInterval, until `stop` or until the store is
  /// closed.
  void start();
  void stop();

 private:
  boost::asio::awaitable<void> run();

  base::Loop& loop_;
  OpenCalls& open_;
  Calls& writes_;
  boost::asio::steady_timer pause_;
  bool stopped_{};
};

}  // namespace tesela::store::postgres
