// Two coroutines of which the first to end cancels the other one.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <utility>

#include "server/base/loop.h"

namespace tesela::net {

/// Runs both until one ends, and cancels the other; returns when that has ended too. Whether `work`
/// has ended first. One that throws has not ended as long as the other runs. In place of Asio's
/// operator||, which is compiled for each pair of types.
boost::asio::awaitable<bool> ends_first(boost::asio::awaitable<void> work,
                                        boost::asio::awaitable<void> other);

/// The result of `work`, or none when `other` has ended first.
template <class T>
boost::asio::awaitable<std::optional<T>> result_before(boost::asio::awaitable<T> work,
                                                       boost::asio::awaitable<void> other) {
  std::optional<T> result;
  auto kept = base::keep_result(std::move(work), result);
  const bool first = co_await ends_first(std::move(kept), std::move(other));
  if (!first) result.reset();
  co_return std::move(result);
}

}  // namespace tesela::net
