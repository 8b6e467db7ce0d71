// Closes the tables to which nobody returns.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>

#include "server/base/loop.h"
#include "server/directory/directory.h"
#include "server/store/store.h"

namespace tesela::directory {

/// A table that is in memory has players, or had some a moment ago (--table-idle): it is never
/// closed. The first search comes one interval after the start, so that the players of an earlier
/// life of the server have the time to return.
///
/// Threading: `start` once; `stop` once, from anywhere, while the loop runs.
class AbandonedTables {
 public:
  struct Parts {
    base::Loop& loop;
    store::Store& store;
    Directory& directory;
    std::chrono::milliseconds in_play;  // after the last event of a game in play
    std::chrono::milliseconds waiting;  // after an open table was made
  };

  explicit AbandonedTables(Parts parts);

  /// Searches until `stop`.
  void start();
  /// Returns when the search that is under way has ended.
  boost::asio::awaitable<void> stop();

  /// Closes those that are abandoned now. How many. On the loop.
  boost::asio::awaitable<std::size_t> search();

 private:
  boost::asio::awaitable<void> run();
  boost::asio::awaitable<void> stop_here();
  boost::asio::awaitable<std::size_t> close_those(store::TableState state,
                                                  std::chrono::milliseconds time);

  Parts parts_;
  const std::chrono::milliseconds interval_;
  boost::asio::steady_timer pause_;
  boost::asio::steady_timer ended_;  // cancelled when the coroutine has ended
  bool running_ = false;
  bool stopping_ = false;
};

}  // namespace tesela::directory
