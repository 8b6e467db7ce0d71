// Who plays whom. One pass looks at all waiting tickets and says which of them sit down together.
// Pure: any thread; the same tickets, in any order, at the same time give the same pairings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/ids.h"
#include "server/store/ticket.h"

namespace tesela::matchmaking {

/// How far from its own rating a ticket accepts others, in points of mu.
struct Widening {
  double start{};       // at once
  double per_second{};  // more for each second waited
  double max{};         // for ever
};

/// What the matchmaker is held to.
struct Rules {
  /// 4.17 points (beta) between two players are odds of about two to one; at the most the weaker
  /// would win one game of seventy, and no table is better than that one.
  Widening ranked{.start = 2, .per_second = 0.5, .max = 25};
  /// For those who would rather play now.
  Widening casual{.start = 6, .per_second = 2, .max = 100};
  /// For each party size, how many of the nearest tickets on either side a ticket considers. It
  /// bounds the work. Nobody waits for ever by it: those who stand between and do not fit have
  /// narrower windows, which widen.
  std::size_t looks_max{32};
};

/// How far from its own rating the ticket accepts others, in points of mu. Two tickets fit when
/// each lies within the window of the other.
[[nodiscard]] double window_of(const store::Ticket& ticket, std::int64_t now_ms,
                               const Rules& rules);

/// Tickets that sit down together now.
struct Pairing {
  std::vector<TicketId> tickets;  // the oldest first
  std::size_t bots{};             // seats that bots take
  std::uint8_t bot_level{};       // as the ticket that would wait no longer asked; 0 without bots

  friend bool operator==(const Pairing&, const Pairing&) = default;
};

/// The pairings that can be made of `tickets`, of which each passes `check`, at `now_ms`.
///
/// In each queue the tickets have their turn by age. A ticket takes the nearest in rating of those
/// that all fit each other and whose parties fill the table to the last seat; at the same rating,
/// the older one. Where that cannot be done, and its time for bots has come, it takes as many
/// people as it can of those who have asked for bots too, whenever, and bots for the rest. So
/// nobody sits with a bot who did not ask for it. No ticket is in two pairings.
[[nodiscard]] std::vector<Pairing> pair_up(std::span<const store::Ticket> tickets,
                                           std::int64_t now_ms, const Rules& rules = {});

/// The place of each ticket in its queue by age, from 1, in the order of `tickets`.
[[nodiscard]] std::vector<std::size_t> positions(std::span<const store::Ticket> tickets);

}  // namespace tesela::matchmaking
