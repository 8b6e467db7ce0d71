// The results of a bot in many games.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/simulate/play_game.h"
#include "clients/cli/simulate/summary.h"
#include "engine/core/game.h"

namespace tesela::cli {

/// The rank of each seat. A game that was stopped is a tie of all.
[[nodiscard]] std::vector<std::uint8_t> ranks_of(const std::optional<Result>& result,
                                                 std::size_t seats);

/// How many seats share the rank of seat `one`, itself included.
[[nodiscard]] std::uint8_t tied_with(const std::vector<std::uint8_t>& ranks, std::size_t one);

class SeatFigures {
 public:
  /// Of one game.
  struct Game {
    std::int64_t points{};
    std::uint8_t rank{1};
    std::uint8_t tied{1};  // how many seats share the rank, this one included
    Pace pace{};
  };

  /// `ranks`: the number of different ranks in a game.
  SeatFigures(std::string bot, std::size_t ranks)
      : bot_{std::move(bot)}, points_{bot_}, ranks_(ranks) {}

  void add(const Game& game);

  [[nodiscard]] const std::string& bot() const { return bot_; }
  [[nodiscard]] const Pace& pace() const { return pace_; }
  /// "62.5%  40 20  31.0 …", under figures_head() of as many ranks. With one rank there are no
  /// wins.
  [[nodiscard]] std::string line() const;
  /// Without anything that depends on the speed of the machine.
  [[nodiscard]] Json json() const;

 private:
  std::string bot_;
  Distribution points_;
  Pace pace_;
  double wins_{0};  // a win shared by n seats counts as 1/n
  std::uint64_t games_{0};
  std::vector<std::uint64_t> ranks_;
};

/// The line above those of bots.
[[nodiscard]] std::string figures_head(std::size_t ranks);

/// The names of the bots with commas between them; one name if a bot has all seats.
[[nodiscard]] std::string names_of(const std::vector<SeatFigures>& seats);

/// A table with a line for each seat.
[[nodiscard]] std::string seats_text(const std::vector<SeatFigures>& seats);

/// The summary as one JSON object. What depends on the speed of the machine is under "times".
[[nodiscard]] std::string summary_json(const Simulated& simulated, const Json& figures,
                                       const std::vector<SeatFigures>& seats,
                                       std::chrono::duration<double> elapsed);

}  // namespace tesela::cli
