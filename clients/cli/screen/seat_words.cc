#include "clients/cli/screen/seat_words.h"

#include <algorithm>
#include <utility>

namespace tesela::cli {
namespace {

using play::v1::Result;
using play::v1::Standing;

std::string mark_of(const play::v1::SeatOccupant& occupant) {
  if (occupant.bot()) return "bot";
  if (occupant.resigned()) return std::string{kResigned};
  if (!occupant.strategy().empty()) return std::string{kByBot};
  return occupant.connected() ? "" : "away";
}

/// The names of the players whose standing satisfies `holds`.
template <class Holds>
std::vector<std::string> names_where(const Result& result, const std::vector<std::string>& names,
                                     Holds holds) {
  std::vector<std::string> found;
  for (const Standing& standing : result.standings()) {
    if (holds(standing)) found.push_back(name_of(standing.seat(), names));
  }
  return found;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " and ") + name;
  return text;
}

}  // namespace

std::vector<std::string> names_of(const play::v1::Seating& seating) {
  std::vector<std::string> names(seating.seat_count());
  for (const auto& occupant : seating.seats()) {
    if (occupant.seat() < names.size()) names[occupant.seat()] = occupant.display_name();
  }
  return names;
}

std::vector<std::string> marks_of(const play::v1::Seating& seating) {
  std::vector<std::string> marks(seating.seat_count());
  for (const auto& occupant : seating.seats()) {
    if (occupant.seat() < marks.size()) marks[occupant.seat()] = mark_of(occupant);
  }
  return marks;
}

bool is_known(std::uint32_t seat, const std::vector<std::string>& names) {
  return seat < names.size() && !names[seat].empty();
}

std::string name_of(std::uint32_t seat, const std::vector<std::string>& names) {
  return is_known(seat, names) ? names[seat] : "player " + std::to_string(seat + 1);
}

bool has_resigned(const Result& result) {
  return std::any_of(result.standings().begin(), result.standings().end(),
                     [](const Standing& standing) { return standing.resigned(); });
}

std::string unless_resigned(const std::optional<Result>& result, std::string words) {
  return result && has_resigned(*result) ? "resigned" : std::move(words);
}

std::string winner_words(const Result& result, const std::vector<std::string>& names) {
  const auto winners =
      names_where(result, names, [](const Standing& standing) { return standing.rank() == 1; });
  std::string points;
  for (const Standing& standing : result.standings()) {
    points += (points.empty() ? "" : " : ") + std::to_string(standing.points());
  }
  return joined(winners) + (winners.size() > 1 ? " share the first place, " : " wins, ") + points +
         ".";
}

std::string resigned_words(const Result& result, const std::vector<std::string>& names) {
  const auto gone =
      names_where(result, names, [](const Standing& standing) { return standing.resigned(); });
  const std::string who = joined(gone) + (gone.size() > 1 ? " have resigned" : " has resigned");
  if (result.standings_size() == 1) {
    return who + ", with " + std::to_string(result.standings(0).points()) + " points.";
  }
  return who + ". " + winner_words(result, names);
}

}  // namespace tesela::cli
