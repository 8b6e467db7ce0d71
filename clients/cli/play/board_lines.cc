#include "clients/cli/play/board_lines.h"

#include <spdlog/fmt/fmt.h>

namespace tesela::cli {
namespace {

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

}  // namespace

std::string board_lines(const lobby::v1::GetBoardResponse& board, const std::string& player_id) {
  std::string lines = heading(board.board()) + "\n";
  if (board.entries().empty()) return lines + "Nobody stands here yet.\n";
  for (const auto& entry : board.entries()) {
    lines += fmt::format("{} {:>6}  {:>9}", entry.player_id() == player_id ? '>' : ' ',
                         entry.place(), entry.points());
    if (entry.has_rating()) {
      lines +=
          fmt::format(" ± {:<4} {:>5} games", entry.rating().deviation(), entry.rating().games());
    }
    lines += "  " + entry.display_name() + "\n";
  }
  return lines;
}

}  // namespace tesela::cli
