#include "server/net/name_lookup.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <charconv>
#include <memory>

#include "server/net/transport.h"

namespace tesela::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

/// Stays as long as the resolver.
struct Lookup {
  explicit Lookup(const asio::any_io_executor& executor) : resolver(executor), ended(executor) {}

  tcp::resolver resolver;
  asio::steady_timer ended;
  std::vector<tcp::endpoint> found;
};

}  // namespace

asio::awaitable<std::vector<tcp::endpoint>> look_up(std::string host, std::string port,
                                                    std::chrono::milliseconds time_max) {
  boost::system::error_code error;
  const auto address = asio::ip::make_address(host, error);
  std::uint16_t number = 0;
  const auto read = std::from_chars(port.data(), port.data() + port.size(), number);
  // An address needs no resolver, which would take a thread.
  if (!error && read.ec == std::errc{}) {
    std::vector<tcp::endpoint> found{{address, number}};
    co_return found;
  }
  const auto lookup = std::make_shared<Lookup>(co_await asio::this_coro::executor);
  lookup->ended.expires_after(time_max);
  lookup->resolver.async_resolve(host, port,
                                 [lookup](const auto& /*failure*/, const auto& entries) {
                                   for (const auto& entry : entries) {
                                     lookup->found.push_back(entry.endpoint());
                                   }
                                   lookup->ended.cancel();
                                 });
  co_await lookup->ended.async_wait(use_tuple);
  co_return lookup->found;
}

}  // namespace tesela::net
