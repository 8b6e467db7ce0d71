#include <google/protobuf/util/time_util.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "clients/cli/base/subcommands.h"
#include "clients/cli/games/games.h"
#include "clients/cli/play/find_session.h"
#include "clients/cli/play/table_options.h"
#include "clients/cli/play/terminal_player.h"

namespace tesela::cli {
namespace {

using google::protobuf::util::TimeUtil;

struct FindOptions {
  TerminalOptions terminal;
  lobby::v1::FindRequest request;
};

/// Plays at the tables that matchmaking finds.
class MatchedPlayer final : public TerminalPlayer {
 public:
  explicit MatchedPlayer(FindOptions options)
      : TerminalPlayer(std::move(options.terminal)), request_(std::move(options.request)) {
    request_.set_contribute_later(true);
  }

 private:
  Task<Expected<std::optional<lobby::v1::Table>>> sit_down() override {
    const Executor executor = co_await boost::asio::this_coro::executor;
    FindSession::Options search{.server = server(),
                                .token = identity().token(),
                                .request = request_,
                                .random_seed = std::random_device{}()};
    FindSession session(executor, std::move(search), terminal());
    co_return co_await session.run();
  }
  /// The next search has the same request.
  void move_on(const PlaySession& /*session*/) override {}

  lobby::v1::FindRequest request_;
};

void add_pace_option(CLI::App& app, lobby::v1::FindRequest& request) {
  const std::map<std::string, lobby::v1::Pace> paces{{"quick", lobby::v1::PACE_QUICK},
                                                     {"normal", lobby::v1::PACE_NORMAL},
                                                     {"days", lobby::v1::PACE_DAYS}};
  app.add_option_function<lobby::v1::Pace>(
         "--pace", [&request](lobby::v1::Pace pace) { request.set_pace(pace); },
         "How long a player may think: quick is 20 s a move, normal a minute, days a day (normal)")
      ->transform(CLI::CheckedTransformer(paces))
      ->type_name("PACE");
}

void add_party_options(CLI::App& app, lobby::v1::FindRequest& request) {
  auto* code = app.add_option_function<std::string>(
                      "--party",
                      [&request](const std::string& code) {
                        request.mutable_party()->set_code(code);
                        if (request.party().size() == 0) request.mutable_party()->set_size(2);
                      },
                      "Play with all who give the same code, 8 to 64 bytes")
                   ->type_name("CODE");
  app.add_option_function<std::uint32_t>(
         "--party-size",
         [&request](std::uint32_t size) { request.mutable_party()->set_size(size); },
         "How many you are, you included (2)")
      ->needs(code)
      ->type_name("N");
}

}  // namespace

void add_find(CLI::App& app) {
  auto options = std::make_shared<FindOptions>();
  auto& find = add_command(app, "find", "Find opponents, and play with them on this terminal");
  add_terminal_options(find, options->terminal);
  options->request.set_mode(lobby::v1::MODE_CASUAL);
  find.add_flag_callback(
      "--ranked", [options] { options->request.set_mode(lobby::v1::MODE_RANKED); },
      "Opponents of like strength, even where that takes longer");
  add_pace_option(find, options->request);
  add_late_bots(
      find, "Bots take the seats for which nobody came in this time, such as 30s",
      {.after =
           [options](std::chrono::milliseconds time) {
             *options->request.mutable_bots()->mutable_after() =
                 TimeUtil::MillisecondsToDuration(time.count());
           },
       .level =
           [options](std::uint32_t level) { options->request.mutable_bots()->set_level(level); }});
  add_party_options(find, options->request);
  add_new_games(find, *options->request.mutable_game(), *options->request.mutable_config());
  find.require_subcommand(1);
  find.final_callback([options] { play_on_terminal(std::make_unique<MatchedPlayer>(*options)); });
}

}  // namespace tesela::cli
