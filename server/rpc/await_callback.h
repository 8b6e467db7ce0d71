// From a callback on somebody else's thread back into a coroutine on its own.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>

namespace tesela::rpc {

/// Runs `begin` with a function that is to be called exactly once, from any thread, and resumes
/// when it was. Cancelling the awaiting coroutine runs `cancel`, which should make that call come
/// soon: it is waited for all the same.
boost::asio::awaitable<void> await_callback(std::function<void(std::function<void()> done)> begin,
                                            std::function<void()> cancel);

}  // namespace tesela::rpc
