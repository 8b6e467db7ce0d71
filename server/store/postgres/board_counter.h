// Keeps the counts of boards up to date while the store is open.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "server/base/loop.h"
#include "server/base/postgres_limits.h"
#include "server/store/postgres/calls.h"
#include "server/store/postgres/write/board_counts.h"

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
  void start() { boost::asio::co_spawn(loop_, run(), boost::asio::detached); }
  void stop() {
    stopped_ = true;
    pause_.cancel();
  }

 private:
  boost::asio::awaitable<void> run() {
    boost::system::error_code cancelled;
    bool more = false;
    while (!stopped_) {
      if (!more) {
        pause_.expires_after(limits::kBoardCountInterval);
        co_await pause_.async_wait(
            boost::asio::redirect_error(boost::asio::use_awaitable, cancelled));
      }
      if (!open_.begin()) break;
      const auto counted = co_await writes_.run_counted<bool>(count_changes);
      open_.end(1);
      // What was not counted now is counted the next time; places are right without it.
      more = counted && *counted;
    }
  }

  base::Loop& loop_;
  OpenCalls& open_;
  Calls& writes_;
  boost::asio::steady_timer pause_;
  bool stopped_{};
};

}  // namespace tesela::store::postgres
