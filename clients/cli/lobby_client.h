// The lobby's methods, over the Connect protocol on the server's HTTP port: one unary POST each, in
// protobuf, on a connection that is kept open between calls.
// Source of the protocol: https://connectrpc.com/docs/protocol/
#pragma once

#include <google/protobuf/any.pb.h>
#include <google/protobuf/message_lite.h>

#include <boost/beast/core/flat_buffer.hpp>
#include <optional>
#include <string>

#include "clients/cli/connect.h"
#include "clients/cli/server_address.h"
#include "clients/cli/task.h"
#include "engine/core/result.h"
#include "tesela/lobby/v1/lobby.pb.h"

namespace tesela::cli {

/// One call at a time, on the io_context of the coroutine that calls. Errors of every call: what
/// the server answered, or kUnavailable when it cannot be reached or does not answer in
/// kConnectTimeMax.
class LobbyClient {
 public:
  explicit LobbyClient(ServerAddress server) : server_(std::move(server)) {}

  /// Makes the calls that follow in the name of the player whose token this is.
  void authorise(std::string token) { token_ = std::move(token); }

  Task<Expected<lobby::v1::SignInResponse>> sign_in(std::string display_name);
  /// An empty `config` asks for the game's defaults.
  Task<Expected<lobby::v1::Table>> create_table(std::string game,
                                                std::optional<google::protobuf::Any> config);
  /// Takes the first free seat.
  Task<Expected<lobby::v1::Table>> join_table(std::string table_id);
  Task<Expected<lobby::v1::Table>> get_table(std::string table_id);
  Task<Expected<lobby::v1::ListTablesResponse>> list_tables(lobby::v1::ListTablesRequest request);

 private:
  template <class Response>
  Task<Expected<Response>> ask(std::string method, std::string request);
  Task<Expected<std::string>> call(std::string method, std::string request);
  Task<Expected<void>> ensure_connection();
  Task<Expected<std::string>> exchange(std::string method, std::string request);

  ServerAddress server_;
  std::string token_;
  std::optional<Socket> socket_;
  boost::beast::flat_buffer buffer_;
  std::chrono::steady_clock::time_point used_{};
};

/// What a Connect error response says: its body is JSON, `{"code": "not_found", "message": "…"}`. A
/// body that is not of that form gives a sentence made of the HTTP status.
[[nodiscard]] Error read_connect_error(unsigned http_status, const std::string& body);

}  // namespace tesela::cli
