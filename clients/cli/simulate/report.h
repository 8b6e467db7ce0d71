// What a tournament came to: a table for people, JSON for programs, and a picture.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/simulate/ratings.h"
#include "clients/cli/simulate/tournament.h"
#include "engine/core/rng.h"

namespace tesela::cli {

/// A tournament that is over.
struct TournamentReport {
  std::string_view game;
  std::size_t seats;
  std::uint64_t games;
  Seed seed;
  TournamentFigures figures;
  std::vector<Rating> ratings;  // by bot, as in the figures
  std::chrono::duration<double> elapsed;
};

/// The table of the bots, the strongest first, and what each scored against each.
[[nodiscard]] std::string table_text(const TournamentReport& report);

/// The same as one JSON object. What depends on how fast the machine is stands under "times".
[[nodiscard]] std::string table_json(const TournamentReport& report);

/// An SVG with the ratings and their intervals, the strongest first; for light and dark pages.
[[nodiscard]] std::string ratings_svg(const TournamentReport& report);

/// The numbers of the bots, the strongest first.
[[nodiscard]] std::vector<std::size_t> strongest_first(const std::vector<Rating>& ratings);

}  // namespace tesela::cli
