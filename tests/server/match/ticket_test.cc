#include "server/matchmaking/ticket.h"

#include <gtest/gtest.h>

#include "tests/server/match/tickets.h"

namespace tesela::matchmaking {
namespace {

std::string refusal(const Ticket& ticket) {
  const Expected<void> checked = check(ticket);
  return checked ? "" : checked.error().message;
}

TEST(TicketCheck, AnyPartyThatHasRoomIsTaken) {
  EXPECT_EQ(refusal(ticket(1, {25}, azul(2))), "");
  EXPECT_EQ(refusal(ticket(1, {25, 25, 25, 25}, azul(4))), "");
}

TEST(TicketCheck, ATableHasTwoToFourSeats) {
  EXPECT_EQ(refusal(ticket(1, {25}, azul(1))), "A table has 2 to 4 seats, not 1.");
  EXPECT_EQ(refusal(ticket(1, {25}, azul(5))), "A table has 2 to 4 seats, not 5.");
}

TEST(TicketCheck, APartyHasRoomAtTheTable) {
  EXPECT_EQ(refusal(ticket(1, {}, azul(2))), "A party has at least one player.");
  EXPECT_EQ(refusal(ticket(1, {25, 25, 25}, azul(2))),
            "A party of 3 has no room at a table for 2.");
}

TEST(TicketCheck, NobodySitsTwice) {
  Ticket twice = ticket(1, {25, 25});
  twice.party[1].player = twice.party[0].player;
  EXPECT_EQ(refusal(twice), "A player is in a party only once.");
}

}  // namespace
}  // namespace tesela::matchmaking
