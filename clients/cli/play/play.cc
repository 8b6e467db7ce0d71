#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clients/cli/base/subcommands.h"
#include "clients/cli/games/games.h"
#include "clients/cli/play/table_options.h"
#include "clients/cli/play/terminal_player.h"
#include "engine/strategy/registry.h"
#include "server/games/games.h"

namespace tesela::cli {
namespace {

struct PlayOptions {
  TerminalOptions terminal;
  std::string table_id;
  std::string join_id;
  std::string invite;
  bool resume = false;
  bool daily = false;
  // Of new tables:
  std::string game;
  google::protobuf::Any config;
  lobby::v1::TableOptions table;
  std::vector<std::string> bots;
};

/// Plays at the table that the options say, and then at new ones like it.
class Player final : public TerminalPlayer {
 public:
  explicit Player(PlayOptions options)
      : TerminalPlayer(options.terminal), options_(std::move(options)) {}

 private:
  Task<Expected<std::optional<lobby::v1::Table>>> sit_down() override;
  void move_on(const PlaySession& session) override;
  Task<Expected<lobby::v1::Table>> newest_table();
  Task<Expected<lobby::v1::Table>> find_table();

  PlayOptions options_;
};

Task<Expected<lobby::v1::Table>> Player::newest_table() {
  lobby::v1::ListTablesRequest request;
  request.mutable_filter()->set_player_id(identity().player_id());
  request.mutable_filter()->set_state(lobby::v1::TABLE_STATE_IN_PLAY);
  request.set_page_size(1);
  const auto page = co_await lobby().list_tables(std::move(request));
  if (!page) co_return std::unexpected(page.error());
  if (page->tables().empty()) co_return refuse(ErrorCode::kNotFound, "You have no game in play.");
  co_return page->tables(0);
}

Task<Expected<lobby::v1::Table>> Player::find_table() {
  if (options_.resume) co_return co_await newest_table();
  if (!options_.table_id.empty()) co_return co_await lobby().get_table(options_.table_id);
  if (!options_.join_id.empty()) {
    co_return co_await lobby().join_table(options_.join_id, options_.invite);
  }
  lobby::v1::CreateTableRequest request;
  request.set_game(options_.game);
  request.set_daily(options_.daily);
  request.set_contribute_later(!options_.daily);
  if (!options_.daily) *request.mutable_config() = options_.config;
  *request.mutable_options() = options_.table;
  const auto game = games::find_game(options_.game);  // the server may have one more
  const auto known = game ? (*game)->strategies() : std::vector<Listed>{};
  for (const auto& bot : options_.bots) {
    request.add_bots()->set_strategy(std::string(strategy_called(bot, known)));
  }
  co_return co_await lobby().create_table(std::move(request));
}

Task<Expected<std::optional<lobby::v1::Table>>> Player::sit_down() {
  auto table = co_await find_table();
  if (!table) co_return std::unexpected(table.error());
  if (table->invite().empty()) table->set_invite(options_.invite);
  co_return std::move(*table);
}

void Player::move_on(const PlaySession& session) {
  options_.table_id.clear();
  options_.join_id.clear();
  options_.invite.clear();
  options_.resume = false;
  options_.daily = false;
  options_.game = session.game();
  options_.config = session.config();
}

}  // namespace

void add_play(CLI::App& app) {
  auto options = std::make_shared<PlayOptions>();
  auto& play = add_command(app, "play", "Play on this terminal");
  add_terminal_options(play, options->terminal);
  auto* table = play.add_option("--table", options->table_id, "Go on at this table of yours");
  auto* resume = play.add_flag("--resume", options->resume, "Go on at your newest table");
  resume->excludes(table);
  auto* join =
      play.add_option("--join", options->join_id, "Take a free seat at this table of another's")
          ->excludes(table)
          ->excludes(resume)
          ->type_name("TABLE");
  play.add_option("--invite", options->invite, "The invite of that table, when it is private")
      ->excludes(resume)
      ->type_name("CODE");
  for (CLI::Option* option : add_table_options(play, options->table)) {
    option->excludes(table)->excludes(resume)->excludes(join);
  }
  play.add_option("--bots", options->bots,
                  "Levels or strategies that take the other seats, such as hard,medium or "
                  "greedy,uct (tesela bots)")
      ->delimiter(',')
      ->excludes(table)
      ->excludes(resume)
      ->type_name("A,B");
  play.add_flag("--daily", options->daily, "Your one try at today's daily game")
      ->excludes(table)
      ->excludes(resume)
      ->excludes("--join");
  add_new_games(play, options->game, options->config);
  play.require_subcommand(0, 1);
  play.final_callback([options] {
    if (options->game.empty() && options->table_id.empty() && options->join_id.empty() &&
        !options->resume) {
      throw CLI::CallForHelp();
    }
    play_on_terminal(std::make_unique<Player>(*options));
  });
}

}  // namespace tesela::cli
