#include "clients/cli/client/lobby_client.h"

#include <utility>

namespace tesela::cli {

Task<Expected<lobby::v1::SignInResponse>> LobbyClient::sign_in(std::string display_name,
                                                               std::string device_secret) {
  lobby::v1::SignInRequest request;
  request.set_display_name(std::move(display_name));
  request.set_device_secret(std::move(device_secret));
  return client_.ask<lobby::v1::SignInResponse>("LobbyService/SignIn", request.SerializeAsString());
}

Task<Expected<lobby::v1::RenewTokenResponse>> LobbyClient::renew_token(std::string device_secret) {
  lobby::v1::RenewTokenRequest request;
  request.set_device_secret(std::move(device_secret));
  return client_.ask<lobby::v1::RenewTokenResponse>("LobbyService/RenewToken",
                                                    request.SerializeAsString());
}

template <class Response>
Task<Expected<lobby::v1::Table>> LobbyClient::ask_for_table(std::string method,
                                                            std::string request) {
  auto response = co_await client_.ask<Response>(std::move(method), std::move(request));
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
  request.set_contribute_later(true);
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
  lobby::v1::RematchTableRequest request;
  request.set_table_id(std::move(table_id));
  request.set_contribute_later(true);
  return ask_for_table<lobby::v1::RematchTableResponse>("LobbyService/RematchTable",
                                                        request.SerializeAsString());
}

Task<Expected<lobby::v1::ContributeResponse>> LobbyClient::contribute(std::string table_id,
                                                                      std::string contribution) {
  lobby::v1::ContributeRequest request;
  request.set_table_id(std::move(table_id));
  request.set_contribution(std::move(contribution));
  return client_.ask<lobby::v1::ContributeResponse>("LobbyService/Contribute",
                                                    request.SerializeAsString());
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
  return client_.ask<lobby::v1::ListTablesResponse>("LobbyService/ListTables",
                                                    request.SerializeAsString());
}

Task<Expected<lobby::v1::GetBoardResponse>> LobbyClient::get_board(
    lobby::v1::GetBoardRequest request) {
  return client_.ask<lobby::v1::GetBoardResponse>("LeaderboardService/GetBoard",
                                                  request.SerializeAsString());
}

Task<Expected<lobby::v1::GetRatingResponse>> LobbyClient::get_rating(std::string game,
                                                                     std::string player_id) {
  lobby::v1::GetRatingRequest request;
  request.set_game(std::move(game));
  request.set_player_id(std::move(player_id));
  return client_.ask<lobby::v1::GetRatingResponse>("LeaderboardService/GetRating",
                                                   request.SerializeAsString());
}

}  // namespace tesela::cli
