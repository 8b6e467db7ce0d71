#include "server/nodes/relay.h"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/status.hpp>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/net/http/parse_some.h"
#include "server/net/name_lookup.h"

namespace tesela::nodes {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::awaitable;
using asio::ip::tcp;
using net::use_tuple;
using std::chrono::steady_clock;
using namespace asio::experimental::awaitable_operators;

constexpr std::string_view kHttp = "HTTP/1.1 ";

void set_option(int socket, int level, int name, int value) {
  ::setsockopt(socket, level, name, &value, sizeof value);
}

/// Has the system find out that the machine of the owner has gone, which sends no word: after
/// limits::kRelaySilenceMax.
void notice_silence(int socket) {
  const auto probe = static_cast<int>(limits::kRelayProbeInterval.count());
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, probe);
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, probe);
  set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT,
             static_cast<int>(limits::kRelaySilenceMax.count()));
}

/// Whether `from` has ended its direction in order, with everything taken by `to`.
template <class From, class To, std::size_t kSize>
awaitable<bool> pass(From& from, To& to, std::array<char, kSize>& buffer) {
  for (;;) {
    const auto [error, size] = co_await from.read_some(asio::buffer(buffer));
    if (error) co_return error == asio::error::eof;
    const auto [failure, written] = co_await to.write({buffer.data(), size});
    if (failure) co_return false;
  }
}

}  // namespace

Relay::Relay(base::Loop& loop) : loop_(loop), owner_(loop), deadline_(loop) {}

awaitable<Answer> Relay::ask(NodeAddress owner, std::string request) {
  const bool connected = co_await connect(std::move(owner));
  if (!connected) co_return Answer::kUnreachable;
  close_after(limits::kRelayAnswerTimeMax);
  const auto [error, size] = co_await write(request);
  if (error) co_return Answer::kUnreachable;
  const Answer answer = co_await read_answer();
  close_never();
  co_return answer;
}

awaitable<bool> Relay::connect(NodeAddress owner) {
  std::string port = std::to_string(owner.port);
  const auto endpoints =
      co_await net::look_up(std::move(owner.host), std::move(port), limits::kRelayNameTimeMax);
  if (closed_) co_return false;
  close_after(limits::kRelayConnectTimeMax);
  const auto [error, endpoint] = co_await asio::async_connect(owner_, endpoints, use_tuple);
  if (error) co_return false;
  boost::system::error_code ignored;
  owner_.set_option(tcp::no_delay(true), ignored);
  notice_silence(owner_.native_handle());
  co_return true;
}

awaitable<Answer> Relay::read_answer() {
  std::string_view seen;
  while (seen.find('\n') == std::string_view::npos) {
    const auto room = asio::buffer(from_owner_) + answered_;
    if (room.size() == 0) co_return Answer::kUnreachable;
    const auto [error, size] = co_await read_some(room);
    if (error) co_return Answer::kUnreachable;
    answered_ += size;
    seen = {from_owner_.data(), answered_};
  }
  if (!seen.starts_with(kHttp)) co_return Answer::kUnreachable;
  const std::string_view status = seen.substr(kHttp.size(), 3);
  if (status == "421") co_return Answer::kWrongOwner;
  if (status == "403") co_return Answer::kStranger;
  co_return Answer::kGiven;
}

awaitable<std::optional<CallAnswer>> Relay::finish(std::string body,
                                                   steady_clock::time_point until) {
  close_at(until);
  boost::beast::flat_buffer buffer;
  buffer.commit(asio::buffer_copy(buffer.prepare(answered_), asio::buffer(from_owner_, answered_)));
  auto answer = co_await read_whole_answer(buffer);
  if (answer && answer->result() == http::status::continue_) {
    if (steady_clock::now() >= until) co_return std::nullopt;
    const auto [error, size] = co_await write(body);
    if (error) co_return std::nullopt;
    answer = co_await read_whole_answer(buffer);
  }
  close_never();
  close();
  co_return answer;
}

awaitable<std::optional<CallAnswer>> Relay::read_whole_answer(boost::beast::flat_buffer& buffer) {
  http::response_parser<http::string_body> parser;
  parser.body_limit(limits::kRelayAnswerBytesMax);
  const auto error = co_await net::parse_all(*this, buffer, parser);
  if (error) co_return std::nullopt;
  co_return parser.release();
}

awaitable<void> Relay::carry(net::StreamWire client) {
  client_.emplace(std::move(client));
  client_->tune(limits::kSocketSendBytes);
  co_await (to_owner() && to_client());
  close_never();
  close();
}

awaitable<void> Relay::to_owner() {
  const bool in_order = co_await pass(*client_, *this, from_client_);
  boost::system::error_code ignored;
  owner_.shutdown(tcp::socket::shutdown_send, ignored);
  ended(in_order);
}

awaitable<void> Relay::to_client() {
  const auto [error, size] = co_await client_->write(answered());
  bool in_order = !error;
  if (in_order) in_order = co_await pass(*this, *client_, from_owner_);
  client_->end();
  ended(in_order);
}

awaitable<net::Transferred> Relay::read_some(asio::mutable_buffer room) {
  const auto [error, size] = co_await owner_.async_read_some(room, use_tuple);
  co_return net::Transferred{error, size};
}

awaitable<net::Transferred> Relay::write(std::string_view bytes) {
  const auto [error, size] = co_await asio::async_write(owner_, asio::buffer(bytes), use_tuple);
  co_return net::Transferred{error, size};
}

/// The other direction may go on for a while, unless a connection is broken.
void Relay::ended(bool in_order) {
  if (!in_order) return close();
  close_after(limits::kRelayEndTimeMax);
}

void Relay::close_after(std::chrono::milliseconds time) {
  close_at(steady_clock::now() + time);
}

void Relay::close_by(steady_clock::time_point end) {
  end_ = end;
  if (end < deadline_.expiry()) close_at(end);
}

void Relay::close_at(steady_clock::time_point time) {
  deadline_.expires_at(std::min(time, end_));
  deadline_.async_wait([weak = weak_from_this()](boost::system::error_code error) {
    const auto self = weak.lock();
    // The deadline may have changed when this was under way already.
    if (!error && self && self->deadline_.expiry() <= steady_clock::now()) self->close();
  });
}

void Relay::close_never() {
  deadline_.expires_at(steady_clock::time_point::max());
  if (end_ != steady_clock::time_point::max()) close_at(end_);
}

void Relay::close() {
  closed_ = true;
  boost::system::error_code ignored;
  owner_.close(ignored);
  if (client_) client_->close();
}

}  // namespace tesela::nodes
