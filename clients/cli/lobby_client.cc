#include "clients/cli/lobby_client.h"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/beast/http.hpp>
#include <utility>

#include "clients/cli/connect_protocol.h"

namespace tesela::cli {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

constexpr const char* kProtoType = "application/proto";
/// Servers close a connection that asks nothing for a while; a call must not meet one that just
/// did.
constexpr std::chrono::seconds kKeptOpen{5};

Error broken_off(const boost::system::error_code& error) {
  return {ErrorCode::kUnavailable, "The server did not answer: " + error.message() + "."};
}

Task<Expected<std::string>> time_out() {
  Timer timer(co_await asio::this_coro::executor, kConnectTimeMax);
  co_await timer.async_wait(kResult);
  co_return std::unexpected(broken_off(make_error_code(asio::error::timed_out)));
}

}  // namespace

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
  const ConnectCall call{
      .server = server_, .token = token_, .method = std::move(method), .content_type = kProtoType};
  const auto request = connect_request(call, std::move(body));
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

Task<Expected<lobby::v1::SignInResponse>> LobbyClient::sign_in(std::string display_name,
                                                               std::string device_secret) {
  lobby::v1::SignInRequest request;
  request.set_display_name(std::move(display_name));
  request.set_device_secret(std::move(device_secret));
  return ask<lobby::v1::SignInResponse>("LobbyService/SignIn", request.SerializeAsString());
}

Task<Expected<lobby::v1::RenewTokenResponse>> LobbyClient::renew_token(std::string device_secret) {
  lobby::v1::RenewTokenRequest request;
  request.set_device_secret(std::move(device_secret));
  return ask<lobby::v1::RenewTokenResponse>("LobbyService/RenewToken", request.SerializeAsString());
}

template <class Response>
Task<Expected<lobby::v1::Table>> LobbyClient::ask_for_table(std::string method,
                                                            std::string request) {
  auto response = co_await ask<Response>(std::move(method), std::move(request));
  if (!response) co_return std::unexpected(response.error());
  co_return std::move(*response->mutable_table());
}

Task<Expected<lobby::v1::Table>> LobbyClient::create_table(lobby::v1::CreateTableRequest request) {
  return ask_for_table<lobby::v1::CreateTableResponse>("LobbyService/CreateTable",
                                                       request.SerializeAsString());
}

Task<Expected<lobby::v1::Table>> LobbyClient::join_table(std::string table_id, std::string invite) {
  lobby::v1::JoinTableRequest request;
  request.set_table_id(std::move(table_id));
  request.set_invite(std::move(invite));
  return ask_for_table<lobby::v1::JoinTableResponse>("LobbyService/JoinTable",
                                                     request.SerializeAsString());
}

template <class Request, class Response>
Task<Expected<lobby::v1::Table>> LobbyClient::ask_about(std::string method, std::string table_id) {
  Request request;
  request.set_table_id(std::move(table_id));
  return ask_for_table<Response>(std::move(method), request.SerializeAsString());
}

Task<Expected<lobby::v1::Table>> LobbyClient::start_table(std::string table_id) {
  return ask_about<lobby::v1::StartTableRequest, lobby::v1::StartTableResponse>(
      "LobbyService/StartTable", std::move(table_id));
}

Task<Expected<lobby::v1::Table>> LobbyClient::rematch_table(std::string table_id) {
  return ask_about<lobby::v1::RematchTableRequest, lobby::v1::RematchTableResponse>(
      "LobbyService/RematchTable", std::move(table_id));
}

Task<Expected<lobby::v1::Table>> LobbyClient::free_seat(std::string table_id, std::uint32_t seat) {
  lobby::v1::FreeSeatRequest request;
  request.set_table_id(std::move(table_id));
  request.set_seat(seat);
  return ask_for_table<lobby::v1::FreeSeatResponse>("LobbyService/FreeSeat",
                                                    request.SerializeAsString());
}

Task<Expected<lobby::v1::Table>> LobbyClient::get_table(std::string table_id) {
  return ask_about<lobby::v1::GetTableRequest, lobby::v1::GetTableResponse>("LobbyService/GetTable",
                                                                            std::move(table_id));
}

Task<Expected<lobby::v1::ListTablesResponse>> LobbyClient::list_tables(
    lobby::v1::ListTablesRequest request) {
  return ask<lobby::v1::ListTablesResponse>("LobbyService/ListTables", request.SerializeAsString());
}

Task<Expected<lobby::v1::GetBoardResponse>> LobbyClient::get_board(
    lobby::v1::GetBoardRequest request) {
  return ask<lobby::v1::GetBoardResponse>("LeaderboardService/GetBoard",
                                          request.SerializeAsString());
}

}  // namespace tesela::cli
