// Wakes a coroutine from another thread.
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <memory>

namespace tesela::rpc {

/// Awaited by one coroutine on `executor`, which runs one thread.
class Wake {
 public:
  explicit Wake(boost::asio::any_io_executor executor)
      : state_(std::make_shared<State>(std::move(executor))) {}

  /// Ends the wait, or the next one when nobody waits. Any thread.
  void notify() {
    if (state_->notified.exchange(true)) return;
    boost::asio::post(state_->timer.get_executor(), [state = state_] { state->timer.cancel(); });
  }

  /// Returns soon after `notify`; it may also return without one. The caller looks again for what
  /// it waits for.
  boost::asio::awaitable<void> wait() {
    if (state_->notified.exchange(false)) co_return;
    boost::system::error_code woken;
    co_await state_->timer.async_wait(
        boost::asio::redirect_error(boost::asio::use_awaitable, woken));
    state_->notified = false;
  }

 private:
  struct State {
    explicit State(boost::asio::any_io_executor executor)
        : timer(std::move(executor), boost::asio::steady_timer::time_point::max()) {}

    boost::asio::steady_timer timer;  // on the executor's thread alone
    std::atomic<bool> notified{false};
  };

  std::shared_ptr<State> state_;  // outlives the waiter in a notice that is under way
};

}  // namespace tesela::rpc
