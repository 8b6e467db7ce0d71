// What a stream costs before anything is done with it: a WebSocket server that echoes, built with
// the same compiler, flags and libraries as tesela-server. `tesela load --echo` talks to it.
#include <CLI/CLI.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <exception>
#include <iostream>
#include <utility>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;

constexpr auto kResult = asio::as_tuple(asio::use_awaitable);

asio::awaitable<void> echo(tcp::socket socket) {
  socket.set_option(tcp::no_delay(true));
  beast::websocket::stream<tcp::socket> stream(std::move(socket));
  stream.binary(true);
  if (const auto [error] = co_await stream.async_accept(kResult); error) co_return;
  beast::flat_buffer buffer;
  for (;;) {
    const auto [read_error, read] = co_await stream.async_read(buffer, kResult);
    if (read_error) co_return;
    const auto [write_error, written] = co_await stream.async_write(buffer.data(), kResult);
    if (write_error) co_return;
    buffer.consume(read);
  }
}

asio::awaitable<void> listen(unsigned short port) {
  tcp::acceptor acceptor(co_await asio::this_coro::executor,
                         tcp::endpoint(asio::ip::address_v4::loopback(), port));
  std::cout << "echo_baseline listens on port " << acceptor.local_endpoint().port() << std::endl;
  for (;;) {
    auto socket = co_await acceptor.async_accept(asio::use_awaitable);
    auto executor = socket.get_executor();
    asio::co_spawn(executor, echo(std::move(socket)), asio::detached);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  unsigned short port = 8090;
  CLI::App app{"Echoes WebSocket messages: what a stream costs before anything is done with it."};
  app.add_option("--port", port, "Where to listen, on the loopback")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  asio::io_context io{1};
  asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&io](const boost::system::error_code&, int) { io.stop(); });
  asio::co_spawn(io, listen(port), [](const std::exception_ptr& error) {
    if (error) std::rethrow_exception(error);
  });
  io.run();
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
