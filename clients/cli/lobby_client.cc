#include "clients/cli/lobby_client.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <array>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/beast/http.hpp>
#include <string_view>
#include <utility>

namespace tesela::cli {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

constexpr const char* kProtoType = "application/proto";
constexpr int kHttp11 = 11;
/// Servers close a connection that asks nothing for a while; a call must not meet one that just
/// did.
constexpr std::chrono::seconds kKeptOpen{5};

struct CodeName {
  std::string_view name;
  ErrorCode code;
};
constexpr std::array kCodes = {
    CodeName{"invalid_argument", ErrorCode::kInvalidArgument},
    CodeName{"unauthenticated", ErrorCode::kUnauthenticated},
    CodeName{"permission_denied", ErrorCode::kUnauthenticated},
    CodeName{"not_found", ErrorCode::kNotFound},
    CodeName{"failed_precondition", ErrorCode::kSeatTaken},
    CodeName{"resource_exhausted", ErrorCode::kResourceExhausted},
    CodeName{"unavailable", ErrorCode::kUnavailable},
    CodeName{"deadline_exceeded", ErrorCode::kUnavailable},
};

ErrorCode code_named(std::string_view name) {
  for (const auto& entry : kCodes) {
    if (entry.name == name) return entry.code;
  }
  return ErrorCode::kInternal;
}

Error broken_off(const boost::system::error_code& error) {
  return {ErrorCode::kUnavailable, "The server did not answer: " + error.message() + "."};
}

Task<Expected<std::string>> time_out() {
  Timer timer(co_await asio::this_coro::executor, kConnectTimeMax);
  co_await timer.async_wait(kResult);
  co_return std::unexpected(broken_off(make_error_code(asio::error::timed_out)));
}

}  // namespace

Error read_connect_error(unsigned http_status, const std::string& body) {
  google::protobuf::Struct error;
  if (google::protobuf::util::JsonStringToMessage(body, &error).ok()) {
    const auto& fields = error.fields();
    const auto code = fields.find("code");
    const auto message = fields.find("message");
    if (code != fields.end()) {
      return {code_named(code->second.string_value()), message == fields.end()
                                                           ? code->second.string_value()
                                                           : message->second.string_value()};
    }
  }
  return {ErrorCode::kUnavailable,
          "The server answered with HTTP status " + std::to_string(http_status) + "."};
}

Task<Expected<void>> LobbyClient::ensure_connection() {
  const auto now = std::chrono::steady_clock::now();
  if (socket_ && now - used_ < kKeptOpen) co_return Expected<void>{};
  socket_.reset();
  buffer_.clear();
  auto endpoints = co_await resolve(server_);
  if (!endpoints) co_return std::unexpected(endpoints.error());
  auto socket = co_await connect(std::move(*endpoints));
  if (!socket) co_return std::unexpected(socket.error());
  socket_.emplace(std::move(*socket));
  co_return Expected<void>{};
}

Task<Expected<std::string>> LobbyClient::exchange(std::string method, std::string body) {
  http::request<http::string_body> request(
      http::verb::post, "/tesela.lobby.v1.LobbyService/" + method, kHttp11, std::move(body));
  request.set(http::field::host, to_text(server_));
  request.set(http::field::content_type, kProtoType);
  request.set("connect-protocol-version", "1");
  if (!token_.empty()) request.set(http::field::authorization, "Bearer " + token_);
  request.prepare_payload();
  const auto [write_error, written] = co_await http::async_write(*socket_, request, kResult);
  if (write_error) co_return std::unexpected(broken_off(write_error));
  http::response<http::string_body> response;
  const auto [read_error, read] = co_await http::async_read(*socket_, buffer_, response, kResult);
  if (read_error) co_return std::unexpected(broken_off(read_error));
  if (!response.keep_alive()) socket_.reset();
  used_ = std::chrono::steady_clock::now();
  if (response.result() == http::status::ok) co_return std::move(response.body());
  co_return std::unexpected(read_connect_error(response.result_int(), response.body()));
}

Task<Expected<std::string>> LobbyClient::call(std::string method, std::string request) {
  using asio::experimental::awaitable_operators::operator||;
  if (auto ready = co_await ensure_connection(); !ready) co_return std::unexpected(ready.error());
  auto answer = co_await (exchange(std::move(method), std::move(request)) || time_out());
  auto result = std::visit([](auto&& either) { return std::forward<decltype(either)>(either); },
                           std::move(answer));
  // After a failure nobody knows where in its conversation the connection stands.
  if (!result && result.error().code == ErrorCode::kUnavailable) socket_.reset();
  co_return result;
}

template <class Response>
Task<Expected<Response>> LobbyClient::ask(std::string method, std::string request) {
  auto body = co_await call(std::move(method), std::move(request));
  if (!body) co_return std::unexpected(body.error());
  Response response;
  if (!response.ParseFromString(*body)) {
    co_return refuse(ErrorCode::kInternal, "The server's answer cannot be read.");
  }
  co_return response;
}

Task<Expected<lobby::v1::SignInResponse>> LobbyClient::sign_in(std::string display_name) {
  lobby::v1::SignInRequest request;
  request.set_display_name(std::move(display_name));
  return ask<lobby::v1::SignInResponse>("SignIn", request.SerializeAsString());
}

Task<Expected<lobby::v1::Table>> LobbyClient::create_table(
    std::string game, std::optional<google::protobuf::Any> config) {
  lobby::v1::CreateTableRequest request;
  request.set_game(std::move(game));
  if (config) *request.mutable_config() = std::move(*config);
  auto response =
      co_await ask<lobby::v1::CreateTableResponse>("CreateTable", request.SerializeAsString());
  if (!response) co_return std::unexpected(response.error());
  co_return std::move(*response->mutable_table());
}

Task<Expected<lobby::v1::Table>> LobbyClient::join_table(std::string table_id) {
  lobby::v1::JoinTableRequest request;
  request.set_table_id(std::move(table_id));
  auto response =
      co_await ask<lobby::v1::JoinTableResponse>("JoinTable", request.SerializeAsString());
  if (!response) co_return std::unexpected(response.error());
  co_return std::move(*response->mutable_table());
}

Task<Expected<lobby::v1::Table>> LobbyClient::get_table(std::string table_id) {
  lobby::v1::GetTableRequest request;
  request.set_table_id(std::move(table_id));
  auto response =
      co_await ask<lobby::v1::GetTableResponse>("GetTable", request.SerializeAsString());
  if (!response) co_return std::unexpected(response.error());
  co_return std::move(*response->mutable_table());
}

Task<Expected<lobby::v1::ListTablesResponse>> LobbyClient::list_tables(
    lobby::v1::ListTablesRequest request) {
  return ask<lobby::v1::ListTablesResponse>("ListTables", request.SerializeAsString());
}

}  // namespace tesela::cli
