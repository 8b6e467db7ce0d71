// Forms pairings of the waiting tickets in one pass. Pure: any thread; the same tickets in any
// order, at the same time, give the same pairings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/ids.h"
#include "server/matchmaking/ticket.h"

namespace tesela::matchmaking {

/// How far from its own rating a ticket accepts others, in points of mu.
struct Widening {
  double start{};       // at once
  double per_second{};  // more for each second waited
  double max{};         // for ever
};

/// The parameters of the matchmaker.
struct Rules {
  /// A difference of 4.17 points (beta) means odds of about two to one; at `max` the weaker player
  /// would win one game of seventy.
  Widening ranked{.start = 2, .per_second = 0.5, .max = 25};
  /// Wider, for players who prefer to play soon.
  Widening casual{.start = 6, .per_second = 2, .max = 100};
  /// For each party size, how many of the nearest tickets on either side a ticket considers. This
  /// bounds the work. It does not make a ticket wait without end: nearer tickets that do not fit
  /// have narrower windows, which widen.
  std::size_t looks_max{32};
};

/// How far from its own rating the ticket accepts others, in points of mu. Two tickets fit when
/// each lies within the window of the other.
[[nodiscard]] double window_of(const Ticket& ticket, std::int64_t now_ms, const Rules& rules);

/// Tickets that get a table together.
struct Pairing {
  std::vector<TicketId> tickets;  // the oldest first
  std::size_t bots{};             // seats that bots take
  std::uint8_t bot_level{};       // of the ticket whose time for bots has come; 0 without bots

  friend bool operator==(const Pairing&, const Pairing&) = default;
};

/// The pairings that can be made of `tickets`, of which each passes `check`, at `now_ms`.
///
/// In each queue the tickets are served by age. A ticket takes the nearest in rating of those that
/// all fit each other, and do not block each other, and whose parties fill the table exactly; at
/// the same rating, the older one. If there are none, and its time for bots has come, it takes as
/// many people as possible from the tickets that also accept bots, and bots for the remaining
/// seats. So a player meets bots only after asking for them. No ticket is in two pairings.
[[nodiscard]] std::vector<Pairing> pair_up(std::span<const Ticket> tickets, std::int64_t now_ms,
                                           const Rules& rules = {});

/// The place of each ticket in its queue by age, from 1, in the order of `tickets`.
[[nodiscard]] std::vector<std::size_t> positions(std::span<const Ticket> tickets);

}  // namespace tesela::matchmaking
