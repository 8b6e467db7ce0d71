#include "server/matchmaking/ticket.h"

#include <algorithm>
#include <tuple>

namespace tesela::matchmaking {

double rating_of(const Ticket& ticket) {
  double sum = 0;
  for (const Member& member : ticket.party) sum += member.mu;
  return sum / static_cast<double>(ticket.party.size());
}

bool block_each_other(const Ticket& a, const Ticket& b) {
  const auto blocks = [](const Ticket& one, const Ticket& other) {
    return std::ranges::any_of(one.party, [&other](const Member& member) {
      return std::ranges::any_of(other.party, [&member](const Member& met) {
        return std::ranges::binary_search(member.blocked, met.player);
      });
    });
  };
  return blocks(a, b) || blocks(b, a);
}

bool older(const Ticket& a, const Ticket& b) {
  return std::tie(a.since_ms, a.id) < std::tie(b.since_ms, b.id);
}

std::int64_t waited_ms(const Ticket& ticket, std::int64_t now_ms) {
  return std::max<std::int64_t>(now_ms - ticket.since_ms, 0);
}

}  // namespace tesela::matchmaking
