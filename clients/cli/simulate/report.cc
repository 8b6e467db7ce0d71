#include "clients/cli/simulate/report.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>

#include "clients/cli/base/value_text.h"

namespace tesela::cli {
namespace {

constexpr int kPairWidth = 9;

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

double missed_part(const TournamentReport& report, std::size_t bot) {
  const std::uint64_t moves = report.figures.bots[bot].pace().moves;
  return moves == 0 ? 0.0 : static_cast<double>(report.missed[bot]) / static_cast<double>(moves);
}

bool is_marked(const TournamentReport& report, std::size_t bot) {
  return missed_part(report, bot) > kMissedPartMax;
}

bool any_marked(const TournamentReport& report) {
  for (std::size_t bot = 0; bot < report.missed.size(); ++bot) {
    if (is_marked(report, bot)) return true;
  }
  return false;
}

bool any_missed(const TournamentReport& report) {
  return std::ranges::any_of(report.missed, [](std::uint64_t count) { return count > 0; });
}

std::string interval_text(const Rating& rating) {
  if (!rating.interval) return line_of("%16s", "-");
  return line_of("%+7.0f .. %+5.0f", rating.interval->low, rating.interval->high);
}

/// Why there are no intervals; empty where there are.
std::string no_intervals_text(const TournamentReport& report) {
  const std::uint64_t deals = report.figures.deals.size();
  if (deals >= kIntervalDealsMin) return "";
  return "No intervals: they need " + std::to_string(kIntervalDealsMin) + " deals; --games " +
         std::to_string(report.games / deals * kIntervalDealsMin) + " plays as many.\n";
}

std::string rating_lines(const TournamentReport& report) {
  const std::size_t ranks = report.seats == 1 ? report.ratings.size() : report.seats;
  const bool missed = any_missed(report);
  std::string text =
      line_of("%-*s %7s %16s%s", kBotWidth, "", "Elo ", "95 % interval", missed ? "  missed" : "") +
      " " + figures_head(ranks);
  for (const std::size_t bot : strongest_first(report.ratings)) {
    const Rating& rating = report.ratings[bot];
    text += line_of("%-*s %+6.0f%s", kBotWidth, report.figures.bots[bot].bot().c_str(), rating.elo,
                    is_marked(report, bot) ? "*" : " ") +
            " " + interval_text(rating) +
            (missed ? line_of(" %6.1f%%", 100 * missed_part(report, bot)) : "") + " " +
            report.figures.bots[bot].line();
  }
  return text + no_intervals_text(report);
}

std::string pair_lines(const TournamentReport& report) {
  const PairScores pairs = sum_of(report.figures.deals);
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

constexpr double kWidth = 720;
constexpr double kNames = 190;   // where the axis begins
constexpr double kValues = 620;  // where it ends, and the numbers stand
constexpr double kTop = 44;
constexpr double kRow = 30;

constexpr const char* kStyle =
    R"(<style>
text{font:14px system-ui,sans-serif;fill:#222}.t{font-weight:600}.s{font-size:12px;fill:#666}
line{stroke:#bbb}.i{stroke:#2a6fb0;stroke-width:3}circle{fill:#2a6fb0}
@media(prefers-color-scheme:dark){text{fill:#ddd}.s{fill:#999}line{stroke:#555}
.i{stroke:#7db8ee}circle{fill:#7db8ee}}
</style>
)";

/// The drawn range of a rating: without an interval, its point.
Rating::Interval shown(const Rating& rating) {
  return rating.interval.value_or(Rating::Interval{.low = rating.elo, .high = rating.elo});
}

/// From Elo points to the picture.
class Axis {
 public:
  explicit Axis(const std::vector<Rating>& ratings) {
    for (const Rating& rating : ratings) {
      const auto [low, high] = shown(rating);
      low_ = std::min(low_, std::floor(low / kTick) * kTick);
      high_ = std::max(high_, std::ceil(high / kTick) * kTick);
    }
    while ((high_ - low_) / step_ > kTicksMax) step_ *= 2;
  }

  [[nodiscard]] double x(double elo) const {
    return kNames + (elo - low_) / (high_ - low_) * (kValues - kNames);
  }

  [[nodiscard]] std::string ticks(double bottom) const {
    std::string text;
    for (double elo = std::ceil(low_ / step_) * step_; elo <= high_; elo += step_) {
      text += line_of(R"(<line x1="%.1f" y1="%.0f" x2="%.1f" y2="%.0f"/>)", x(elo), kTop - 8,
                      x(elo), bottom) +
              line_of(R"(<text class="s" x="%.1f" y="%.0f" text-anchor="middle">%.0f</text>)"
                      "\n",
                      x(elo), bottom + 16, elo);
    }
    return text;
  }

 private:
  static constexpr double kTick = 50;
  static constexpr double kTicksMax = 12;

  double low_{-kTick};
  double high_{kTick};
  double step_{kTick};
};

std::string row_of(const std::string& name, const Rating& rating, bool marked, const Axis& axis,
                   double y) {
  const auto [low, high] = shown(rating);
  return line_of(R"(<text x="%.0f" y="%.0f" text-anchor="end">)", kNames - 14, y + 5) + name +
         "</text>" +
         line_of(R"(<line class="i" x1="%.1f" y1="%.0f" x2="%.1f" y2="%.0f"/>)", axis.x(low), y,
                 axis.x(high), y) +
         line_of(R"(<circle cx="%.1f" cy="%.0f" r="5"/>)", axis.x(rating.elo), y) +
         line_of(R"(<text x="%.0f" y="%.0f">%+.0f%s</text>)"
                 "\n",
                 kValues + 16, y + 5, rating.elo, marked ? " *" : "");
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
  return title(report) + rating_lines(report) + missed_text(report) + "\n" + pair_lines(report) +
         line_of("\ngames/s %.1f, in %.2f s\n",
                 static_cast<double>(report.games) / report.elapsed.count(),
                 report.elapsed.count());
}

std::string missed_text(const TournamentReport& report) {
  std::string text;
  for (std::size_t bot = 0; bot < report.missed.size(); ++bot) {
    if (report.missed[bot] == 0) continue;
    const SeatFigures& figures = report.figures.bots[bot];
    text += figures.bot() + ": " + std::to_string(report.missed[bot]) + " of its " +
            std::to_string(figures.pace().moves) +
            " moves did not come in time or were not legal, and a substitute moved" +
            (is_marked(report, bot) ? "; its rating is not its own" : "") + ".\n";
  }
  return text;
}

std::string table_json(const TournamentReport& report) {
  const PairScores pairs = sum_of(report.figures.deals);
  Json bots = Json::array();
  Json ms_per_move = Json::array();
  for (std::size_t bot = 0; bot < report.ratings.size(); ++bot) {
    Json json = report.figures.bots[bot].json();
    const Rating& rating = report.ratings[bot];
    json.update({{"elo", rating.elo}, {"low", nullptr}, {"high", nullptr}});
    if (rating.interval) {
      json.update({{"low", rating.interval->low}, {"high", rating.interval->high}});
    }
    json.update({{"moves", report.figures.bots[bot].pace().moves},
                 {"missed", report.missed[bot]},
                 {"rating_in_doubt", is_marked(report, bot)}});
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

std::string ratings_svg(const TournamentReport& report) {
  const Axis axis{report.ratings};
  const double bottom = kTop + kRow * static_cast<double>(report.ratings.size());
  const bool marked = any_marked(report);
  const double height = bottom + (marked ? 52 : 28);
  std::string text =
      line_of(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f">)"
              "\n",
              kWidth, height, kWidth) +
      kStyle + R"(<text class="t" x="16" y="22">)" + std::string{report.game} + ", " +
      std::to_string(report.seats) + (report.seats == 1 ? " seat, " : " seats, ") +
      std::to_string(report.games) + " games: Elo" +
      (report.ratings.front().interval ? " with 95 % intervals" : "") + "</text>\n" +
      axis.ticks(bottom);
  double y = kTop + kRow / 2;
  for (const std::size_t bot : strongest_first(report.ratings)) {
    text += row_of(report.figures.bots[bot].bot(), report.ratings[bot], is_marked(report, bot),
                   axis, y);
    y += kRow;
  }
  if (marked) {
    text += line_of(R"(<text class="s" x="16" y="%.0f">)", bottom + 40) +
            "* a substitute made more than 1 % of its moves</text>\n";
  }
  return text + "</svg>\n";
}

Expected<void> publish(const TournamentReport& report, const TournamentOptions& options) {
  if (!options.svg.empty()) {
    std::ofstream file{options.svg};
    file << ratings_svg(report);
    file.close();
    if (!file) return refuse(ErrorCode::kUnavailable, "Cannot write '" + options.svg + "'.");
  }
  if (options.json) std::cerr << missed_text(report);
  std::cout << (options.json ? table_json(report) : table_text(report)) << std::flush;
  if (!std::cout) return refuse(ErrorCode::kUnavailable, "Cannot write to standard output.");
  return {};
}

}  // namespace tesela::cli
