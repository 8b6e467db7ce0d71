// The coroutine types of the programs: one io_context a thread, and its own executor instead of a
// type-erased one, so that a round trip costs no more than its system calls.
//
// GCC 12 destroys some temporaries of a full expression that holds a co_await twice: aggregates
// with strings in them, and both arms of a conditional. Name them in a statement of their own.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>

namespace tesela::cli {

using Executor = boost::asio::io_context::executor_type;
template <class T>
using Task = boost::asio::awaitable<T, Executor>;
using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Executor>;
using Timer = boost::asio::basic_waitable_timer<
    std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

/// `co_await operation(…, kResult)` gives a tuple that begins with the error code, and throws
/// nothing but the end of a cancelled coroutine.
inline constexpr boost::asio::as_tuple_t<boost::asio::use_awaitable_t<Executor>> kResult{};

}  // namespace tesela::cli
