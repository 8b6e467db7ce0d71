#include <spdlog/fmt/fmt.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clients/cli/base/fail.h"
#include "clients/cli/base/printed.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/base/value_text.h"
#include "clients/cli/client/lobby_client.h"
#include "clients/cli/client/player_file.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"

namespace tesela::cli {
namespace {

struct GamesOptions {
  ServerAddress server;
  std::string player_id;
  std::string game;
  std::uint32_t count = 20;
  std::string page;
};

std::string players_text(const lobby::v1::Table& table) {
  auto standings =
      std::vector(table.result().standings().begin(), table.result().standings().end());
  std::ranges::sort(standings, {}, [](const auto& standing) {
    return std::pair(standing.rank(), standing.seat());
  });
  std::string text;
  for (const auto& standing : standings) {
    const auto seat =
        std::ranges::find(table.seats(), standing.seat(), &play::v1::SeatOccupant::seat);
    if (seat == table.seats().end()) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{}{} {}{}", seat->display_name(), seat->bot() ? " (bot)" : "",
                        standing.points(), standing.resigned() ? " (resigned)" : "");
  }
  return text;
}

std::string marks_text(const lobby::v1::Table& table) {
  std::string text;
  if (!table.daily_date().empty()) {
    text += " · daily game of " + table.daily_date();
  } else if (table.options().ranked()) {
    text += " · ranked";
  }
  if (table.options().practice()) text += " · practice";
  if (table.assisted()) text += " · with hints or undo";
  return text;
}

/// A line for each game: when it ended (UTC), the game, its table, who played with how many points,
/// the best first, and its special properties. A last line tells how to see the next page, if there
/// is one. Each ends with a line break.
Printed game_lines(const lobby::v1::ListTablesResponse& page) {
  if (page.tables().empty()) return Printed::of("No game has been finished yet.\n");
  Printed lines;
  for (const auto& table : page.tables()) {
    lines += Printed::of("{}  {:<8}  {}  {}{}\n", minute_text(table.ended_at()), table.game(),
                         table.table_id(), players_text(table), marks_text(table));
  }
  if (!page.next_page_token().empty()) {
    lines += Printed::of("There are more: add --page {}\n", page.next_page_token());
  }
  return lines;
}

Task<Expected<Printed>> read_games(GamesOptions options) {
  if (options.player_id.empty()) {
    const auto player = PlayerFile(state_directory(), options.server).load();
    if (!player) {
      co_return refuse(ErrorCode::kUnauthenticated,
                       "Nobody has played here yet: say whose games with --player ID.");
    }
    options.player_id = player->player_id();
  }
  lobby::v1::ListTablesRequest request;
  request.mutable_filter()->set_state(lobby::v1::TABLE_STATE_OVER);
  request.mutable_filter()->set_player_id(options.player_id);
  request.mutable_filter()->set_game(options.game);
  request.set_page_size(options.count);
  request.set_page_token(options.page);
  LobbyClient client(options.server);
  const auto page = co_await client.list_tables(std::move(request));
  if (!page) co_return std::unexpected(page.error());
  co_return game_lines(*page);
}

}  // namespace

void add_finished_games(CLI::App& app) {
  constexpr std::uint32_t kCountMax = 100;  // the server's limit for a page
  auto options = std::make_shared<GamesOptions>();
  auto& games = add_command(app, "games", "List finished games, of yours or of another player");
  add_server_option(games, options->server);
  games.add_option("--player", options->player_id, "Whose games; without it, yours")
      ->type_name("ID");
  games.add_option("GAME", options->game, "Those of this game alone");
  games.add_option("--count", options->count, "How many, the newest first")
      ->check(CLI::Range(1U, kCountMax))
      ->capture_default_str();
  games.add_option("--page", options->page, "Go on where a list before ended, which says how")
      ->type_name("TOKEN");
  games.callback([options] { print(std::cout, value_or_fail(await(read_games(*options)))); });
}

}  // namespace tesela::cli
