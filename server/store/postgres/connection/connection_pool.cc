#include "server/store/postgres/connection/connection_pool.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "server/base/store_limits.h"
#include "server/store/postgres/connection/failure.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;
using std::chrono::steady_clock;

/// Waits until the timer expires or is cancelled.
awaitable<void> wait(boost::asio::steady_timer& timer) {
  boost::system::error_code cancelled;
  co_await timer.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, cancelled));
}

}  // namespace

ConnectionPool::ConnectionPool(base::Loop& loop, std::string url, std::size_t size, Health& health,
                               std::int64_t writer)
    : loop_(loop), url_(std::move(url)), writer_(writer), health_(health) {
  while (slots_.size() < size) slots_.emplace_back(loop);
}

void ConnectionPool::start() {
  for (Slot& slot : slots_) boost::asio::co_spawn(loop_, keep(slot), boost::asio::detached);
}

awaitable<void> ConnectionPool::keep(Slot& slot) {
  std::chrono::milliseconds pause = limits::kPostgresReopenMin;
  while (!draining_) {
    const bool opened = co_await open(slot);
    if (opened) {
      pause = limits::kPostgresReopenMin;
      offer(slot);
      while (slot.state != State::kLost && !closed_) {
        slot.changed.expires_at(Time::max());
        co_await wait(slot.changed);
      }
      slot.before = slot.connection->served();
    }
    slot.connection.reset();
    slot.state = State::kOpening;
    if (draining_) break;
    slot.changed.expires_after(pause);
    co_await wait(slot.changed);
    if (!opened) pause = std::min<std::chrono::milliseconds>(2 * pause, limits::kPostgresReopenMax);
  }
  slot.connection.reset();
  slot.state = State::kLost;
  release_waiters();
}

awaitable<bool> ConnectionPool::open(Slot& slot) {
  slot.connection = std::make_unique<Connection>(loop_.get_executor(), writer_);
  try {
    co_await slot.connection->open(url_, slot.before,
                                   steady_clock::now() + limits::kPostgresOpenTimeMax);
    slot.before.reset();
    health_.works();
    co_return true;
  } catch (const Failure& failure) {
    if (!draining_) health_.failed(failure);
  }
  co_return false;
}

void ConnectionPool::offer(Slot& slot) {
  if (waiters_.empty()) {
    slot.state = State::kIdle;
    slot.connection->watch_idle([this, &slot] { lose(slot); });
    return;
  }
  Waiter* const first = waiters_.front();
  waiters_.pop_front();
  slot.state = State::kTaken;
  first->connection = slot.connection.get();
  first->served.cancel();
}

awaitable<Connection*> ConnectionPool::take(Time until) {
  leave_silent_host();
  const auto idle = std::ranges::find(slots_, State::kIdle, &Slot::state);
  if (idle != slots_.end()) {
    idle->state = State::kTaken;
    co_return idle->connection.get();
  }
  if (draining_ && has_none()) co_return nullptr;
  Waiter waiter{.connection = nullptr, .served = boost::asio::steady_timer(loop_, until)};
  waiters_.push_back(&waiter);
  co_await wait(waiter.served);
  if (waiter.connection == nullptr) std::erase(waiters_, &waiter);
  co_return waiter.connection;
}

void ConnectionPool::give_back(Connection* connection) {
  const auto slot = std::ranges::find_if(
      slots_, [&](const Slot& each) { return each.connection.get() == connection; });
  if (connection->timed_out()) health_.silent();
  if (connection->lost() || connection->in_transaction()) {
    lose(*slot);
  } else {
    offer(*slot);
  }
}

void ConnectionPool::lose(Slot& slot) {
  slot.state = State::kLost;
  slot.changed.cancel();
}

void ConnectionPool::watch(Time now) {
  for (Slot& slot : slots_) {
    if (slot.connection) slot.connection->watch(now);
  }
  leave_silent_host();
}

void ConnectionPool::leave_silent_host() {
  const std::uint64_t silences = health_.silences();
  if (std::exchange(silences_, silences) == silences) return;
  for (Slot& slot : slots_) {
    if (slot.state == State::kIdle) lose(slot);
  }
}

void ConnectionPool::abort() {
  for (Slot& slot : slots_) {
    if (slot.connection && slot.state != State::kIdle) slot.connection->abort();
  }
}

void ConnectionPool::drain() {
  draining_ = true;
  for (Slot& slot : slots_) slot.changed.cancel();
  release_waiters();
}

void ConnectionPool::close() {
  closed_ = true;
  abort();
  drain();
}

/// While it is draining: where no connection is left, nobody waits for one.
void ConnectionPool::release_waiters() {
  if (!draining_ || !has_none()) return;
  for (Waiter* waiter : waiters_) waiter->served.cancel();
}

bool ConnectionPool::has_none() const {
  return std::ranges::all_of(slots_, [](const Slot& slot) { return slot.state == State::kLost; });
}

}  // namespace tesela::store::postgres
