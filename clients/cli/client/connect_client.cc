#include "clients/cli/client/connect_client.h"

#include <boost/beast/http/status.hpp>
#include <utility>

#include "clients/cli/client/connect_protocol.h"

namespace tesela::cli {
namespace {

namespace http = boost::beast::http;

constexpr const char* kProtoType = "application/proto";
/// Servers close idle connections. A connection that was idle for longer than this is not reused,
/// so that no call fails because the server has just closed it.
constexpr std::chrono::seconds kKeptOpen{5};

Error broken_off(const boost::system::error_code& error) {
  return {ErrorCode::kUnavailable, "The server did not answer: " + error.message() + "."};
}

}  // namespace

Task<Expected<void>> ConnectClient::ensure_connection() {
  const auto now = std::chrono::steady_clock::now();
  if (connection_ && now - used_ < kKeptOpen) co_return Expected<void>{};
  connection_.reset();
  buffer_.clear();
  auto endpoints = co_await resolve(server_);
  if (!endpoints) co_return std::unexpected(endpoints.error());
  auto connection = co_await connect(std::move(*endpoints), server_);
  if (!connection) co_return std::unexpected(connection.error());
  connection_.emplace(std::move(*connection));
  co_return Expected<void>{};
}

Task<Expected<std::string>> ConnectClient::exchange(std::string method, std::string body) {
  const ConnectCall call{.server = server_,
                         .token = token_,
                         .method = std::move(method),
                         .content_type = kProtoType,
                         .package = package_};
  auto request = connect_request(call, std::move(body));
  auto response = co_await cli::exchange(*connection_, buffer_, std::move(request));
  if (!response) co_return std::unexpected(broken_off(response.error()));
  if (!response->keep_alive()) connection_.reset();
  used_ = std::chrono::steady_clock::now();
  if (response->result() == http::status::ok) co_return std::move(response->body());
  co_return std::unexpected(read_connect_error(response->result_int(), response->body()));
}

Task<Expected<std::string>> ConnectClient::call(std::string method, std::string request) {
  if (auto ready = co_await ensure_connection(); !ready) co_return std::unexpected(ready.error());
  auto answer = exchange(std::move(method), std::move(request));
  auto result = co_await in_time(std::move(answer), kConnectTimeMax);
  // After a failure the state of the connection is unknown.
  if (!result && result.error().code == ErrorCode::kUnavailable) connection_.reset();
  co_return result;
}

}  // namespace tesela::cli
