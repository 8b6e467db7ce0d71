// A day of matchmaking in a moment: ten thousand tickets, passes as the server makes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <unordered_map>

#include "server/matchmaking/matchmaker.h"
#include "tests/server/matchmaking/random_tickets.h"
#include "tests/server/matchmaking/tickets.h"

namespace tesela::matchmaking {
namespace {

constexpr std::size_t kTickets = 10'000;
constexpr std::int64_t kPassMs = 500;
constexpr std::int64_t kBotsAfterMs = 30'000;
// After the last arrival: longer than windows widen, and longer than anybody waits for bots.
constexpr std::int64_t kLingerMs = 120'000;

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

double milliseconds_of(const auto& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Tickets arrive, a pass is made every half second, matched tickets leave.
class Simulation {
 public:
  explicit Simulation(std::vector<Ticket> tickets) : tickets_(std::move(tickets)) {}

  void run(std::int64_t until_ms) {
    auto next = tickets_.begin();
    for (std::int64_t now_ms = 0; now_ms <= until_ms; now_ms += kPassMs) {
      while (next != tickets_.end() && next->since_ms <= now_ms) waiting_.push_back(*next++);
      pass(now_ms);
    }
  }

  void print(const char* name) const {
    std::printf(
        "%s: %zu tickets, %zu matched, %zu waiting; wait s p50 %.1f p90 %.1f p99 %.1f; "
        "spread p50 %.1f p90 %.1f; tables %zu, bots %zu; longest pass ms %.2f\n",
        name, tickets_.size(), waits_.size(), waiting_.size(), quantile(waits_, 0.5),
        quantile(waits_, 0.9), quantile(waits_, 0.99), quantile(spreads_, 0.5),
        quantile(spreads_, 0.9), tables_, bots_, longest_pass_ms_);
  }

  [[nodiscard]] const std::vector<Ticket>& waiting() const { return waiting_; }
  [[nodiscard]] std::size_t matched() const { return waits_.size(); }
  [[nodiscard]] double wait_s(double q) const { return quantile(waits_, q); }
  [[nodiscard]] double spread(double q) const { return quantile(spreads_, q); }

 private:
  void pass(std::int64_t now_ms) {
    std::vector<Pairing> pairings;
    const double took_ms = milliseconds_of([&] { pairings = pair_up(waiting_, now_ms); });
    longest_pass_ms_ = std::max(longest_pass_ms_, took_ms);
    expect_sound(waiting_, pairings, now_ms, Rules{});
    std::unordered_map<TicketId, const Ticket*> by_id;
    for (const Ticket& ticket : waiting_) by_id.emplace(ticket.id, &ticket);
    std::unordered_map<TicketId, bool> gone;
    for (const Pairing& pairing : pairings) {
      ++tables_;
      bots_ += pairing.bots;
      std::vector<double> ratings;
      for (const TicketId id : pairing.tickets) {
        gone[id] = true;
        waits_.push_back(static_cast<double>(waited_ms(*by_id.at(id), now_ms)) / 1000);
        ratings.push_back(rating_of(*by_id.at(id)));
      }
      const auto [low, high] = std::ranges::minmax(ratings);
      if (ratings.size() > 1) spreads_.push_back(high - low);
    }
    std::erase_if(waiting_, [&](const Ticket& ticket) { return gone.contains(ticket.id); });
  }

  std::vector<Ticket> tickets_;
  std::vector<Ticket> waiting_;
  std::vector<double> waits_;    // seconds
  std::vector<double> spreads_;  // points of mu between the parties of a table
  std::size_t tables_{};
  std::size_t bots_{};
  double longest_pass_ms_{};
};

std::vector<Queue> azul_queues(Mode mode) {
  std::vector<Queue> queues;
  for (std::size_t seats = kSeatsMin; seats <= kSeatsMax; ++seats) {
    queues.push_back(azul(seats));
    queues.back().mode = mode;
  }
  return queues;
}

Simulation simulated(Mode mode, std::int64_t arrivals_ms) {
  const Crowd crowd{.arrivals_ms = arrivals_ms,
                    .with_bots = 0.3,
                    .bots_after_ms = kBotsAfterMs,
                    .queues = azul_queues(mode),
                    .party = {80, 14, 4, 2}};
  std::mt19937_64 dice{2026};
  Simulation simulation{draw_tickets(crowd, kTickets, dice)};
  simulation.run(arrivals_ms + kLingerMs);
  return simulation;
}

// No ticket is lost, and none waits beyond its time for bots.
void expect_all_accounted_for(const Simulation& simulation) {
  EXPECT_EQ(simulation.matched() + simulation.waiting().size(), kTickets);
  for (const Ticket& ticket : simulation.waiting()) EXPECT_FALSE(ticket.bots);
}

TEST(MatchmakerSimulation, ABusyHourOfRankedPlay) {
  const Simulation simulation = simulated(Mode::kRanked, 1'000'000);
  simulation.print("ranked, 10 tickets/s");
  expect_all_accounted_for(simulation);
  EXPECT_LT(simulation.waiting().size(), kTickets / 500);
  EXPECT_LT(simulation.wait_s(0.5), 5);
  EXPECT_LT(simulation.spread(0.9), 5);
}

TEST(MatchmakerSimulation, AQuietDayOfRankedPlay) {
  const Simulation simulation = simulated(Mode::kRanked, 20'000'000);
  simulation.print("ranked, 1 ticket/2 s");
  expect_all_accounted_for(simulation);
  EXPECT_LT(simulation.waiting().size(), kTickets / 500);
  EXPECT_LT(simulation.wait_s(0.5), 30);
  EXPECT_LT(simulation.spread(0.9), 25);
}

TEST(MatchmakerSimulation, ABusyHourOfCasualPlay) {
  const Simulation simulation = simulated(Mode::kCasual, 1'000'000);
  simulation.print("casual, 10 tickets/s");
  expect_all_accounted_for(simulation);
  EXPECT_LT(simulation.waiting().size(), kTickets / 500);
  EXPECT_LT(simulation.wait_s(0.9), 5);
}

TEST(MatchmakerSimulation, TenThousandAtOnce) {
  const Simulation simulation = simulated(Mode::kRanked, 0);
  simulation.print("ranked, all at once");
  expect_all_accounted_for(simulation);
  EXPECT_EQ(simulation.wait_s(0.9), 0);
}

// Work without a result: old pairs that search a third among new tickets, whose ratings are too far
// for their own windows. More newcomers would fit each other, and be gone.
TEST(MatchmakerSimulation, TenThousandWhoDoNotFit) {
  constexpr std::int64_t kNowMs = 3'600'000;
  std::vector<Ticket> tickets;
  for (double mu = 27.1; mu < 50; mu += 2.1) {
    tickets.push_back(since(kNowMs, ticket(tickets.size() + 1, {mu}, azul(3))));
  }
  while (tickets.size() < kTickets) {
    tickets.push_back(ticket(tickets.size() + 1, {25, 25}, azul(3)));
  }
  std::vector<Pairing> pairings;
  const double took_ms = milliseconds_of([&] { pairings = pair_up(tickets, kNowMs); });
  std::printf("nobody fits: pass ms %.2f\n", took_ms);
  EXPECT_EQ(pairings, std::vector<Pairing>{});
}

}  // namespace
}  // namespace tesela::matchmaking
