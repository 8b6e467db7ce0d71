#include "clients/cli/simulate/seat_figures.h"

#include <algorithm>

#include "clients/cli/base/value_text.h"

namespace tesela::cli {

std::vector<std::uint8_t> ranks_of(const std::optional<Result>& result, std::size_t seats) {
  std::vector<std::uint8_t> ranks(seats, 1);
  for (std::size_t seat = 0; result && seat < seats; ++seat) {
    ranks[seat] = result->standings[seat].rank;
  }
  return ranks;
}

std::uint8_t tied_with(const std::vector<std::uint8_t>& ranks, std::size_t one) {
  return static_cast<std::uint8_t>(std::ranges::count(ranks, ranks[one]));
}

void SeatFigures::add(const Game& game) {
  points_.add(game.points);
  pace_ += game.pace;
  ++games_;
  ++ranks_[game.rank - 1U];
  wins_ += game.rank == 1 ? 1.0 / game.tied : 0.0;
}

std::string figures_head(std::size_t ranks) {
  std::string text = ranks > 1 ? line_of("%7s", "wins") : "";
  for (std::size_t rank = 1; ranks > 1 && rank <= ranks; ++rank) {
    text += line_of(" %6s", ("rank " + std::to_string(rank)).c_str());
  }
  return text + line_of(" %9s %7s %7s %7s %11s\n", "mean", "p10", "p50", "p90", "ms a move");
}

std::string SeatFigures::line() const {
  std::string text;
  if (ranks_.size() > 1) {
    text = line_of("%6.1f%%", 100 * wins_ / static_cast<double>(games_));
    for (const std::uint64_t count : ranks_) {
      text += line_of(" %6llu", static_cast<unsigned long long>(count));
    }
  }
  const Quantiles points = points_.quantiles();
  return text + line_of(" %9.1f %7lld %7lld %7lld %11.4f\n", points.mean,
                        static_cast<long long>(points.p10), static_cast<long long>(points.p50),
                        static_cast<long long>(points.p90), pace_.ms_per_move());
}

Json SeatFigures::json() const {
  return {{"bot", bot_},
          {"wins", wins_ / static_cast<double>(games_)},
          {"ranks", ranks_},
          {"points", points_.json()}};
}

std::string names_of(const std::vector<SeatFigures>& seats) {
  std::string names = seats.front().bot();
  const bool all_the_same = std::ranges::all_of(
      seats, [&](const SeatFigures& seat) { return seat.bot() == seats.front().bot(); });
  for (std::size_t seat = 1; !all_the_same && seat < seats.size(); ++seat) {
    names += ", " + seats[seat].bot();
  }
  return names;
}

std::string seats_text(const std::vector<SeatFigures>& seats) {
  std::string text = std::string(kBotWidth, ' ') + figures_head(seats.size());
  for (const SeatFigures& seat : seats) {
    text += line_of("%-*s", kBotWidth, seat.bot().c_str()) + seat.line();
  }
  return text;
}

std::string summary_json(const Simulated& simulated, const Json& figures,
                         const std::vector<SeatFigures>& seats,
                         std::chrono::duration<double> elapsed) {
  Json of_seats = Json::array();
  Json ms_per_move = Json::array();
  for (const SeatFigures& seat : seats) {
    of_seats.push_back(seat.json());
    ms_per_move.push_back(seat.pace().ms_per_move());
  }
  const Json json{{"game", simulated.game},
                  {"games", simulated.games},
                  {"seed", to_text(simulated.seed)},
                  {"seats", std::move(of_seats)},
                  {"figures", figures},
                  {"times",
                   {{"seconds", elapsed.count()},
                    {"games_per_second", static_cast<double>(simulated.games) / elapsed.count()},
                    {"ms_per_move", std::move(ms_per_move)}}}};
  return json.dump(2) + "\n";
}

}  // namespace tesela::cli
