#include "clients/cli/simulation/summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>

#include "clients/cli/seed_text.h"

namespace tesela::cli {
namespace {

constexpr int kNameWidth = 14;

/// printf into a string; a line of a summary is short.
template <class... Values>
std::string line_of(const char* format, Values... values) {
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

/// The smallest value that at least `share` of the sorted ones do not exceed.
std::int64_t quantile(const std::vector<std::int64_t>& sorted, double share) {
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

}  // namespace

std::string Distribution::line() const {
  std::vector<std::int64_t> sorted = values_;
  std::ranges::sort(sorted);
  const double sum = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  std::string text =
      line_of("%-*s %12.1f", kNameWidth, name_.c_str(), sum / static_cast<double>(sorted.size()));
  for (const double share : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    text += line_of(" %10lld", static_cast<long long>(quantile(sorted, share)));
  }
  return text + "\n";
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

std::string summary(std::string_view game, std::uint64_t games, const Seed& seed,
                    const std::string& tally, std::chrono::duration<double> elapsed) {
  return std::string{game} + ", " + std::to_string(games) + (games == 1 ? " game" : " games") +
         " played by random, seed " + to_text(seed) + "\n" + tally +
         line_of("games/s %.1f, in %.2f s\n", static_cast<double>(games) / elapsed.count(),
                 elapsed.count());
}

}  // namespace tesela::cli
