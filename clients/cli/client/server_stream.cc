#include "clients/cli/client/server_stream.h"

#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <utility>

#include "clients/cli/client/connect.h"
#include "clients/cli/client/connect_protocol.h"

namespace tesela::cli {
namespace {

namespace http = boost::beast::http;

constexpr const char* kStreamType = "application/connect+proto";

Error stream_lost(const boost::system::error_code& error) {
  return {ErrorCode::kUnavailable, "The connection was lost: " + error.message() + "."};
}

}  // namespace

Task<Expected<void>> ServerStream::start(std::string method, std::string request) {
  auto endpoints = co_await resolve(server_);
  if (!endpoints) co_return std::unexpected(endpoints.error());
  auto connection = co_await connect(std::move(*endpoints), server_);
  if (!connection) co_return std::unexpected(connection.error());
  connection_.emplace(std::move(*connection));
  response_.body_limit(boost::none);  // messages are removed from the body when they are read
  auto asked = ask(std::move(method), std::move(request));
  co_return co_await in_time(std::move(asked), kConnectTimeMax);
}

Task<Expected<void>> ServerStream::ask(std::string method, std::string request) {
  const ConnectCall call{
      .server = server_, .token = token_, .method = std::move(method), .content_type = kStreamType};
  const auto message = connect_request(call, write_envelope(request));
  const auto [write_error, written] = co_await http::async_write(*connection_, message, kResult);
  if (write_error) co_return std::unexpected(stream_lost(write_error));
  const auto [read_error, read] =
      co_await http::async_read_header(*connection_, buffer_, response_, kResult);
  if (read_error) co_return std::unexpected(stream_lost(read_error));
  const auto& response = response_.get();
  if (response.result() == http::status::ok) co_return Expected<void>{};
  while (!response_.is_done()) {
    if (auto more = co_await read_some(); !more) co_return more;
  }
  co_return std::unexpected(read_connect_error(response.result_int(), response.body()));
}

Task<Expected<void>> ServerStream::read_some() {
  const auto [error, size] =
      co_await http::async_read_some(*connection_, buffer_, response_, kResult);
  if (error) co_return std::unexpected(stream_lost(error));
  co_return Expected<void>{};
}

Task<Expected<std::optional<std::string>>> ServerStream::next() {
  for (;;) {
    if (auto envelope = take_envelope(response_.get().body())) {
      if (!envelope->last) co_return std::move(envelope->message);
      if (auto end = read_stream_end(envelope->message); !end) {
        co_return std::unexpected(std::move(end.error()));
      }
      co_return std::nullopt;
    }
    if (response_.is_done()) {
      co_return refuse(ErrorCode::kUnavailable, "The server broke its answer off.");
    }
    auto more = co_await in_time(read_some(), kSilenceMax);
    if (!more) co_return std::unexpected(more.error());
  }
}

}  // namespace tesela::cli
