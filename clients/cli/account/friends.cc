#include <CLI/CLI.hpp>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "clients/cli/account/account_text.h"
#include "clients/cli/account/player_calls.h"
#include "clients/cli/base/fail.h"
#include "clients/cli/base/printed.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/play/table_options.h"

namespace tesela::cli {
namespace {

namespace pb = account::v1;

using ServerPtr = std::shared_ptr<ServerAddress>;

/// A handle, as in "@ada", or an id.
void name(pb::Whom& whom, const std::string& who) {
  if (who.starts_with('@')) {
    whom.set_handle(who);
  } else {
    whom.set_player_id(who);
  }
}

/// A command about another player, without an answer.
template <class Request, class Response>
void add_about_player(CLI::App& app, const ServerPtr& server, const std::string& called,
                      const std::string& about, const std::string& method) {
  auto request = std::make_shared<Request>();
  auto& command = add_command(app, called, about);
  command.fallthrough();
  command
      .add_option_function<std::string>(
          "WHO", [request](const std::string& who) { name(*request->mutable_whom(), who); },
          "A handle, as in @ada, or a player's id")
      ->required();
  command.callback(
      [server, request, method] { ask<Response>(*server, "FriendService/" + method, *request); });
}

/// A command about a challenge. `show` gets the answer.
template <class Request, class Response>
void add_about_challenge(CLI::App& app, const ServerPtr& server, const std::string& called,
                         const std::string& about, const std::string& method,
                         void (*show)(const Response&)) {
  auto request = std::make_shared<Request>();
  auto& command = add_command(app, called, about);
  command.fallthrough();
  command
      .add_option_function<std::string>(
          "ID", [request](const std::string& id) { request->set_challenge_id(id); },
          "The id of the challenge, as `tesela friends` shows it or a link ends with it")
      ->required();
  command.callback([server, request, method, show] {
    show(ask<Response>(*server, "FriendService/" + method, *request));
  });
}

void add_challenge(CLI::App& app, const ServerPtr& server) {
  auto request = std::make_shared<pb::ChallengeRequest>();
  auto& command = add_command(app, "challenge",
                              "Challenge a player, or whoever gets the id, to a game for two");
  command.fallthrough();
  command
      .add_option_function<std::string>(
          "GAME", [request](const std::string& game) { request->set_game(game); },
          "The game, such as azul")
      ->required();
  command.add_option_function<std::string>(
      "--to", [request](const std::string& who) { name(*request->mutable_whom(), who); },
      "A handle, as in @ada, or a player's id; else whoever gets the id");
  command.add_flag_function(
      "--ranked",
      [request](std::int64_t /*times*/) { request->mutable_options()->set_ranked(true); },
      "The result moves ratings");
  add_table_options(command, *request->mutable_options());
  command.callback([server, request] {
    const auto made = ask<pb::ChallengeResponse>(*server, "FriendService/Challenge", *request);
    print(std::cout, challenge_text(made.challenge()));
  });
}

void add_take(CLI::App& app, const ServerPtr& server) {
  static const std::map<std::string, pb::Challengers> kChallengers{
      {"everybody", pb::CHALLENGERS_EVERYBODY},
      {"followed", pb::CHALLENGERS_FOLLOWED},
      {"nobody", pb::CHALLENGERS_NOBODY}};
  auto who = std::make_shared<std::string>();
  auto& command = add_command(app, "take", "Say whose challenges you take");
  command.fallthrough();
  command.add_option("WHOSE", *who, "everybody, followed or nobody")->required();
  command.callback([server, who] {
    const auto found = kChallengers.find(*who);
    if (found == kChallengers.end()) {
      fail("'" + *who + "' is nobody's: say everybody, followed or nobody.", 2);
    }
    pb::SetChallengersRequest request;
    request.set_challengers(found->second);
    ask<pb::SetChallengersResponse>(*server, "FriendService/SetChallengers", request);
  });
}

void add_answers(CLI::App& app, const ServerPtr& server) {
  add_about_challenge<pb::AcceptChallengeRequest, pb::AcceptChallengeResponse>(
      app, server, "accept", "Accept a challenge", "AcceptChallenge",
      [](const pb::AcceptChallengeResponse& accepted) {
        print(std::cout, "Play with: tesela play {} --table {}\n", accepted.table().game(),
              accepted.table().table_id());
      });
  add_about_challenge<pb::DeclineChallengeRequest, pb::DeclineChallengeResponse>(
      app, server, "decline", "Decline a challenge", "DeclineChallenge",
      [](const pb::DeclineChallengeResponse&) {});
  add_about_challenge<pb::WithdrawChallengeRequest, pb::WithdrawChallengeResponse>(
      app, server, "withdraw", "Withdraw a challenge of yours", "WithdrawChallenge",
      [](const pb::WithdrawChallengeResponse&) {});
}

void show_all(const ServerAddress& server) {
  const auto lists =
      ask<pb::ListFriendsResponse>(server, "FriendService/ListFriends", pb::ListFriendsRequest{});
  print(std::cout, friends_text(lists));
  const auto challenges = ask<pb::ListChallengesResponse>(server, "FriendService/ListChallenges",
                                                          pb::ListChallengesRequest{});
  for (const auto* list : {&challenges.to_me(), &challenges.from_me()}) {
    for (const auto& challenge : *list) print(std::cout, challenge_text(challenge));
  }
}

}  // namespace

void add_friends(CLI::App& app) {
  auto server = std::make_shared<ServerAddress>();
  auto& friends = add_command(app, "friends", "Whom you follow and block, and challenges");
  add_server_option(friends, *server);
  add_about_player<pb::FollowRequest, pb::FollowResponse>(friends, server, "follow",
                                                          "Follow a player", "Follow");
  add_about_player<pb::UnfollowRequest, pb::UnfollowResponse>(
      friends, server, "unfollow", "Follow a player no more", "Unfollow");
  add_about_player<pb::BlockRequest, pb::BlockResponse>(
      friends, server, "block", "Take no challenges of a player, and never be matched with them",
      "Block");
  add_about_player<pb::UnblockRequest, pb::UnblockResponse>(friends, server, "unblock",
                                                            "Block a player no more", "Unblock");
  add_challenge(friends, server);
  add_answers(friends, server);
  add_take(friends, server);
  friends.require_subcommand(0, 1);
  friends.callback([&friends, server] {
    if (friends.get_subcommands().empty()) show_all(*server);
  });
}

}  // namespace tesela::cli
