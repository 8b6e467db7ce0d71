#include "clients/cli/play/board.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "clients/cli/base/fail.h"
#include "clients/cli/client/await.h"
#include "clients/cli/client/lobby_client.h"
#include "clients/cli/client/player_file.h"
#include "clients/cli/client/server_option.h"
#include "clients/cli/games/game_options.h"
#include "clients/cli/play/board_lines.h"

namespace tesela::cli {
namespace {

/// Lines around the player: as many above as below.
constexpr std::uint32_t kLinesAround = 11;

struct BoardOptions {
  ServerAddress server;
  bool today = false;
  bool daily = false;
  bool around_me = false;
  lobby::v1::Board board;
};

lobby::v1::GetBoardRequest request_for(const BoardOptions& options) {
  lobby::v1::GetBoardRequest request;
  *request.mutable_board() = options.board;
  // A game of several players has ratings, which are of no configuration.
  if (options.board.config().value().empty()) request.mutable_board()->clear_config();
  if (options.today) request.mutable_board()->set_kind(lobby::v1::BOARD_KIND_BEST_OF_DAY);
  if (options.daily) {
    request.mutable_board()->set_kind(lobby::v1::BOARD_KIND_DAILY);
    request.mutable_board()->clear_config();
  }
  if (options.around_me) {
    request.set_around_me(true);
    request.set_page_size(kLinesAround);
  }
  return request;
}

Task<Expected<std::string>> read_board(BoardOptions options) {
  LobbyClient client(options.server);
  const auto player = PlayerFile(state_directory(), options.server).load();
  if (player) client.authorise(player->token());
  if (options.around_me && !player) {
    co_return refuse(ErrorCode::kUnauthenticated,
                     "Nobody has played here yet: `tesela play` makes you known to the server.");
  }
  auto request = request_for(options);
  const auto board = co_await client.get_board(std::move(request));
  if (!board) co_return std::unexpected(board.error());
  co_return board_lines(*board, player ? player->player_id() : std::string());
}

}  // namespace

void add_board(CLI::App& app) {
  auto options = std::make_shared<BoardOptions>();
  auto& board = *app.add_subcommand("board", "Show ratings, best scores, or the daily game's");
  add_server_option(board, options->server);
  auto* today = board.add_flag("--today", options->today, "The best scores of today, UTC");
  board.add_flag("--daily", options->daily, "The tries at today's daily game")->excludes(today);
  board.add_flag("--around-me", options->around_me, "Your place and those around it");
  add_games(board, *options->board.mutable_game(), *options->board.mutable_config());
  board.require_subcommand(1);
  board.final_callback([options] { std::cout << value_or_fail(await(read_board(*options))); });
}

}  // namespace tesela::cli
