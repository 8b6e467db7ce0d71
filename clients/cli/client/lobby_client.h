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

/// One call at a time, with the errors of ConnectClient.
class LobbyClient {
 public:
  explicit LobbyClient(ServerAddress server) : client_(std::move(server), "tesela.lobby.v1") {}

  /// Sets the token of the calls that follow.
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
  /// Contributes to the dice of a table that waits for the player's contribution.
  Task<Expected<lobby::v1::ContributeResponse>> contribute(std::string table_id,
                                                           std::string contribution);
  Task<Expected<lobby::v1::Table>> free_seat(std::string table_id, std::uint32_t seat);
  Task<Expected<lobby::v1::Table>> get_table(std::string table_id);
  Task<Expected<lobby::v1::ListTablesResponse>> list_tables(lobby::v1::ListTablesRequest request);
  Task<Expected<lobby::v1::GetBoardResponse>> get_board(lobby::v1::GetBoardRequest request);
  Task<Expected<lobby::v1::GetRatingResponse>> get_rating(std::string game, std::string player_id);

 private:
  /// `method` as in "LobbyService/SignIn".
  template <class Response>
  Task<Expected<lobby::v1::Table>> ask_for_table(std::string method, std::string request);
  /// A request whose only field is the table's id.
  template <class Request, class Response>
  Task<Expected<lobby::v1::Table>> ask_about(std::string method, std::string table_id);

  ConnectClient client_;
};

}  // namespace tesela::cli
