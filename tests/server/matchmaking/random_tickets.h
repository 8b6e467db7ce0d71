// Tickets as chance brings them, and what must hold for every pass over them.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "server/matchmaking/matchmaker.h"

namespace tesela::matchmaking {

/// What the drawn tickets are like.
struct Crowd {
  std::int64_t arrivals_ms{};    // they come at any time from 0 to this
  double with_bots{};            // the share of tickets that accept bots
  std::int64_t bots_after_ms{};  // when
  std::vector<Queue> queues;     // each as likely
  std::vector<double> party{};   // weights of the party sizes from 1; those without room are cut
  double mu{25};                 // of the ratings
  double sigma{8.3};
};

/// `count` tickets with the ids 1, 2, 3, … in the order of their arrival.
[[nodiscard]] std::vector<Ticket> draw_tickets(const Crowd& crowd, std::size_t count,
                                               std::mt19937_64& dice);

/// Fails the test unless every pairing is one of whole tickets of one queue, each at most once,
/// that fill the table and fit each other, with bots only for tickets that accept them.
void expect_sound(const std::vector<Ticket>& tickets, const std::vector<Pairing>& pairings,
                  std::int64_t now_ms, const Rules& rules);

}  // namespace tesela::matchmaking
