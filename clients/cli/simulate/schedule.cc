#include "clients/cli/simulate/schedule.h"

#include <algorithm>

namespace tesela::cli {

std::vector<Seating> round_robin(std::size_t bots, std::size_t seats) {
  std::vector<Seating> all;
  std::vector<std::uint8_t> sits(bots);
  std::ranges::fill_n(sits.begin(), static_cast<std::ptrdiff_t>(seats), std::uint8_t{1});
  do {
    Seating group;
    for (std::size_t bot = 0; bot < bots; ++bot) {
      if (sits[bot] != 0) group.push_back(static_cast<std::uint8_t>(bot));
    }
    for (std::size_t turned = 0; turned < seats; ++turned) {
      all.push_back(group);
      std::ranges::rotate(group, group.begin() + 1);
    }
  } while (std::ranges::prev_permutation(sits).found);
  return all;
}

}  // namespace tesela::cli
