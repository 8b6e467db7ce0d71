#include "server/sweeping/sweeper.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <cstddef>
#include <utility>

#include "server/base/limits.h"
#include "server/base/ownership_limits.h"

namespace tesela::sweeping {

namespace asio = boost::asio;
using asio::awaitable;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

Sweeper::Sweeper(Parts parts)
    : Worker(parts.loop, "search for abandoned tables"),
      parts_(parts),
      abandoned_({.store = parts.store,
                  .directory = parts.directory,
                  .in_play = parts.in_play,
                  .waiting = parts.waiting,
                  .stopping = [this] { return stopping(); }}),
      search_interval_(std::min<milliseconds>(std::min(parts.in_play, parts.waiting) / 4,
                                              limits::kAbandonedSearchInterval)),
      lease_(parts.ownership, parts.life, store::Duty::kSweep) {}

awaitable<void> Sweeper::run() {
  while (!stopping()) {
    const bool ours = co_await begin();
    on_duty_.store(ours, std::memory_order_relaxed);
    if (ours) co_await resume_orphans();
    if (ours) co_await close_abandoned();
    co_await pause(std::min<milliseconds>(limits::kSweepInterval, search_interval_));
  }
  on_duty_.store(false, std::memory_order_relaxed);
  co_await lease_.give_up();
}

awaitable<bool> Sweeper::begin() {
  if (lease_.held()) co_return true;
  const auto taken = co_await lease_.take();
  if (!taken || !*taken || stopping()) co_return false;
  next_search_ = steady_clock::now() + search_interval_;
  // Not waited for: the server may stop meanwhile.
  asio::co_spawn(parts_.loop, parts_.directory.resume(), asio::detached);
  co_return true;
}

awaitable<void> Sweeper::resume_orphans() {
  while (!stopping()) {
    auto orphans = co_await parts_.ownership.free_orphans(limits::kOrphansAtOnce);
    if (!orphans) co_return;
    const std::size_t found = orphans->size();
    co_await parts_.directory.resume(std::move(*orphans));
    if (found < limits::kOrphansAtOnce) co_return;
  }
}

awaitable<void> Sweeper::close_abandoned() {
  if (stopping() || steady_clock::now() < next_search_) co_return;
  const std::size_t closed = co_await abandoned_.search();
  if (closed > 0) spdlog::info("{} tables were closed: nobody has returned to them", closed);
  next_search_ = steady_clock::now() + search_interval_;
}

}  // namespace tesela::sweeping
