// Where a store's asynchronous calls meet the caller's coroutine.
#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <functional>
#include <utility>

#include "engine/core/result.h"
#include "server/base/loop.h"

namespace tesela::store {

/// Resumes a suspended call with its outcome. Called once, by the call's continuation.
template <class T>
using Resume = std::move_only_function<void(Expected<T>)>;

/// Suspends the caller and calls `start(caller, resume)`: where the caller goes on, a
/// base::Continuation, and what converts to a Resume<T>. Once it has started, the call cannot be
/// cancelled: a write may already be on the disk.
template <class T, class Start>
[[nodiscard]] boost::asio::awaitable<Expected<T>> suspend(Start start) {
  return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void(Expected<T>)>(
      [](auto handler, Start begin) {
        base::Continuation caller(boost::asio::get_associated_executor(handler));
        begin(std::move(caller), std::move(handler));
      },
      boost::asio::use_awaitable, std::move(start));
}

/// The same for a caller that keeps what `start` refers to while it waits: only in a co_await, and
/// without a coroutine of its own, which would have to be allocated.
template <class T, class Start>
[[nodiscard]] auto suspend_here(Start start) {
  return boost::asio::async_initiate<const boost::asio::deferred_t, void(Expected<T>)>(
      [start](auto handler) { start(std::move(handler)); }, boost::asio::deferred);
}

/// Runs `work` where the caller goes on, and resumes it with the outcome.
template <class T>
void resume_after(boost::asio::awaitable<Expected<T>> work, const base::Continuation& caller,
                  Resume<T> resume) {
  boost::asio::co_spawn(
      caller.executor(), std::move(work),
      [resume = std::move(resume)](const std::exception_ptr& thrown, Expected<T> outcome) mutable {
        if (thrown) std::rethrow_exception(thrown);
        resume(std::move(outcome));
      });
}

}  // namespace tesela::store
