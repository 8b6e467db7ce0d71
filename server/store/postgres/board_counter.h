// Keeps the counts of boards up to date while the store is open (FORMAT.md, "On PostgreSQL").
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/base/loop.h"
#include "server/store/postgres/calls.h"

namespace tesela::store::postgres {

/// The loop's thread.
class BoardCounter {
 public:
  /// Both outlive it.
  BoardCounter(base::Loop& loop, Calls& writes) : writes_(writes), pause_(loop) {}
  BoardCounter(const BoardCounter&) = delete;
  BoardCounter& operator=(const BoardCounter&) = delete;

  /// Counts what has changed, every limits::kBoardCountInterval, until `stop`.
  void start();
  void stop();

 private:
  boost::asio::awaitable<void> run();

  Calls& writes_;
  boost::asio::steady_timer pause_;
  bool stopped_{};
};

}  // namespace tesela::store::postgres
