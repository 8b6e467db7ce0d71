#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "clients/cli/base/fail.h"
#include "clients/cli/base/printed.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/client/lobby_client.h"
#include "clients/cli/client/player_file.h"
#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"
#include "clients/cli/games/games.h"

namespace tesela::cli {
namespace {

/// Lines of --around-me, with the player in the middle.
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
  // The ratings of games of several players do not depend on the configuration.
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

std::string heading(const lobby::v1::Board& board) {
  switch (board.kind()) {
    case lobby::v1::BOARD_KIND_RATINGS:
      return "Ratings of " + board.game();
    case lobby::v1::BOARD_KIND_BEST_OF_DAY:
      return "Best scores of " + board.game() + " on " + board.date();
    case lobby::v1::BOARD_KIND_DAILY:
      return "Daily game of " + board.game() + " on " + board.date();
    default:
      return "Best scores of " + board.game();
  }
}

/// A heading, and a line for each entry; the one of `player_id` is marked. Each ends with a line
/// break.
Printed board_lines(const lobby::v1::GetBoardResponse& board, const std::string& player_id,
                    bool around_me) {
  Printed lines = Printed::of("{}\n", heading(board.board()));
  if (board.entries().empty()) {
    return lines +
           Printed::of(around_me ? "You are not on this board yet.\n" : "No results yet.\n");
  }
  for (const auto& entry : board.entries()) {
    lines += Printed::of("{} {:>6}  {:>9}", entry.player_id() == player_id ? '>' : ' ',
                         entry.place(), entry.points());
    if (entry.has_rating()) {
      lines +=
          Printed::of(" ± {:<4} {:>5} games", entry.rating().deviation(), entry.rating().games());
    }
    lines += Printed::of("  {}\n", entry.display_name());
  }
  return lines;
}

/// The notice for a player who is not on the board of ratings yet; empty for others.
Printed provisional_line(const lobby::v1::Rating& rating) {
  if (rating.games() == 0 || rating.opponents_missing() == 0) return {};
  return Printed::of(
      "Your rating {} ± {} is provisional: {} more opponents until you are listed.\n",
      rating.shown(), rating.deviation(), rating.opponents_missing());
}

Task<Expected<Printed>> read_board(BoardOptions options) {
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
  if (!player) co_return board_lines(*board, {}, options.around_me);
  Printed lines = board_lines(*board, player->player_id(), options.around_me);
  if (board->board().kind() != lobby::v1::BOARD_KIND_RATINGS) co_return lines;
  const auto own = co_await client.get_rating(board->board().game(), player->player_id());
  // A server may have forgotten a guest whose file is still here.
  if (own) lines += provisional_line(own->rating());
  co_return lines;
}

}  // namespace

void add_board(CLI::App& app) {
  auto options = std::make_shared<BoardOptions>();
  auto& board = add_command(app, "board", "Show ratings, best scores, or the daily game's");
  add_server_option(board, options->server);
  auto* today = board.add_flag("--today", options->today, "The best scores of today, UTC");
  board.add_flag("--daily", options->daily, "The tries at today's daily game")->excludes(today);
  board.add_flag("--around-me", options->around_me, "Your place and those around it");
  add_new_games(board, *options->board.mutable_game(), *options->board.mutable_config());
  board.require_subcommand(1);
  board.final_callback([options] { print(std::cout, value_or_fail(await(read_board(*options)))); });
}

}  // namespace tesela::cli
