#include "tests/server/net/http/http_client.h"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/read.hpp>
#include <chrono>
#include <stdexcept>

namespace tesela::net {
namespace {

namespace asio = boost::asio;
constexpr std::chrono::seconds kPatience{5};

}  // namespace

HttpClient::HttpClient(std::uint16_t port) {
  stream_.socket().connect({asio::ip::make_address("127.0.0.1"), port});
}

void HttpClient::run() {
  context_.restart();
  context_.run();
  if (error_) throw boost::system::system_error{error_};
}

void HttpClient::send(std::string_view bytes) {
  stream_.expires_after(kPatience);
  asio::async_write(stream_, asio::buffer(bytes), [this](auto error, auto) { error_ = error; });
  run();
}

HttpClient::Reply HttpClient::read(http::verb answered) {
  http::response_parser<http::string_body> parser;
  parser.skip(answered == http::verb::head);
  stream_.expires_after(kPatience);
  http::async_read(stream_, buffer_, parser, [this](auto error, auto) { error_ = error; });
  run();
  return parser.release();
}

HttpClient::Reply HttpClient::ask(http::verb verb, std::string_view target, Headers headers,
                                  std::string_view body) {
  std::string bytes{http::to_string(verb)};
  bytes.append(" ").append(target).append(" HTTP/1.1\r\nHost: tesela.example\r\n");
  for (const auto& [name, value] : headers)
    bytes.append(name).append(": ").append(value).append("\r\n");
  if (!body.empty() || verb == http::verb::post) {
    bytes.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
  }
  send(bytes.append("\r\n").append(body));
  return read(verb);
}

HttpClient::Reply HttpClient::get(std::string_view target, Headers headers) {
  return ask(http::verb::get, target, headers);
}

HttpClient::Reply HttpClient::post(std::string_view target, std::string_view content_type,
                                   std::string_view body, Headers headers) {
  std::string bytes{"POST "};
  bytes.append(target).append(" HTTP/1.1\r\nHost: tesela.example\r\nContent-Type: ");
  bytes.append(content_type).append("\r\n");
  for (const auto& [name, value] : headers)
    bytes.append(name).append(": ").append(value).append("\r\n");
  bytes.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
  send(bytes.append(body));
  return read();
}

HttpClient::Reply HttpClient::read_head() {
  http::response_parser<http::string_body> parser;
  stream_.expires_after(kPatience);
  http::async_read_header(stream_, buffer_, parser, [this](auto error, auto) { error_ = error; });
  run();
  return parser.release();
}

std::string HttpClient::read_body(std::size_t size) {
  // Chunked bodies only, and each chunk whole.
  while (body_.size() < size) {
    const std::string_view waiting{static_cast<const char*>(buffer_.data().data()), buffer_.size()};
    const std::size_t line = waiting.find("\r\n");
    const std::size_t chunk = line == std::string_view::npos
                                  ? 0
                                  : std::stoul(std::string{waiting.substr(0, line)}, nullptr, 16);
    if (line != std::string_view::npos && waiting.size() >= line + 2 + chunk + 2) {
      if (chunk == 0) throw std::runtime_error("the body has ended");
      body_ += waiting.substr(line + 2, chunk);
      buffer_.consume(line + 2 + chunk + 2);
      continue;
    }
    stream_.expires_after(kPatience);
    stream_.async_read_some(buffer_.prepare(4096), [this](auto error, std::size_t read) {
      error_ = error;
      buffer_.commit(read);
    });
    run();
  }
  return std::exchange(body_, {});
}

void HttpClient::wait_for_end() {
  stream_.expires_after(kPatience);
  for (;;) {
    stream_.async_read_some(buffer_.prepare(4096), [this](auto error, auto) { error_ = error; });
    context_.restart();
    context_.run();
    if (error_ == boost::beast::error::timeout) throw std::runtime_error("the connection stays");
    if (error_) return;
  }
}

bool HttpClient::is_quiet() {
  stream_.expires_after(std::chrono::milliseconds{200});
  stream_.async_read_some(buffer_.prepare(1), [this](auto error, auto) { error_ = error; });
  context_.restart();
  context_.run();
  return error_ == boost::beast::error::timeout;
}

void HttpClient::hang_up() {
  stream_.close();
}

}  // namespace tesela::net
