#include "clients/cli/simulate/run_tournament.h"

#include <fstream>
#include <set>

namespace tesela::cli {

Expected<void> check_field(const std::vector<BotText>& bots, std::size_t seats) {
  const std::size_t least = seats < 2 ? 2 : seats;
  if (bots.size() < least || bots.size() > kBotsMax) {
    return refuse(ErrorCode::kInvalidArgument,
                  "A tournament at tables of " + std::to_string(seats) + " needs " +
                      std::to_string(least) + " to " + std::to_string(kBotsMax) + " bots, not " +
                      std::to_string(bots.size()) + ".");
  }
  std::set<std::string> names;
  for (const BotText& bot : bots) {
    if (!names.insert(bot.text).second) {
      return refuse(ErrorCode::kInvalidArgument,
                    "The bot '" + bot.text +
                        "' is named twice; a second one can have a budget of its own, such as "
                        "uct:nodes=5000.");
    }
  }
  return {};
}

Expected<void> publish(const TournamentReport& report, const TournamentOptions& options) {
  if (!options.svg.empty()) {
    std::ofstream file{options.svg};
    file << ratings_svg(report);
    file.close();
    if (!file) return refuse(ErrorCode::kUnavailable, "Cannot write '" + options.svg + "'.");
  }
  std::cout << (options.json ? table_json(report) : table_text(report)) << std::flush;
  if (!std::cout) return refuse(ErrorCode::kUnavailable, "Cannot write to standard output.");
  return {};
}

}  // namespace tesela::cli
