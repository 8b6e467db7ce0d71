#include "clients/cli/play/game_lines.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "clients/cli/base/minute_text.h"

namespace tesela::cli {
namespace {

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
  if (table.assisted()) text += " · with hints";
  return text;
}

}  // namespace

std::string game_lines(const lobby::v1::ListTablesResponse& page) {
  if (page.tables().empty()) return "No game has been finished yet.\n";
  std::string lines;
  for (const auto& table : page.tables()) {
    lines += fmt::format("{}  {:<8}  {}  {}{}\n", minute_text(table.ended_at()), table.game(),
                         table.table_id(), players_text(table), marks_text(table));
  }
  if (!page.next_page_token().empty()) {
    lines += "There are more: add --page " + page.next_page_token() + "\n";
  }
  return lines;
}

}  // namespace tesela::cli
