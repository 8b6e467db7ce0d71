#include "server/matchmaking/ticket.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

namespace tesela::matchmaking {

Expected<void> check(const Ticket& ticket) {
  const std::size_t seats = ticket.queue.seats;
  if (seats < kSeatsMin || seats > kSeatsMax) {
    return refuse(ErrorCode::kInvalidArgument, "A table has " + std::to_string(kSeatsMin) + " to " +
                                                   std::to_string(kSeatsMax) + " seats, not " +
                                                   std::to_string(seats) + ".");
  }
  const std::size_t people = ticket.party.size();
  if (people == 0) return refuse(ErrorCode::kInvalidArgument, "A party has at least one player.");
  if (people > seats) {
    return refuse(ErrorCode::kInvalidArgument, "A party of " + std::to_string(people) +
                                                   " has no room at a table for " +
                                                   std::to_string(seats) + ".");
  }
  std::set<PlayerId> players;
  for (const Member& member : ticket.party) players.insert(member.player);
  if (players.size() < people) {
    return refuse(ErrorCode::kInvalidArgument, "A player is in a party only once.");
  }
  return {};
}

double rating_of(const Ticket& ticket) {
  double sum = 0;
  for (const Member& member : ticket.party) sum += member.mu;
  return sum / static_cast<double>(ticket.party.size());
}

bool older(const Ticket& a, const Ticket& b) {
  return std::tie(a.since_ms, a.id) < std::tie(b.since_ms, b.id);
}

std::int64_t waited_ms(const Ticket& ticket, std::int64_t now_ms) {
  return std::max<std::int64_t>(now_ms - ticket.since_ms, 0);
}

}  // namespace tesela::matchmaking
