// Calls for the player who is signed in here.
#pragma once

#include <string>
#include <utility>

#include "clients/cli/base/fail.h"
#include "clients/cli/client/connect_client.h"
#include "clients/cli/client/player_file.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"
#include "engine/core/result.h"

namespace tesela::cli {

[[nodiscard]] inline PlayerFile file_of(const ServerAddress& server) {
  return {state_directory(), server};
}

[[nodiscard]] inline ConnectClient client_of(const ServerAddress& server) {
  return {server, "tesela.account.v1"};
}

/// Calls a method of tesela.account.v1. kUnauthenticated when nobody is signed in here.
template <class Response>
Task<Expected<Response>> call(ServerAddress server, std::string method, std::string request) {
  const auto player = file_of(server).load();
  if (!player) {
    co_return refuse(ErrorCode::kUnauthenticated,
                     "Nobody is signed in here: play a game, or `tesela account sign-in`.");
  }
  ConnectClient client = client_of(server);
  client.authorise(player->token());
  co_return co_await client.ask<Response>(std::move(method), std::move(request));
}

/// The answer; where there is none, the program ends with the reason.
template <class Response, class Request>
Response ask(const ServerAddress& server, std::string method, const Request& request) {
  return value_or_fail(
      await(call<Response>(server, std::move(method), request.SerializeAsString())));
}

}  // namespace tesela::cli
