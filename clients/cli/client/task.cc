#include "clients/cli/client/task.h"

#include <boost/asio/experimental/awaitable_operators.hpp>

namespace tesela::cli {

Task<bool> ends_first(Task<void> work, Task<void> other) {
  using boost::asio::experimental::awaitable_operators::operator||;
  const auto first = co_await (std::move(work) || std::move(other));
  co_return first.index() == 0;
}

Task<void> until_one_ends(Task<void> work, Task<void> other) {
  co_await ends_first(std::move(work), std::move(other));
}

}  // namespace tesela::cli
