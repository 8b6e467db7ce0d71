#include "clients/cli/screen/seat_names.h"

namespace tesela::cli {
namespace {

std::string mark_of(const play::v1::SeatOccupant& occupant) {
  if (occupant.bot()) return "bot";
  if (occupant.resigned()) return std::string{kResigned};
  if (!occupant.strategy().empty()) return std::string{kByBot};
  return occupant.connected() ? "" : "away";
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

}  // namespace tesela::cli
