#include "tests/server/matchmaking/random_tickets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace tesela::matchmaking {
namespace {

class Soundness {
 public:
  Soundness(const std::vector<Ticket>& tickets, std::int64_t now_ms, const Rules& rules)
      : now_ms_(now_ms), rules_(rules) {
    for (const Ticket& ticket : tickets) unused_.emplace(ticket.id, &ticket);
  }

  void expect(const Pairing& pairing) {
    std::vector<const Ticket*> table;
    std::size_t people = 0;
    for (const TicketId id : pairing.tickets) {
      const auto found = unused_.extract(id);
      ASSERT_FALSE(found.empty()) << "ticket " << id.value << " is unknown or in two pairings";
      table.push_back(found.mapped());
      people += found.mapped()->party.size();
    }
    EXPECT_EQ(people + pairing.bots, table.front()->queue.seats);
    EXPECT_TRUE(std::ranges::is_sorted(table, [](auto* a, auto* b) { return older(*a, *b); }));
    for (const Ticket* a : table) {
      for (const Ticket* b : table) expect_fit(*a, *b);
    }
    if (pairing.bots > 0) expect_bots_are_welcome(table, pairing.bot_level);
  }

 private:
  void expect_fit(const Ticket& a, const Ticket& b) const {
    EXPECT_EQ(a.queue, b.queue);
    EXPECT_LE(std::abs(rating_of(a) - rating_of(b)), window_of(a, now_ms_, rules_));
  }

  void expect_bots_are_welcome(const std::vector<const Ticket*>& table, std::uint8_t level) const {
    bool due = false;
    for (const Ticket* ticket : table) {
      ASSERT_TRUE(ticket->bots);
      due = due ||
            (ticket->bots->level == level && waited_ms(*ticket, now_ms_) >= ticket->bots->after_ms);
    }
    EXPECT_TRUE(due) << "nobody's time for bots of that level has come";
  }

  std::int64_t now_ms_;
  Rules rules_;
  std::unordered_map<TicketId, const Ticket*> unused_;
};

}  // namespace

std::vector<Ticket> draw_tickets(const Crowd& crowd, std::size_t count, std::mt19937_64& dice) {
  std::uniform_int_distribution<std::int64_t> arrival{0, crowd.arrivals_ms};
  std::uniform_int_distribution<std::size_t> queue{0, crowd.queues.size() - 1};
  std::discrete_distribution<std::size_t> party(crowd.party.begin(), crowd.party.end());
  std::normal_distribution<double> mu{crowd.mu, crowd.sigma};
  std::bernoulli_distribution wants_bots{crowd.with_bots};
  std::vector<std::int64_t> arrivals(count);
  std::ranges::generate(arrivals, [&] { return arrival(dice); });
  std::ranges::sort(arrivals);

  std::vector<Ticket> tickets;
  std::uint64_t players = 0;
  for (const std::int64_t since_ms : arrivals) {
    Ticket ticket{.id = TicketId{tickets.size() + 1},
                  .queue = crowd.queues[queue(dice)],
                  .party = {},
                  .since_ms = since_ms,
                  .bots = {}};
    ticket.party.resize(std::min(1 + party(dice), ticket.queue.seats));
    for (Member& member : ticket.party) member = {PlayerId{++players}, mu(dice)};
    if (wants_bots(dice)) ticket.bots = BotWish{crowd.bots_after_ms, 2};
    tickets.push_back(std::move(ticket));
  }
  return tickets;
}

void expect_sound(const std::vector<Ticket>& tickets, const std::vector<Pairing>& pairings,
                  std::int64_t now_ms, const Rules& rules) {
  Soundness soundness{tickets, now_ms, rules};
  for (const Pairing& pairing : pairings) soundness.expect(pairing);
}

}  // namespace tesela::matchmaking
