#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "clients/cli/account/account_text.h"
#include "clients/cli/account/elsewhere.h"
#include "clients/cli/account/player_calls.h"
#include "clients/cli/base/fail.h"
#include "clients/cli/base/printed.h"
#include "clients/cli/base/subcommands.h"

namespace tesela::cli {
namespace {

namespace pb = account::v1;

using ServerPtr = std::shared_ptr<ServerAddress>;

pb::GetAccountResponse own_account(const ServerAddress& server) {
  return ask<pb::GetAccountResponse>(server, "AccountService/GetAccount", pb::GetAccountRequest{});
}

Task<Expected<pb::SignInWithCodeResponse>> sign_in(ServerAddress server, std::string code) {
  auto secret = file_of(server).device_secret();
  if (!secret) co_return std::unexpected(std::move(secret.error()));
  pb::SignInWithCodeRequest request;
  request.set_code(std::move(code));
  request.set_device_secret(std::move(*secret));
  request.set_device("tesela");
  ConnectClient client = client_of(server);
  co_return co_await client.ask<pb::SignInWithCodeResponse>("AccountService/SignInWithCode",
                                                            request.SerializeAsString());
}

/// A guest who is left behind cannot come back.
void expect_nobody_lost(const ServerAddress& server) {
  if (!file_of(server).load()) return;
  const auto left = await(call<pb::GetAccountResponse>(
      server, "AccountService/GetAccount", pb::GetAccountRequest{}.SerializeAsString()));
  if (!left || left->member() || left->of_issuer()) return;
  fail("The guest " + left->display_name() +
       " is signed in here, and would be lost with all games. Keep the account with `tesela account"
       " code`, or leave it with --leave-guest.");
}

void save(const ServerAddress& server, const pb::SignedIn& signed_in) {
  lobby::v1::SignInResponse player;
  player.set_token(signed_in.token());
  player.set_player_id(signed_in.player_id());
  player.set_display_name(signed_in.display_name());
  *player.mutable_expires_at() = signed_in.expires_at();
  if (const auto saved = file_of(server).save(player); !saved) fail(saved.error().message);
}

void add_sign_in(CLI::App& app, const ServerPtr& server) {
  auto leave = std::make_shared<bool>(false);
  auto elsewhere = std::make_shared<bool>(false);
  auto name = std::make_shared<std::string>("Player");
  auto& command = add_command(app, "sign-in", "Sign in by a recovery code, from standard input");
  command.fallthrough();
  command.add_flag("--elsewhere", *elsewhere, "At the operator's provider instead, in a browser");
  command.add_option("--name", *name, "The name of a new account there");
  command.add_flag("--leave-guest", *leave, "Leave the guest who is signed in here, for ever");
  command.callback([server, leave, elsewhere, name] {
    if (!*leave) expect_nobody_lost(*server);
    if (*elsewhere) {
      const auto answer = value_or_fail(await(sign_in_elsewhere(*server, *name)));
      save(*server, answer.signed_in());
      print(std::cout, "Signed in as {}.\n", answer.signed_in().display_name());
      return;
    }
    print(std::cerr, "Recovery code: ");
    std::string code;
    std::getline(std::cin, code);
    const auto answer = value_or_fail(await(sign_in(*server, std::move(code))));
    save(*server, answer.signed_in());
    print(std::cout, "Signed in as {}.\n", answer.signed_in().display_name());
  });
}

void add_code(CLI::App& app, const ServerPtr& server) {
  auto& command =
      add_command(app, "code", "Keep the account: make a recovery code, which replaces the older");
  command.fallthrough();
  command.callback([server] {
    const auto made = ask<pb::MakeRecoveryCodeResponse>(*server, "AccountService/MakeRecoveryCode",
                                                        pb::MakeRecoveryCodeRequest{});
    print(std::cerr, "Keep it where nobody else finds it: it is not shown again.\n");
    print(std::cout, "{}\n", made.code());
  });
}

void add_sign_out(CLI::App& app, const ServerPtr& server) {
  auto others = std::make_shared<bool>(false);
  auto leave = std::make_shared<bool>(false);
  auto& command = add_command(app, "sign-out", "Sign out here");
  command.fallthrough();
  command.add_flag("--others", *others, "Everywhere else instead");
  command.add_flag("--leave-guest", *leave, "Also a guest, who is then lost");
  command.callback([server, others, leave] {
    if (!*others && !*leave) expect_nobody_lost(*server);
    pb::EndSessionRequest request;
    if (*others) {
      request.set_all_others(true);
    } else {
      request.set_current(true);
    }
    const auto ended =
        ask<pb::EndSessionResponse>(*server, "AccountService/EndSession", request).ended();
    if (!*others) save(*server, {});
    print(std::cout, "Signed out: {}.\n", ended);
  });
}

void add_handle(CLI::App& app, const ServerPtr& server) {
  auto request = std::make_shared<pb::ClaimHandleRequest>();
  auto& command = add_command(app, "handle", "Take a name that is yours alone");
  command.fallthrough();
  command
      .add_option_function<std::string>(
          "HANDLE", [request](const std::string& handle) { request->set_handle(handle); },
          "3 to 20 letters, digits, - and _")
      ->required();
  command.callback([server, request] {
    const auto claimed =
        ask<pb::ClaimHandleResponse>(*server, "ProfileService/ClaimHandle", *request);
    auto player = file_of(*server).load();
    if (player) {
      player->set_display_name(claimed.display_name());
      if (const auto saved = file_of(*server).save(*player); !saved) fail(saved.error().message);
    }
    print(std::cout, "You are {}.\n", claimed.display_name());
  });
}

void add_audience(CLI::App& app, const ServerPtr& server) {
  static const std::map<std::string, pb::Audience> kAudiences{{"everybody", pb::AUDIENCE_EVERYBODY},
                                                              {"players", pb::AUDIENCE_PLAYERS},
                                                              {"nobody", pb::AUDIENCE_NOBODY}};
  auto who = std::make_shared<std::string>();
  auto& command = add_command(app, "audience", "Say who may see your profile and list your games");
  command.fallthrough();
  command.add_option("WHO", *who, "everybody, players or nobody")->required();
  command.callback([server, who] {
    const auto audience = kAudiences.find(*who);
    if (audience == kAudiences.end()) {
      fail("'" + *who + "' is no audience: say everybody, players or nobody.", 2);
    }
    pb::SetAudienceRequest request;
    request.set_audience(audience->second);
    ask<pb::SetAudienceResponse>(*server, "ProfileService/SetAudience", request);
  });
}

}  // namespace

void add_account(CLI::App& app) {
  auto server = std::make_shared<ServerAddress>();
  auto& account = add_command(app, "account", "Your account: show it, keep it, come back to it");
  add_server_option(account, *server);
  add_sign_in(account, server);
  add_code(account, server);
  add_handle(account, server);
  add_audience(account, server);
  add_sign_out(account, server);
  account.require_subcommand(0, 1);
  account.callback([&account, server] {
    if (account.get_subcommands().empty()) print(std::cout, account_text(own_account(*server)));
  });
}

}  // namespace tesela::cli
