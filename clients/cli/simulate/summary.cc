#include "clients/cli/simulate/summary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "clients/cli/base/value_text.h"

namespace tesela::cli {
namespace {

constexpr int kNameWidth = 14;

std::int64_t quantile(const std::vector<std::int64_t>& sorted, double share) {
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

}  // namespace

Quantiles Distribution::quantiles() const {
  std::vector<std::int64_t> sorted = values_;
  std::ranges::sort(sorted);
  const double sum = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  return {.mean = sum / static_cast<double>(sorted.size()),
          .least = sorted.front(),
          .p10 = quantile(sorted, 0.1),
          .p50 = quantile(sorted, 0.5),
          .p90 = quantile(sorted, 0.9),
          .most = sorted.back()};
}

std::string Distribution::line() const {
  const Quantiles all = quantiles();
  std::string text = line_of("%-*s %12.1f", kNameWidth, name_.c_str(), all.mean);
  for (const std::int64_t value : {all.least, all.p10, all.p50, all.p90, all.most}) {
    text += line_of(" %10lld", static_cast<long long>(value));
  }
  return text + "\n";
}

Json Distribution::json() const {
  const Quantiles all = quantiles();
  return {{"mean", all.mean}, {"min", all.least}, {"p10", all.p10},
          {"p50", all.p50},   {"p90", all.p90},   {"max", all.most}};
}

std::string distribution_head() {
  return line_of("%-*s %12s %10s %10s %10s %10s %10s\n", kNameWidth, "", "mean", "min", "p10",
                 "p50", "p90", "max");
}

std::string Shares::line() const {
  std::uint64_t all = 0;
  for (const auto& [entry, count] : counts_) all += count;
  std::string text = name_ + ":";
  for (const auto& [entry, count] : counts_) {
    const double share = 100.0 * static_cast<double>(count) / static_cast<double>(all);
    text += "  " + entry.second + line_of(" %.1f%%", share);
  }
  return text + "\n";
}

Json Shares::json() const {
  Json counts = Json::object();
  for (const auto& [entry, count] : counts_) counts[entry.second] = count;
  return counts;
}

void TileStatistics::add_game(const Game& game) {
  score_.add(static_cast<std::int64_t>(game.score));
  moves_.add(static_cast<std::int64_t>(game.moves));
  largest_.add(static_cast<std::int64_t>(game.largest), std::to_string(game.largest));
  aim_ = game.aim;
  reached_ += game.reached ? 1 : 0;
  ++games_;
}

std::string TileStatistics::text() const {
  return distribution_head() + score_.line() + moves_.line() + largest_.line() + "reached " +
         std::to_string(aim_) + ": " + std::to_string(reached_) + " of " + std::to_string(games_) +
         "\n";
}

Json TileStatistics::json() const {
  return {{"score", score_.json()},
          {"moves", moves_.json()},
          {"largest", largest_.json()},
          {aim_name_, aim_},
          {"reached", reached_}};
}

std::string summary(const Simulated& simulated, const std::string& figures,
                    std::chrono::duration<double> elapsed) {
  return std::string{simulated.game} + ", " + std::to_string(simulated.games) +
         (simulated.games == 1 ? " game" : " games") + " played by " + simulated.bots + ", seed " +
         to_text(simulated.seed) + "\n" + figures +
         line_of("games/s %.1f, in %.2f s\n",
                 static_cast<double>(simulated.games) / elapsed.count(), elapsed.count());
}

}  // namespace tesela::cli
