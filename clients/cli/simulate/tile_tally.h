// What games of merging tiles come to, 2048 and 2248.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "clients/cli/simulate/summary.h"

namespace tesela::cli {

class TileTally {
 public:
  /// A game that was played. Tiles are told by their values.
  struct Game {
    std::uint64_t score;
    std::uint64_t moves;
    std::uint64_t largest;
    std::uint64_t aim;  // of all games the same
    bool reached;
  };

  /// `aim`: what the game calls it in JSON.
  explicit TileTally(std::string aim) : aim_name_{std::move(aim)} {}

  void add_game(const Game& game);
  /// At least one game was added, as for `json`.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] Json json() const;

 private:
  std::string aim_name_;
  Distribution score_{"score"};
  Distribution moves_{"moves"};
  Shares largest_{"largest tile"};
  std::uint64_t aim_{0};
  std::uint64_t reached_{0};
  std::uint64_t games_{0};
};

}  // namespace tesela::cli
