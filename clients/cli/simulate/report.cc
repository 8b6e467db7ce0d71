#include "clients/cli/simulate/report.h"

#include <algorithm>
#include <cmath>

#include "clients/cli/base/seed_text.h"

namespace tesela::cli {
namespace {

constexpr int kPairWidth = 9;

/// The sum over all deals.
PairScores all_pairs(const TournamentReport& report) {
  PairScores all{report.figures.bots.size()};
  for (const PairScores& deal : report.figures.deals) all += deal;
  return all;
}

/// What one bot scored against another, from 0 to 1.
double share(const PairScores& pairs, std::size_t bot, std::size_t against) {
  const double met = pairs.met(bot, against);
  return met > 0 ? pairs.points(bot, against) / met : 0.5;
}

std::string title(const TournamentReport& report) {
  return std::string{report.game} + ", " + std::to_string(report.games) + " games of " +
         std::to_string(report.seats) + (report.seats == 1 ? " seat, " : " seats, ") +
         std::to_string(report.figures.deals.size()) + " deals, seed " + to_text(report.seed) +
         "\n";
}

std::string rating_lines(const TournamentReport& report) {
  const std::size_t ranks = report.seats == 1 ? report.ratings.size() : report.seats;
  std::string text =
      line_of("%-*s %6s %16s", kBotWidth, "", "Elo", "95 % interval") + " " + figures_head(ranks);
  for (const std::size_t bot : strongest_first(report.ratings)) {
    const Rating& rating = report.ratings[bot];
    text += line_of("%-*s %+6.0f  %+6.0f .. %+5.0f", kBotWidth,
                    report.figures.bots[bot].bot().c_str(), rating.elo, rating.low, rating.high) +
            " " + report.figures.bots[bot].line();
  }
  return text;
}

std::string pair_lines(const TournamentReport& report) {
  const PairScores pairs = all_pairs(report);
  const std::vector<std::size_t> order = strongest_first(report.ratings);
  std::string text = line_of("%-*s", kBotWidth, "scored against");
  for (std::size_t number = 1; number <= order.size(); ++number) {
    text += line_of("%*zu", kPairWidth, number);
  }
  for (std::size_t row = 0; row < order.size(); ++row) {
    text += line_of("\n%zu %-*s", row + 1, kBotWidth - 2,
                    report.figures.bots[order[row]].bot().c_str());
    for (const std::size_t against : order) {
      text += against == order[row]
                  ? line_of("%*s", kPairWidth, "")
                  : line_of("%*.1f%%", kPairWidth - 1, 100 * share(pairs, order[row], against));
    }
  }
  return text + "\n";
}

}  // namespace

std::vector<std::size_t> strongest_first(const std::vector<Rating>& ratings) {
  std::vector<std::size_t> order;
  order.reserve(ratings.size());
  for (std::size_t bot = 0; bot < ratings.size(); ++bot) order.push_back(bot);
  std::ranges::sort(order, [&](std::size_t one, std::size_t other) {
    return ratings[one].elo != ratings[other].elo ? ratings[one].elo > ratings[other].elo
                                                  : one < other;
  });
  return order;
}

std::string table_text(const TournamentReport& report) {
  return title(report) + rating_lines(report) + "\n" + pair_lines(report) +
         line_of("\ngames/s %.1f, in %.2f s\n",
                 static_cast<double>(report.games) / report.elapsed.count(),
                 report.elapsed.count());
}

std::string table_json(const TournamentReport& report) {
  const PairScores pairs = all_pairs(report);
  Json bots = Json::array();
  Json ms_per_move = Json::array();
  for (std::size_t bot = 0; bot < report.ratings.size(); ++bot) {
    Json json = report.figures.bots[bot].json();
    const Rating& rating = report.ratings[bot];
    json.update({{"elo", rating.elo}, {"low", rating.low}, {"high", rating.high}});
    json["scored"] = Json::array();
    for (std::size_t against = 0; against < report.ratings.size(); ++against) {
      json["scored"].push_back(share(pairs, bot, against));
    }
    bots.push_back(std::move(json));
    ms_per_move.push_back(report.figures.bots[bot].pace().ms_per_move());
  }
  const Json json{
      {"game", report.game},
      {"games", report.games},
      {"seats", report.seats},
      {"deals", report.figures.deals.size()},
      {"seed", to_text(report.seed)},
      {"bots", std::move(bots)},
      {"times", {{"seconds", report.elapsed.count()}, {"ms_per_move", std::move(ms_per_move)}}}};
  return json.dump(2) + "\n";
}

}  // namespace tesela::cli
