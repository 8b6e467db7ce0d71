// Where a store's asynchronous calls meet the caller's coroutine.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <utility>

#include "engine/core/result.h"

namespace tesela::store {

using Executor = boost::asio::any_io_executor;

/// Resumes a suspended call with its outcome. Called once, on the call's executor, and never from
/// inside the function that received it.
template <class T>
using Resume = std::move_only_function<void(Expected<T>)>;

/// Suspends the caller and calls `start(executor, resume)`: the caller's executor, and what
/// converts to a Resume<T>. Once it has started, the call cannot be cancelled: a write may already
/// be on the disk.
template <class T, class Start>
[[nodiscard]] boost::asio::awaitable<Expected<T>> suspend(Start start) {
  return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void(Expected<T>)>(
      [](auto handler, Start begin) {
        Executor executor = boost::asio::get_associated_executor(handler);
        begin(std::move(executor), std::move(handler));
      },
      boost::asio::use_awaitable, std::move(start));
}

}  // namespace tesela::store
