#include "server/directory/lobby/change_follower.h"

#include <cstddef>
#include <utility>

#include "server/base/postgres_limits.h"

namespace tesela::directory {

using boost::asio::awaitable;
using std::chrono::duration;
using std::chrono::steady_clock;

ChangeFollower::ChangeFollower(Parts parts)
    : Worker(parts.loop, "search for changed tables"), parts_(std::move(parts)) {}

awaitable<void> ChangeFollower::run() {
  if (parts_.changes == nullptr) co_return;
  reached_ = steady_clock::now();
  // While nobody watches, a later watch lists the tables.
  parts_.changes->on_signal([this] {
    parts_.loop.hand_over([this] {
      if (parts_.feed.wanted()) wake();
    });
  });
  while (!stopping()) {
    const Time begin = steady_clock::now();
    co_await look();
    if (!stopping()) co_await trim();
    co_await pause_between(begin + limits::kChangesIntervalMin, begin + limits::kChangesInterval);
  }
  parts_.changes->on_signal({});
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
    if (i > 0 && i % limits::kChangesToldAtOnce == 0) co_await pause(limits::kChangesToldPause);
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
