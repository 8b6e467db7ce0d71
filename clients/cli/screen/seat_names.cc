#include "clients/cli/screen/seat_names.h"

namespace tesela::cli {

std::vector<std::string> names_of(const play::v1::Seating& seating) {
  std::vector<std::string> names(seating.seat_count());
  for (const auto& occupant : seating.seats()) {
    if (occupant.seat() < names.size()) names[occupant.seat()] = occupant.display_name();
  }
  return names;
}

}  // namespace tesela::cli
