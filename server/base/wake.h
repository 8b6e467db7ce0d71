// Wakes a coroutine from another thread.
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <memory>

#include "server/base/loop.h"

namespace tesela::base {

/// Awaited by one coroutine on `executor`, which runs one thread.
class Wake {
 public:
  using Time = boost::asio::steady_timer::time_point;

  /// On the thread of `executor`.
  explicit Wake(const boost::asio::any_io_executor& executor)
      : state_(std::make_shared<State>(executor)) {}

  /// Ends the wait, or the next one when nobody waits. Any thread.
  void notify() {
    if (state_->notified.exchange(true)) return;
    state_->waiter.post([state = state_] { state->timer.cancel(); });
  }

  /// Returns soon after `notify`; it may also return without one. The caller looks again for what
  /// it waits for. False when `until` has come.
  boost::asio::awaitable<bool> wait(Time until = Time::max()) {
    if (state_->notified.exchange(false)) co_return true;
    state_->timer.expires_at(until);
    boost::system::error_code woken;
    co_await state_->timer.async_wait(
        boost::asio::redirect_error(boost::asio::use_awaitable, woken));
    co_return state_->notified.exchange(false) || woken;
  }

 private:
  struct State {
    explicit State(const boost::asio::any_io_executor& executor)
        : waiter(executor), timer(executor) {}

    const Continuation waiter;
    boost::asio::steady_timer timer;  // on the executor's thread alone
    std::atomic<bool> notified{false};
  };

  std::shared_ptr<State> state_;  // outlives the waiter in a notice that is under way
};

}  // namespace tesela::base
