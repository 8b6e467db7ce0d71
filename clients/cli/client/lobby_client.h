// The methods of the lobby and the leaderboard, on the server's HTTP port.
#pragma once

#include <google/protobuf/any.pb.h>
#include <google/protobuf/message_lite.h>

#include <cstdint>
#include <string>

#include "clients/cli/client/connect_client.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"
#include "engine/core/result.h"
#include "tesela/lobby/v1/leaderboard.pb.h"
#include "tesela/lobby/v1/lobby.pb.h"

namespace tesela::cli {

/// As ConnectClient.
class LobbyClient {
 public:
  explicit LobbyClient(ServerAddress server) : client_(std::move(server), "tesela.lobby.v1") {}

  /// Makes the calls that follow in the name of the player whose token this is.
  void authorise(std::string token) { client_.authorise(std::move(token)); }

  Task<Expected<lobby::v1::SignInResponse>> sign_in(std::string display_name,
                                                    std::string device_secret = {});
  /// Needs the token of a player who has signed in with this secret.
  Task<Expected<lobby::v1::RenewTokenResponse>> renew_token(std::string device_secret);
  // The calls that take a seat ask for the second step of a fair game: see `contribute`.
  Task<Expected<lobby::v1::Table>> create_table(lobby::v1::CreateTableRequest request);
  /// Takes the first free seat. `invite` is that of a private table.
  Task<Expected<lobby::v1::Table>> join_table(std::string table_id, std::string invite);
  /// Begins the game: bots of the lowest level take the free seats.
  Task<Expected<lobby::v1::Table>> start_table(std::string table_id);
  Task<Expected<lobby::v1::Table>> rematch_table(std::string table_id);
  /// Adds to the dice of a table where the player's contribution is awaited.
  Task<Expected<lobby::v1::ContributeResponse>> contribute(std::string table_id,
                                                           std::string contribution);
  Task<Expected<lobby::v1::Table>> free_seat(std::string table_id, std::uint32_t seat);
  Task<Expected<lobby::v1::Table>> get_table(std::string table_id);
  Task<Expected<lobby::v1::ListTablesResponse>> list_tables(lobby::v1::ListTablesRequest request);
  Task<Expected<lobby::v1::GetBoardResponse>> get_board(lobby::v1::GetBoardRequest request);

 private:
  /// `method` as in "LobbyService/SignIn".
  template <class Response>
  Task<Expected<lobby::v1::Table>> ask_for_table(std::string method, std::string request);
  /// A request that names a table and no more.
  template <class Request, class Response>
  Task<Expected<lobby::v1::Table>> ask_about(std::string method, std::string table_id);

  ConnectClient client_;
};

}  // namespace tesela::cli
