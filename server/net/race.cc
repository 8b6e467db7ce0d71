#include "server/net/race.h"

#include <boost/asio/experimental/awaitable_operators.hpp>

namespace tesela::net {

boost::asio::awaitable<bool> ends_first(boost::asio::awaitable<void> work,
                                        boost::asio::awaitable<void> other) {
  using boost::asio::experimental::awaitable_operators::operator||;
  const auto first = co_await (std::move(work) || std::move(other));
  co_return first.index() == 0;
}

}  // namespace tesela::net
