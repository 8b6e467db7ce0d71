#include "server/services/history/link_preview.h"

#include <string>

#include "server/codec/table_options.h"
#include "server/replay/game_outcome.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::services {
namespace {

std::string points(const google::protobuf::RepeatedPtrField<play::v1::Standing>& standings) {
  std::string text;
  for (const auto& standing : standings) {
    text += (text.empty() ? "" : " : ") + std::to_string(standing.points());
  }
  return text;
}

/// "Ada won, 56 : 43."
std::string ended(const store::TableRow& row) {
  play::v1::Result result;
  if (row.state != store::TableState::kOver || !result.ParseFromString(row.ending->result)) {
    return "The game was closed without a result.";
  }
  if (row.seats.size() == 1) return points(result.standings()) + " points.";
  std::string winners;
  for (const auto& standing : result.standings()) {
    if (standing.rank() != 1 || standing.seat() >= row.seats.size()) continue;
    winners += (winners.empty() ? "" : " and ") + row.seats[standing.seat()].display_name;
  }
  return winners + " won, " + points(result.standings()) + ".";
}

}  // namespace

bool is_for_everybody(const store::TableRow& row) {
  const auto options = codec::decode_table_options(row.options);
  return row.invite.empty() && options && !options->spectators_off && replay::check_shown(row);
}

std::string title_of_game(const store::TableRow& row) {
  if (row.game == "samegame") return "SameGame";
  std::string title = row.game;
  if (title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

LinkPreview link_preview(const store::TableRow& row) {
  const std::string game = title_of_game(row);
  if (!replay::check_shown(row)) {
    return {.title = game + ", the daily game", .description = "Everybody plays the same dice."};
  }
  if (!is_for_everybody(row)) return {.title = game, .description = "A game by invitation."};
  LinkPreview out{
      .title = game + ": ",
      .description = "The game is on.",
      .drawn = row.state == store::TableState::kInPlay || row.state == store::TableState::kOver};
  for (const auto& seat : row.seats) {
    if (!out.title.ends_with(": ")) out.title += " – ";
    out.title += seat.display_name;
  }
  if (row.ending) {
    out.description = ended(row);
  } else if (row.state == store::TableState::kOpen) {
    out.description = std::to_string(row.seats.size()) + " of " + std::to_string(row.seat_count) +
                      " seats are taken. Sit down!";
  }
  return out;
}

}  // namespace tesela::services
