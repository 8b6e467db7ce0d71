#include "server/services/history/link_preview.h"

#include <string>

#include "server/codec/table_options.h"
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

bool is_for_everybody(const store::TableRow& row) {
  const auto options = codec::decode_table_options(row.options);
  return row.invite.empty() && options && !options->spectators_off;
}

}  // namespace

LinkPreview link_preview(const store::TableRow& row) {
  std::string game = row.game;
  if (game[0] >= 'a' && game[0] <= 'z') game[0] = static_cast<char>(game[0] - 'a' + 'A');
  if (row.daily) {
    return {.title = game + ", the daily game", .description = "Everybody plays the same dice."};
  }
  if (!is_for_everybody(row)) return {.title = game, .description = "A game by invitation."};
  LinkPreview out{.title = game + ": ", .description = "The game is on."};
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
