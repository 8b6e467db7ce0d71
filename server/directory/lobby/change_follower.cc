#include "server/directory/lobby/change_follower.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstddef>
#include <exception>
#include <utility>

#include "server/base/change_limits.h"

namespace tesela::directory {

namespace asio = boost::asio;
using asio::awaitable;
using std::chrono::duration;
using std::chrono::steady_clock;

ChangeFollower::ChangeFollower(Parts parts)
    : parts_(std::move(parts)),
      pause_(parts_.loop),
      telling_pause_(parts_.loop),
      ended_(parts_.loop, steady_clock::time_point::max()) {}

void ChangeFollower::start() {
  if (parts_.changes == nullptr) return;
  running_ = true;
  reached_ = steady_clock::now();
  parts_.changes->on_signal([this] { parts_.loop.hand_over([this] { hurry(); }); });
  parts_.loop.spawn(run(), [this](const std::exception_ptr& thrown) {
    if (thrown) spdlog::error("the search for changed tables ended by an exception");
    running_ = false;
    ended_.cancel();
  });
}

awaitable<void> ChangeFollower::stop() {
  if (parts_.changes == nullptr) co_return;
  parts_.changes->on_signal({});
  co_await parts_.loop.call(stop_here());
}

awaitable<void> ChangeFollower::stop_here() {
  stopping_ = true;
  pause_.cancel();
  telling_pause_.cancel();
  while (running_) co_await ended_.async_wait(asio::as_tuple(asio::use_awaitable));
}

awaitable<void> ChangeFollower::run() {
  while (!stopping_) {
    hurries_ = false;
    looked_ = steady_clock::now();
    co_await look();
    if (!stopping_) co_await trim();
    co_await rest();
  }
}

awaitable<void> ChangeFollower::rest() {
  due_ = looked_ + (hurries_ ? limits::kChangesIntervalMin : limits::kChangesInterval);
  while (!stopping_ && steady_clock::now() < due_) {
    pause_.expires_at(due_);
    co_await pause_.async_wait(asio::as_tuple(asio::use_awaitable));
  }
}

/// Another server has changed something since the last read, or during it. A later watch lists the
/// tables.
void ChangeFollower::hurry() {
  if (!parts_.feed.wanted()) return;
  hurries_ = true;
  due_ = std::min(due_, looked_ + limits::kChangesIntervalMin);
  pause_.cancel();
}

awaitable<void> ChangeFollower::look() {
  auto found = co_await read();
  const auto now = steady_clock::now();
  if (!found) {
    // The store says itself when it cannot be read.
    parts_.metrics.lobby_behind_seconds().Set(duration<double>(now - reached_).count());
    co_return;
  }
  reached_ = now;
  parts_.metrics.lobby_behind_seconds().Set(duration<double>(found->age).count());
  parts_.metrics.lobby_changes().Increment(static_cast<double>(found->count));
  told_.clear();
  if (found->gap) {
    if (until_) parts_.metrics.lobby_gaps().Increment();
    until_ = std::move(found->until);
    parts_.feed.tell_missed();
  } else {
    until_ = std::move(found->until);
    co_await publish(std::move(found->tables));
  }
}

/// Watches are checked after the read: a later watch lists the tables after it, too.
awaitable<Expected<store::TableChangesRead>> ChangeFollower::read() {
  const bool wanted = parts_.feed.wanted();
  store::ChangesQuery query{.since = until_, .own_too = told_, .rows = wanted};
  auto found = co_await parts_.changes->read(std::move(query));
  if (!found || wanted || !parts_.feed.wanted()) co_return found;
  store::ChangesQuery again{.since = until_, .own_too = told_, .rows = true};
  co_return co_await parts_.changes->read(std::move(again));
}

/// In steps, so that watchers read in between.
awaitable<void> ChangeFollower::publish(std::vector<store::ChangedTable> tables) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (i > 0 && i % limits::kChangesToldAtOnce == 0 && !stopping_) {
      telling_pause_.expires_after(limits::kChangesToldPause);
      co_await telling_pause_.async_wait(asio::as_tuple(asio::use_awaitable));
    }
    told_.push_back(tables[i].row.id);
    parts_.feed.publish_foreign(tables[i].row, tables[i].several);
  }
}

awaitable<void> ChangeFollower::trim() {
  if (steady_clock::now() < trim_at_ || !parts_.on_duty()) co_return;
  const auto trimmed = co_await parts_.changes->trim();
  const bool more = trimmed && *trimmed == limits::kChangesTrimmedAtOnce;
  trim_at_ = steady_clock::now();
  if (!more) trim_at_ += limits::kChangesTrimInterval;
}

}  // namespace tesela::directory
