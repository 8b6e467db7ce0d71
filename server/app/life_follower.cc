#include "server/app/life_follower.h"

#include <spdlog/spdlog.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <exception>

#include "server/base/ownership_limits.h"

namespace tesela {
namespace {

using boost::asio::awaitable;

// The last publications of the dropped tables may be older than their rows that were read since.
awaitable<void> begin_anew(LifeFollower::Parts parts) {
  co_await parts.directory.drop_all();
  parts.feed.tell_missed();
  parts.life.begin_again();
}

// Others have had the time to take the tables. They stay in memory: the database may be out of
// reach for all, and then nobody takes them.
awaitable<void> send_away(LifeFollower::Parts parts) {
  const std::uint64_t gaps = parts.life.gaps();
  boost::asio::steady_timer pause(parts.loop, limits::kLeaseTime);
  co_await pause.async_wait(boost::asio::use_awaitable);
  const bool goes_on = !parts.life.may_speak() && parts.life.gaps() == gaps;
  if (!goes_on) co_return;
  spdlog::warn("the database has not been reached for long: clients are left to the other servers");
  parts.directory.leave_clients();
  parts.feed.tell_missed();
}

}  // namespace

void LifeFollower::follow(const Parts& parts) {
  {
    const std::scoped_lock lock(mutex_);
    parts_.emplace(parts);
  }
  // The previous report.
  if (parts.life.dead()) {
    start_again();
  } else if (parts.life.may_speak()) {
    thaw();
  } else {
    leave_clients();
  }
}

void LifeFollower::changed(store::LifeState state, store::LifeId life) {
  if (state == store::LifeState::kSpeaking) {
    spdlog::info("life {}: the server speaks", life.value);
    thaw();
  } else if (state == store::LifeState::kFrozen) {
    spdlog::warn(
        "life {}: the server is frozen, because it was paused or cannot renew its lease: it sends "
        "nothing to clients, and no time runs",
        life.value);
    leave_clients();
  } else {
    spdlog::error("life {} was declared dead by another server: its tables are dropped",
                  life.value);
    start_again();
  }
}

void LifeFollower::thaw() {
  const std::scoped_lock lock(mutex_);
  if (parts_) parts_->directory.thaw();
}

void LifeFollower::leave_clients() {
  const std::scoped_lock lock(mutex_);
  if (!parts_ || !parts_->has_others) return;
  parts_->loop.spawn(send_away(*parts_), [](const std::exception_ptr& thrown) {
    if (thrown) spdlog::critical("the clients of a server without a lease were not sent away");
  });
}

void LifeFollower::start_again() {
  const std::scoped_lock lock(mutex_);
  if (!parts_) return;
  parts_->loop.spawn(begin_anew(*parts_), [](const std::exception_ptr& thrown) {
    if (thrown) spdlog::critical("the tables of a dead life were not dropped");
  });
}

}  // namespace tesela
