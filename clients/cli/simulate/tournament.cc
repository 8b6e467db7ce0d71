#include "clients/cli/simulate/tournament.h"

#include <set>
#include <string>

namespace tesela::cli {

Expected<void> check_bots(const std::vector<BotText>& bots, std::size_t seats) {
  const std::size_t least = seats < 2 ? 2 : seats;
  if (bots.size() < least || bots.size() > kBotsMax) {
    return refuse(ErrorCode::kInvalidArgument,
                  "A tournament at tables of " + std::to_string(seats) + " needs " +
                      std::to_string(least) + " to " + std::to_string(kBotsMax) + " bots, not " +
                      std::to_string(bots.size()) + ".");
  }
  std::set<std::string> names;
  for (const BotText& bot : bots) {
    if (is_remote(bot.strategy)) {
      if (auto known = check_remote_name(bot.strategy); !known) return known;
    }
    if (!names.insert(bot.text).second) {
      return refuse(ErrorCode::kInvalidArgument,
                    "The bot '" + bot.text +
                        "' is named twice; a second one can have a budget of its own, such as "
                        "uct:nodes=5000.");
    }
  }
  return {};
}

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
