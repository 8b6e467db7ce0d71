#include "server/store/postgres/board_counter.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "server/base/postgres_limits.h"
#include "server/store/postgres/write/board_counts.h"

namespace tesela::store::postgres {

void BoardCounter::start() {
  boost::asio::co_spawn(loop_, run(), boost::asio::detached);
}

void BoardCounter::stop() {
  stopped_ = true;
  pause_.cancel();
}

boost::asio::awaitable<void> BoardCounter::run() {
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

}  // namespace tesela::store::postgres
