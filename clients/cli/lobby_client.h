// The methods of the lobby and the leaderboard, over the Connect protocol on the server's HTTP
// port: one unary POST each, in protobuf, on a connection that is kept open between calls. Source
// of the protocol: https://connectrpc.com/docs/protocol/
#pragma once

#include <google/protobuf/any.pb.h>
#include <google/protobuf/message_lite.h>

#include <boost/beast/core/flat_buffer.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "clients/cli/connect.h"
#include "clients/cli/server_address.h"
#include "clients/cli/task.h"
#include "engine/core/result.h"
#include "tesela/lobby/v1/leaderboard.pb.h"
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

  Task<Expected<lobby::v1::SignInResponse>> sign_in(std::string display_name,
                                                    std::string device_secret = {});
  /// Needs the token of a player who has signed in with this secret.
  Task<Expected<lobby::v1::RenewTokenResponse>> renew_token(std::string device_secret);
  Task<Expected<lobby::v1::Table>> create_table(lobby::v1::CreateTableRequest request);
  /// Takes the first free seat. `invite` is that of a private table.
  Task<Expected<lobby::v1::Table>> join_table(std::string table_id, std::string invite);
  /// Begins the game: bots of the lowest level take the free seats.
  Task<Expected<lobby::v1::Table>> start_table(std::string table_id);
  Task<Expected<lobby::v1::Table>> rematch_table(std::string table_id);
  Task<Expected<lobby::v1::Table>> free_seat(std::string table_id, std::uint32_t seat);
  Task<Expected<lobby::v1::Table>> get_table(std::string table_id);
  Task<Expected<lobby::v1::ListTablesResponse>> list_tables(lobby::v1::ListTablesRequest request);
  Task<Expected<lobby::v1::GetBoardResponse>> get_board(lobby::v1::GetBoardRequest request);

 private:
  /// `method` as in "LobbyService/SignIn".
  template <class Response>
  Task<Expected<Response>> ask(std::string method, std::string request);
  template <class Response>
  Task<Expected<lobby::v1::Table>> ask_for_table(std::string method, std::string request);
  /// A request that names a table and no more.
  template <class Request, class Response>
  Task<Expected<lobby::v1::Table>> ask_about(std::string method, std::string table_id);
  Task<Expected<std::string>> call(std::string method, std::string request);
  Task<Expected<void>> ensure_connection();
  Task<Expected<std::string>> exchange(std::string method, std::string request);

  ServerAddress server_;
  std::string token_;
  std::optional<Socket> socket_;
  boost::beast::flat_buffer buffer_;
  std::chrono::steady_clock::time_point used_{};
};

}  // namespace tesela::cli
