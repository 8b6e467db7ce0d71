// Tickets in few words.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "server/matchmaking/ticket.h"

namespace tesela::matchmaking {

/// Ranked Azul for so many.
inline Queue azul(std::size_t seats) {
  return {.game = "azul", .config = "", .seats = seats, .mode = Mode::kRanked};
}

/// A party of players with these mu, which waits since time 0. Their ids are made of the ticket's.
inline Ticket ticket(std::uint64_t id, std::initializer_list<double> party,
                     const Queue& queue = azul(2)) {
  Ticket made{.id = TicketId{id}, .queue = queue, .party = {}, .since_ms = 0, .bots = {}};
  for (const double mu : party) {
    made.party.push_back({PlayerId{id * kSeatsMax + made.party.size()}, mu});
  }
  return made;
}

/// The same, waiting since then.
inline Ticket since(std::int64_t since_ms, Ticket ticket) {
  ticket.since_ms = since_ms;
  return ticket;
}

/// The same, content with bots after a time.
inline Ticket with_bots(std::int64_t after_ms, Ticket ticket, std::uint8_t level = 1) {
  ticket.bots = BotWish{after_ms, level};
  return ticket;
}

}  // namespace tesela::matchmaking
