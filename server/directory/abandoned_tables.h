// Closes tables that their players have abandoned.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>

#include "server/base/loop.h"
#include "server/directory/directory.h"
#include "server/store/store.h"

namespace tesela::directory {

/// Searches the store at intervals. A table in memory is never closed: it has members, or had some
/// within --table-idle. The first search is one interval after the start, so that players can
/// return after a restart.
///
/// Threading: `start` once; `stop` once, from any thread, while the loop runs.
class AbandonedTables {
 public:
  struct Parts {
    base::Loop& loop;
    store::Store& store;
    Directory& directory;
    std::chrono::milliseconds in_play;  // since the last event of a game in play
    std::chrono::milliseconds waiting;  // since an open table was made
  };

  explicit AbandonedTables(Parts parts);

  /// Searches until `stop`.
  void start();
  /// Returns when the search under way has ended.
  boost::asio::awaitable<void> stop();

  /// Closes the tables that are abandoned now, and returns their number. On the loop.
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
