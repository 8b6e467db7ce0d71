// The coroutine types of this program: one io_context a thread, and its own executor instead of a
// type-erased one, so that a round trip costs no more than its system calls.
//
// GCC 12 destroys some temporaries of a full expression that holds a co_await twice: aggregates
// with strings in them, and both arms of a conditional. Name them in a statement of their own.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <optional>
#include <utility>

namespace tesela::cli {

using Executor = boost::asio::io_context::executor_type;
template <class T>
using Task = boost::asio::awaitable<T, Executor>;
using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Executor>;
using Timer = boost::asio::basic_waitable_timer<
    std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

/// `co_await operation(…, kResult)` gives a tuple that begins with the error code, and throws only
/// when the coroutine is cancelled.
inline constexpr boost::asio::as_tuple_t<boost::asio::use_awaitable_t<Executor>> kResult{};

/// Runs both until one ends, and cancels the other; returns when that has ended too. Whether `work`
/// has ended first. One that throws has not ended as long as the other runs. In place of Asio's
/// operator||, which is compiled for each pair of types.
Task<bool> ends_first(Task<void> work, Task<void> other);

/// The same where it does not matter which one it was; of any number.
Task<void> until_one_ends(Task<void> work, Task<void> other);
template <class... More>
Task<void> until_one_ends(Task<void> work, Task<void> other, More... more) {
  return until_one_ends(until_one_ends(std::move(work), std::move(other)), std::move(more)...);
}

/// The result of `work` goes into `result`, which outlives it.
template <class T>
Task<void> keep_result(Task<T> work, std::optional<T>& result) {
  result.emplace(co_await std::move(work));
}

/// The result of `work`, or none when `other` has ended first.
template <class T>
Task<std::optional<T>> result_before(Task<T> work, Task<void> other) {
  std::optional<T> result;
  auto kept = keep_result(std::move(work), result);
  const bool first = co_await ends_first(std::move(kept), std::move(other));
  if (!first) result.reset();
  co_return std::move(result);
}

/// Runs `task` to its end on a new io_context and blocks until then. Throws the exceptions of the
/// task. Sockets and timers of the task must not outlive it, because the io_context does not.
template <class T>
T await(Task<T> task) {
  boost::asio::io_context io{1};
  auto result = boost::asio::co_spawn(io, std::move(task), boost::asio::use_future);
  io.run();
  return result.get();
}

}  // namespace tesela::cli
