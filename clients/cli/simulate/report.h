// The result of a tournament: a table for people, JSON for programs, and a picture.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/simulate/bot.h"
#include "clients/cli/simulate/ratings.h"
#include "clients/cli/simulate/tournament.h"
#include "engine/core/result.h"
#include "engine/core/rng.h"

namespace tesela::cli {

class RemoteBots;

/// The options that are the same for every game.
struct TournamentOptions {
  std::vector<BotText> bots;
  BotBudget budget;  // of bots that give none
  std::uint64_t games = 1'000;
  std::string seed;  // empty: a new one
  unsigned threads = 1;
  std::string svg;  // a path, or empty for none
  bool json = false;
  RemoteBots* remote = nullptr;   // of the bots that is_remote() says; outlives the tournament
  std::function<void()> begin{};  // called before the first game, when nothing is refused any more
};

/// A bot whose part of missed moves is above this is marked: its rating is also the substitute's.
inline constexpr double kMissedPartMax = 0.01;

/// A tournament that is over.
struct TournamentReport {
  std::string_view game;
  std::size_t seats;
  std::uint64_t games;
  Seed seed;
  TournamentFigures figures;
  std::vector<Rating> ratings;        // by bot, as in the figures
  std::vector<std::uint64_t> missed;  // by bot: the moves that a substitute made
  std::chrono::duration<double> elapsed;
};

/// The table of the bots, the strongest first, and what each scored against each; and what
/// missed_text() says.
[[nodiscard]] std::string table_text(const TournamentReport& report);

/// A line for each bot with missed moves; empty where no move was missed.
[[nodiscard]] std::string missed_text(const TournamentReport& report);

/// The table as one JSON object. What depends on the speed of the machine is under "times".
[[nodiscard]] std::string table_json(const TournamentReport& report);

/// An SVG with the ratings and their intervals, the strongest first; for light and dark pages.
[[nodiscard]] std::string ratings_svg(const TournamentReport& report);

/// The indices of the bots, the strongest first.
[[nodiscard]] std::vector<std::size_t> strongest_first(const std::vector<Rating>& ratings);

/// Writes the table to standard output, and the picture to its file; beside JSON, what
/// missed_text() says to standard error. kUnavailable when it cannot.
[[nodiscard]] Expected<void> publish(const TournamentReport& report,
                                     const TournamentOptions& options);

}  // namespace tesela::cli
