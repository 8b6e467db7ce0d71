#include "clients/cli/simulate/tile_tally.h"

namespace tesela::cli {

void TileTally::add_game(const Game& game) {
  score_.add(static_cast<std::int64_t>(game.score));
  moves_.add(static_cast<std::int64_t>(game.moves));
  largest_.add(static_cast<std::int64_t>(game.largest), std::to_string(game.largest));
  aim_ = game.aim;
  reached_ += game.reached ? 1 : 0;
  ++games_;
}

std::string TileTally::text() const {
  return distribution_head() + score_.line() + moves_.line() + largest_.line() + "reached " +
         std::to_string(aim_) + ": " + std::to_string(reached_) + " of " + std::to_string(games_) +
         "\n";
}

Json TileTally::json() const {
  return {{"score", score_.json()},
          {"moves", moves_.json()},
          {"largest", largest_.json()},
          {aim_name_, aim_},
          {"reached", reached_}};
}

}  // namespace tesela::cli
