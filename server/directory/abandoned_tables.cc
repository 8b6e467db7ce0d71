#include "server/directory/abandoned_tables.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <optional>
#include <utility>

#include "server/base/clock.h"
#include "server/base/limits.h"

namespace tesela::directory {

namespace asio = boost::asio;
using asio::awaitable;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

AbandonedTables::AbandonedTables(Parts parts)
    : parts_(parts),
      interval_(std::min<milliseconds>(std::min(parts.in_play, parts.waiting) / 4,
                                       limits::kAbandonedSearchInterval)),
      pause_(parts.loop),
      ended_(parts.loop, steady_clock::time_point::max()) {}

void AbandonedTables::start() {
  running_ = true;
  parts_.loop.spawn(run(), [this](const std::exception_ptr& thrown) {
    if (thrown) spdlog::error("the search for abandoned tables ended by an exception");
    running_ = false;
    ended_.cancel();
  });
}

awaitable<void> AbandonedTables::stop() {
  co_await parts_.loop.call(stop_here());
}

awaitable<void> AbandonedTables::stop_here() {
  stopping_ = true;
  pause_.cancel();
  while (running_) co_await ended_.async_wait(asio::as_tuple(asio::use_awaitable));
}

awaitable<void> AbandonedTables::run() {
  while (!stopping_) {
    pause_.expires_after(interval_);
    co_await pause_.async_wait(asio::as_tuple(asio::use_awaitable));
    if (stopping_) break;
    const std::size_t closed = co_await search();
    if (closed > 0) spdlog::info("{} tables were closed: nobody has returned to them", closed);
  }
}

awaitable<std::size_t> AbandonedTables::search() {
  const std::size_t in_play = co_await close_those(store::TableState::kInPlay, parts_.in_play);
  const std::size_t waiting = co_await close_those(store::TableState::kOpen, parts_.waiting);
  co_return in_play + waiting;
}

awaitable<std::size_t> AbandonedTables::close_those(store::TableState state, milliseconds time) {
  const std::int64_t since_ms = base::unix_ms() - time.count();
  const store::TableFilter old{
      .game = {}, .state = state, .player = {}, .private_too = true, .made_before_ms = since_ms};
  std::optional<store::TableCursor> after;
  std::size_t closed = 0;
  while (!stopping_) {
    const auto page = co_await parts_.store.tables(old, after, limits::kPageMax);
    if (!page || page->empty()) break;
    for (const auto& row : *page) {
      const bool silent = co_await parts_.directory.close_silent(row.id, since_ms);
      closed += silent ? 1 : 0;
    }
    after = store::TableCursor{page->back().created_ms, page->back().id};
  }
  co_return closed;
}

}  // namespace tesela::directory
