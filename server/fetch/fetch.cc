#include "server/fetch/fetch.h"

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "server/fetch/fetch_limits.h"
#include "server/net/name_lookup.h"
#include "server/net/race.h"
#include "server/net/transport.h"
#include "server/quota/networks.h"

namespace tesela::fetch {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace ssl = asio::ssl;
using asio::awaitable;
using asio::ip::tcp;
using net::use_tuple;
using Endpoints = std::vector<tcp::endpoint>;
using Secure = ssl::stream<tcp::socket>;

/// Of special use (RFC 6890), or within a site.
bool is_public(const asio::ip::address& address) {
  static const quota::Networks kInside = *quota::Networks::parse(
      "0.0.0.0/8,10.0.0.0/8,100.64.0.0/10,127.0.0.0/8,169.254.0.0/16,172.16.0.0/12,192.0.0.0/24,"
      "192.0.2.0/24,192.168.0.0/16,198.18.0.0/15,198.51.100.0/24,203.0.113.0/24,224.0.0.0/3");
  // Of IPv6 only global unicast is public, without its parts that hold addresses of IPv4.
  static const quota::Networks kGlobal = *quota::Networks::parse("2000::/3");
  static const quota::Networks kTunnels =
      *quota::Networks::parse("2001::/23,2001:db8::/32,2002::/16");
  const auto plain = quota::plain_address(address);
  return plain.is_v4() ? !kInside.contains(plain)
                       : kGlobal.contains(plain) && !kTunnels.contains(plain);
}

std::unexpected<Error> failed(std::string sentence) {
  return refuse(ErrorCode::kUnavailable, std::move(sentence));
}

awaitable<Expected<Endpoints>> endpoints_of(const Question& question) {
  std::string host = question.url.host;
  std::string port = question.url.port;
  auto endpoints = co_await net::look_up(std::move(host), std::move(port), limits::kFetchTime);
  if (endpoints.empty()) co_return failed(question.url.host + " is not found.");
  std::erase_if(endpoints, [&](const tcp::endpoint& each) {
    return question.only_public && !is_public(each.address());
  });
  if (endpoints.empty()) {
    co_return failed(question.url.host +
                     " has no public address, and the operator has not named it: it is not asked.");
  }
  co_return endpoints;
}

http::request<http::string_body> request_of(Question question) {
  http::request<http::string_body> request;
  request.version(11);
  request.method(question.body.empty() ? http::verb::get : http::verb::post);
  request.target(question.url.target);
  request.set(http::field::host, question.url.authority());
  request.set(http::field::user_agent, "tesela-server");
  request.set(http::field::connection, "close");
  for (const auto& [name, value] : question.headers) request.set(name, value);
  if (!question.body.empty()) {
    request.body() = std::move(question.body);
    request.prepare_payload();
  }
  return request;
}

template <class Stream>
awaitable<Expected<HttpAnswer>> exchange(Stream& stream, Question question) {
  auto request = request_of(std::move(question));
  const auto [write_error, written] = co_await http::async_write(stream, request, use_tuple);
  if (write_error) co_return failed("It took no request: " + write_error.message() + ".");
  boost::beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.header_limit(limits::kFetchedHeaderBytesMax);
  parser.body_limit(limits::kFetchedBytesMax);
  const auto [read_error, read] = co_await http::async_read(stream, buffer, parser, use_tuple);
  if (read_error) co_return failed("It gave no answer: " + read_error.message() + ".");
  auto answer = parser.release();
  co_return HttpAnswer{.status = answer.result_int(), .body = std::move(answer.body())};
}

/// Empty, or what is wrong.
awaitable<std::string> secure(Secure& stream, std::string host) {
  SSL* connection = stream.native_handle();
  boost::system::error_code not_an_address;
  asio::ip::make_address(host, not_an_address);
  if (not_an_address) SSL_set_tlsext_host_name(connection, host.c_str());
  stream.set_verify_callback(ssl::host_name_verification(host));
  const auto [error] = co_await stream.async_handshake(ssl::stream_base::client, use_tuple);
  if (!error) co_return std::string{};
  const long verdict = SSL_get_verify_result(connection);
  if (verdict == X509_V_OK) co_return error.message();
  co_return std::string("its certificate is not trusted (") +
      X509_verify_cert_error_string(verdict) + ")";
}

awaitable<void> sleep(std::chrono::steady_clock::duration time) {
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(use_tuple);
}

}  // namespace

Fetcher::Fetcher() : trust_(ssl::context::tls_client) {
  trust_.set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 |
                     ssl::context::no_tlsv1_1);
  trust_.set_default_verify_paths();
  trust_.set_verify_mode(ssl::verify_peer);
}

awaitable<Expected<HttpAnswer>> Fetcher::ask(Question question) {
  const std::string host = question.url.authority();
  auto asked = ask_for_long(std::move(question));
  auto limit = sleep(limits::kFetchTime);
  auto answer = co_await net::result_before(std::move(asked), std::move(limit));
  if (answer) co_return std::move(*answer);
  co_return failed(host + " did not answer in time.");
}

awaitable<Expected<HttpAnswer>> Fetcher::ask_for_long(Question question) {
  const auto endpoints = co_await endpoints_of(question);
  if (!endpoints) co_return std::unexpected(endpoints.error());
  const std::string host = question.url.host;
  tcp::socket socket(co_await asio::this_coro::executor);
  const auto [error, endpoint] = co_await asio::async_connect(socket, *endpoints, use_tuple);
  if (error) co_return failed(host + " cannot be reached: " + error.message() + ".");
  if (!question.url.tls) co_return co_await exchange(socket, std::move(question));
  Secure stream(std::move(socket), trust_);
  const std::string wrong = co_await secure(stream, host);
  if (!wrong.empty()) co_return failed(host + " cannot be reached securely: " + wrong + ".");
  co_return co_await exchange(stream, std::move(question));
}

}  // namespace tesela::fetch
