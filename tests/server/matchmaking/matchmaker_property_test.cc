// What holds for every pass, on many small crowds, against a search through all groups there are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>

#include "server/matchmaking/matchmaker.h"
#include "tests/server/matchmaking/random_tickets.h"
#include "tests/server/matchmaking/tickets.h"

namespace tesela::matchmaking {
namespace matchmaker_property_test {

constexpr std::int64_t kNowMs = 12'000;
constexpr Rules kRules{};

struct Case {
  std::vector<Ticket> tickets;
  std::vector<Pairing> pairings;
};

// One pass over a crowd small enough for all its groups to be tried.
template <class Check>
void for_small_crowds(Check check) {
  Queue casual = azul(4);
  casual.mode = Mode::kCasual;
  const Crowd crowd{.arrivals_ms = kNowMs,
                    .with_bots = 0.3,
                    .bots_after_ms = 9'000,
                    .queues = {azul(2), azul(3), azul(4), casual},
                    .party = {6, 3, 1, 1}};
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 dice{seed};
    Case drawn;
    drawn.tickets = draw_tickets(crowd, 1 + dice() % 40, dice);
    drawn.pairings = pair_up(drawn.tickets, kNowMs, kRules);
    check(drawn);
  }
}

std::set<TicketId> matched_ids(const std::vector<Pairing>& pairings) {
  std::set<TicketId> ids;
  for (const Pairing& pairing : pairings)
    ids.insert(pairing.tickets.begin(), pairing.tickets.end());
  return ids;
}

bool fit(const Ticket& a, const Ticket& b) {
  const double distance = std::abs(rating_of(a) - rating_of(b));
  return a.queue == b.queue && distance <= window_of(a, kNowMs, kRules) &&
         distance <= window_of(b, kNowMs, kRules);
}

// Whether `table` and some of `others`, from the one at `from` on, fill a table.
bool can_be_filled(std::vector<const Ticket*>& table, const std::vector<const Ticket*>& others,
                   std::size_t from = 0) {
  std::size_t people = 0;
  for (const Ticket* ticket : table) people += ticket->party.size();
  if (people >= table.front()->queue.seats) return people == table.front()->queue.seats;
  for (std::size_t i = from; i < others.size(); ++i) {
    if (!std::ranges::all_of(table, [&](const Ticket* t) { return fit(*t, *others[i]); })) continue;
    table.push_back(others[i]);
    const bool filled = can_be_filled(table, others, i + 1);
    table.pop_back();
    if (filled) return true;
  }
  return false;
}

std::vector<const Ticket*> all_but(const Ticket& one, const std::vector<const Ticket*>& tickets) {
  std::vector<const Ticket*> others;
  std::ranges::copy_if(tickets, std::back_inserter(others),
                       [&](const Ticket* other) { return other->id != one.id; });
  return others;
}

TEST(MatchmakerAlways, MatchesAreSound) {
  for_small_crowds(
      [](const Case& drawn) { expect_sound(drawn.tickets, drawn.pairings, kNowMs, kRules); });
}

TEST(MatchmakerAlways, WhoIsLeftCouldNotHaveBeenMatched) {
  for_small_crowds([](const Case& drawn) {
    const std::set<TicketId> matched = matched_ids(drawn.pairings);
    std::vector<const Ticket*> left;
    for (const Ticket& ticket : drawn.tickets) {
      if (!matched.contains(ticket.id)) left.push_back(&ticket);
    }
    for (const Ticket* ticket : left) {
      std::vector<const Ticket*> table{ticket};
      EXPECT_FALSE(can_be_filled(table, all_but(*ticket, left))) << "ticket " << ticket->id.value;
      EXPECT_FALSE(ticket->bots && waited_ms(*ticket, kNowMs) >= ticket->bots->after_ms)
          << "ticket " << ticket->id.value << " was promised bots";
    }
  });
}

TEST(MatchmakerAlways, TheOldestOfAQueueIsMatchedWhenItCanBe) {
  for_small_crowds([](const Case& drawn) {
    const std::set<TicketId> matched = matched_ids(drawn.pairings);
    std::set<Queue> seen;
    std::vector<const Ticket*> all;
    for (const Ticket& ticket : drawn.tickets) all.push_back(&ticket);
    std::ranges::sort(all, [](auto* a, auto* b) { return older(*a, *b); });
    for (const Ticket* ticket : all) {
      if (!seen.insert(ticket->queue).second) continue;
      std::vector<const Ticket*> table{ticket};
      if (can_be_filled(table, all_but(*ticket, all))) {
        EXPECT_TRUE(matched.contains(ticket->id)) << "ticket " << ticket->id.value;
      }
    }
  });
}

// Many tickets with few different ratings.
TEST(MatchmakerAlways, NobodyIsMatchedBeforeAnOlderOneWhoIsLikeThem) {
  const Crowd crowd{.arrivals_ms = kNowMs,
                    .with_bots = 0,
                    .bots_after_ms = 0,
                    .queues = {azul(2), azul(4)},
                    .party = {1}};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 dice{seed};
    std::vector<Ticket> tickets = draw_tickets(crowd, 60, dice);
    for (Ticket& t : tickets) t.party[0].mu = 6 * std::round(t.party[0].mu / 6);
    const std::set<TicketId> matched = matched_ids(pair_up(tickets, kNowMs, kRules));
    for (const Ticket& older_one : tickets) {
      for (const Ticket& ticket : tickets) {
        if (matched.contains(ticket.id) && !matched.contains(older_one.id)) {
          EXPECT_FALSE(older(older_one, ticket) && older_one.queue == ticket.queue &&
                       rating_of(older_one) == rating_of(ticket));
        }
      }
    }
  }
}

TEST(MatchmakerAlways, TheOrderOfTheTicketsChangesNothing) {
  for_small_crowds([](const Case& drawn) {
    std::vector<Ticket> shuffled = drawn.tickets;
    std::mt19937_64 dice{drawn.tickets.size()};
    std::ranges::shuffle(shuffled, dice);
    EXPECT_EQ(pair_up(shuffled, kNowMs, kRules), drawn.pairings);
  });
}

}  // namespace matchmaker_property_test
}  // namespace tesela::matchmaking
