#include "clients/cli/play.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "clients/cli/await.h"
#include "clients/cli/lobby_client.h"
#include "clients/cli/options/games.h"
#include "clients/cli/play_session.h"
#include "clients/cli/player_file.h"
#include "clients/cli/server_option.h"
#include "clients/cli/terminal.h"

namespace tesela::cli {
namespace {

std::string default_name() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets the environment here
  const char* user = std::getenv("USER");
  return user != nullptr && *user != '\0' ? user : "guest";
}

struct PlayOptions {
  ServerAddress server;
  std::string name = default_name();
  std::string table_id;
  std::string join_id;
  bool resume = false;
  bool still = false;
  std::string game;  // of new tables
  google::protobuf::Any config;
};

/// The player at this terminal, from one table to the next.
class Player {
 public:
  explicit Player(PlayOptions options)
      : options_(std::move(options)),
        file_(state_directory(), options_.server),
        lobby_(options_.server) {}

  /// Plays until the player quits, and gives a farewell from the last table. An error is what kept
  /// the player from a table.
  Task<Expected<std::string>> play();

 private:
  Task<Expected<void>> sign_in(bool anew);
  Task<Expected<std::string>> find_table();
  Task<Expected<std::string>> newest_table();
  Task<Expected<std::string>> sit_down();
  Task<Expected<lobby::v1::Table>> join_or_create();
  [[nodiscard]] PlaySession::Options session_at(std::string table_id) const;

  PlayOptions options_;
  PlayerFile file_;
  LobbyClient lobby_;
  lobby::v1::SignInResponse identity_;
};

Task<Expected<void>> Player::sign_in(bool anew) {
  auto known = anew ? std::nullopt : file_.load();
  if (!known) {
    auto made = co_await lobby_.sign_in(options_.name);
    if (!made) co_return std::unexpected(made.error());
    if (auto saved = file_.save(*made); !saved) co_return saved;
    known = std::move(*made);
  }
  identity_ = std::move(*known);
  lobby_.authorise(identity_.token());
  co_return Expected<void>{};
}

Task<Expected<std::string>> Player::find_table() {
  if (!options_.table_id.empty()) co_return std::exchange(options_.table_id, {});
  if (std::exchange(options_.resume, false)) co_return co_await newest_table();
  co_return co_await sit_down();
}

Task<Expected<std::string>> Player::newest_table() {
  lobby::v1::ListTablesRequest request;
  request.mutable_filter()->set_player_id(identity_.player_id());
  request.mutable_filter()->set_state(lobby::v1::TABLE_STATE_IN_PLAY);
  request.set_page_size(1);
  const auto page = co_await lobby_.list_tables(std::move(request));
  if (!page) co_return std::unexpected(page.error());
  if (page->tables().empty()) co_return refuse(ErrorCode::kNotFound, "You have no game in play.");
  co_return page->tables(0).table_id();
}

Task<Expected<lobby::v1::Table>> Player::join_or_create() {
  if (!options_.join_id.empty()) co_return co_await lobby_.join_table(options_.join_id);
  co_return co_await lobby_.create_table(options_.game, options_.config);
}

Task<Expected<std::string>> Player::sit_down() {
  auto table = co_await join_or_create();
  if (!table && table.error().code == ErrorCode::kUnauthenticated) {
    // The server has forgotten us, or was set up anew.
    if (auto signed_in = co_await sign_in(true); !signed_in) {
      co_return std::unexpected(signed_in.error());
    }
    table = co_await join_or_create();
  }
  if (!table) co_return std::unexpected(table.error());
  options_.join_id.clear();
  co_return table->table_id();
}

PlaySession::Options Player::session_at(std::string table_id) const {
  return {.stream = {.server = options_.server,
                     .table_id = std::move(table_id),
                     .token = identity_.token(),
                     .spectate = false,
                     .random_seed = std::random_device{}()},
          .animated = !options_.still};
}

Task<Expected<std::string>> Player::play() {
  const Executor executor = co_await boost::asio::this_coro::executor;
  auto terminal = Terminal::open();
  if (!terminal) co_return std::unexpected(terminal.error());
  if (auto signed_in = co_await sign_in(false); !signed_in) {
    co_return std::unexpected(signed_in.error());
  }
  for (;;) {
    const auto table_id = co_await find_table();
    if (!table_id) co_return std::unexpected(table_id.error());
    PlaySession session(executor, session_at(*table_id), **terminal);
    const auto wish = co_await session.run();
    if (wish == PlaySession::Wish::kQuit) co_return session.farewell();
    options_.game = session.game();
    options_.config = session.config();
  }
}

Task<Expected<std::string>> play_on_terminal(PlayOptions options) {
  Player player(std::move(options));
  co_return co_await player.play();
}

void run_command(const PlayOptions& options) {
  const auto farewell = await(play_on_terminal(options));
  if (!farewell) {
    std::cerr << farewell.error().message << '\n';
    throw CLI::RuntimeError(1);
  }
  std::cout << *farewell;
}

}  // namespace

void add_play(CLI::App& app) {
  auto options = std::make_shared<PlayOptions>();
  auto& play = *app.add_subcommand("play", "Play on this terminal");
  add_server_option(play, options->server);
  play.add_option("--name", options->name, "What others see, when you are new to the server");
  auto* table = play.add_option("--table", options->table_id, "Go on at this table of yours");
  auto* resume = play.add_flag("--resume", options->resume, "Go on at your newest table");
  resume->excludes(table);
  play.add_option("--join", options->join_id, "Take a free seat at this table of another player's")
      ->excludes(table)
      ->excludes(resume)
      ->type_name("TABLE");
  play.add_flag("--still", options->still, "Do not animate");
  for (const GameOptions& entry : all_game_options()) {
    auto& game = *play.add_subcommand(entry.name, entry.about);
    game.fallthrough();
    const auto config = entry.add(game);
    game.callback([options, &entry, config] {
      options->game = entry.name;
      options->config.PackFrom(*config);
    });
  }
  play.require_subcommand(0, 1);
  play.final_callback([options] {
    if (options->game.empty() && options->table_id.empty() && options->join_id.empty() &&
        !options->resume) {
      throw CLI::CallForHelp();
    }
    run_command(*options);
  });
}

}  // namespace tesela::cli
