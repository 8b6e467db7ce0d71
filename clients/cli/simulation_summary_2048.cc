#include "clients/cli/simulation_summary_2048.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>

#include "clients/cli/seed_text.h"

namespace tesela::cli {
namespace {

/// printf into a string; a line of a summary is short.
template <class... Values>
std::string line(const char* format, Values... values) {
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

/// The smallest value that at least `share` of the sorted ones do not exceed.
std::uint64_t quantile(const std::vector<std::uint64_t>& sorted, double share) {
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

std::string distribution(const char* what, std::vector<std::uint64_t> values) {
  std::ranges::sort(values);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  std::string text = line("%-7s %12.1f", what, sum / static_cast<double>(values.size()));
  for (const double share : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    text += line(" %10llu", static_cast<unsigned long long>(quantile(values, share)));
  }
  return text + "\n";
}

std::vector<std::uint64_t> column(const std::vector<Simulated2048>& results,
                                  std::uint64_t Simulated2048::* field) {
  std::vector<std::uint64_t> values;
  values.reserve(results.size());
  std::ranges::transform(results, std::back_inserter(values), field);
  return values;
}

std::string largest_tiles(const std::vector<Simulated2048>& results) {
  std::map<g2048::Exponent, std::size_t, std::greater<>> games;
  for (const Simulated2048& game : results) ++games[game.largest];
  std::string text = "largest tile:";
  for (const auto& [exponent, count] : games) {
    const double share = 100.0 * static_cast<double>(count) / static_cast<double>(results.size());
    text +=
        line("  %llu %.1f%%", static_cast<unsigned long long>(g2048::tile_value(exponent)), share);
  }
  return text + "\n";
}

}  // namespace

std::string summary(const Simulation2048& simulation, const std::vector<Simulated2048>& results,
                    std::chrono::duration<double> elapsed) {
  const auto reached = std::ranges::count(results, true, &Simulated2048::objective_reached);
  std::string text = "2048, " + std::to_string(results.size()) +
                     (results.size() == 1 ? " game" : " games") + " played by random, seed " +
                     to_text(simulation.seed) + "\n";
  text += "                mean        min        p10        p50        p90        max\n";
  text += distribution("score", column(results, &Simulated2048::score));
  text += distribution("moves", column(results, &Simulated2048::moves));
  text += largest_tiles(results);
  text += "reached " + std::to_string(g2048::tile_value(simulation.config.objective)) + ": " +
          std::to_string(reached) + " of " + std::to_string(results.size()) + "\n";
  text += line("games/s %.1f, in %.2f s\n", static_cast<double>(results.size()) / elapsed.count(),
               elapsed.count());
  return text;
}

}  // namespace tesela::cli
