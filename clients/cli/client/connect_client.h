// Methods of the server over the Connect protocol: one unary POST each, in protobuf, on a
// connection that is kept open between calls. Source of the protocol:
// https://connectrpc.com/docs/protocol/
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <chrono>
#include <optional>
#include <string>

#include "clients/cli/client/connect.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// One call at a time, on the io_context of the coroutine that calls. Errors of every call: what
/// the server answered, or kUnavailable when it cannot be reached or does not answer in
/// kConnectTimeMax.
class ConnectClient {
 public:
  /// `package` is that of the services, such as "tesela.lobby.v1".
  ConnectClient(ServerAddress server, std::string package)
      : server_(std::move(server)), package_(std::move(package)) {}

  /// Sets the token of the calls that follow.
  void authorise(std::string token) { token_ = std::move(token); }

  /// Calls a method, such as "LobbyService/SignIn", with an encoded request.
  template <class Response>
  Task<Expected<Response>> ask(std::string method, std::string request) {
    auto body = co_await call(std::move(method), std::move(request));
    if (!body) co_return std::unexpected(body.error());
    Response response;
    if (!response.ParseFromString(*body)) {
      co_return refuse(ErrorCode::kInternal, "The server's answer cannot be read.");
    }
    co_return response;
  }

 private:
  Task<Expected<std::string>> call(std::string method, std::string request);
  Task<Expected<void>> ensure_connection();
  Task<Expected<std::string>> exchange(std::string method, std::string body);

  ServerAddress server_;
  std::string package_;
  std::string token_;
  std::optional<Connection> connection_;
  boost::beast::flat_buffer buffer_;
  std::chrono::steady_clock::time_point used_{};
};

}  // namespace tesela::cli
