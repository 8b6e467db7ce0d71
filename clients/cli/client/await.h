// From main's world into the coroutines' and back.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <utility>

#include "clients/cli/client/task.h"

namespace tesela::cli {

/// Runs `task` to its end on an io_context that exists for it alone. Throws what it throws. What
/// the task leaves behind must not hold sockets or timers of that io_context.
template <class T>
T await(Task<T> task) {
  boost::asio::io_context io{1};
  auto result = boost::asio::co_spawn(io, std::move(task), boost::asio::use_future);
  io.run();
  return result.get();
}

}  // namespace tesela::cli
