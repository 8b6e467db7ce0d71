#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "clients/cli/account/account_text.h"
#include "clients/cli/base/fail.h"
#include "clients/cli/base/printed.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/client/connect_client.h"
#include "clients/cli/client/player_file.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"

namespace tesela::cli {
namespace {

struct ProfileOptions {
  ServerAddress server;
  std::string who;
};

Task<Expected<account::v1::GetProfileResponse>> read_profile(ProfileOptions options) {
  ConnectClient client(options.server, "tesela.account.v1");
  const auto player = PlayerFile(state_directory(), options.server).load();
  if (player) client.authorise(player->token());
  account::v1::GetProfileRequest request;
  if (options.who.starts_with('@')) {
    request.set_handle(options.who);
  } else if (!options.who.empty()) {
    request.set_player_id(options.who);
  } else if (player) {
    request.set_player_id(player->player_id());
  }
  co_return co_await client.ask<account::v1::GetProfileResponse>("ProfileService/GetProfile",
                                                                 request.SerializeAsString());
}

}  // namespace

void add_profile(CLI::App& app) {
  auto options = std::make_shared<ProfileOptions>();
  auto& profile = add_command(app, "profile", "Show a player's ratings and best scores");
  add_server_option(profile, options->server);
  profile.add_option("WHO", options->who, "A handle, as in @ada, or a player's id; else yourself");
  profile.callback(
      [options] { print(std::cout, profile_text(value_or_fail(await(read_profile(*options))))); });
}

}  // namespace tesela::cli
