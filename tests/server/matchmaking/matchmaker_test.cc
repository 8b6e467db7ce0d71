#include "server/matchmaking/matchmaker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <ostream>

#include "tests/server/matchmaking/tickets.h"

namespace tesela::matchmaking {

// Found by GoogleTest.
void PrintTo(const Pairing& pairing, std::ostream* out) {
  *out << "tickets";
  for (const TicketId id : pairing.tickets) *out << ' ' << id.value;
  *out << ", " << pairing.bots << " bots of level " << int{pairing.bot_level};
}

namespace matchmaker_test {

using testing::ElementsAre;
using testing::IsEmpty;

// Windows that are easy to reckon with: 2 at once, and 1 more for each second.
constexpr Rules kRules{.ranked = {.start = 2, .per_second = 1, .max = 10},
                       .casual = {.start = 4, .per_second = 1, .max = 10}};

std::vector<Pairing> matched(const std::vector<Ticket>& tickets, std::int64_t now_ms = 0) {
  return pair_up(tickets, now_ms, kRules);
}

Pairing people(std::initializer_list<std::uint64_t> ids) {
  Pairing pairing;
  for (const std::uint64_t id : ids) pairing.tickets.push_back(TicketId{id});
  return pairing;
}

Pairing bots(std::size_t bots, std::uint8_t level, std::initializer_list<std::uint64_t> ids) {
  Pairing pairing = people(ids);
  pairing.bots = bots;
  pairing.bot_level = level;
  return pairing;
}

TEST(Matchmaker, TwoOfTheSameStrengthSitDownAtOnce) {
  EXPECT_THAT(matched({ticket(1, {25}), ticket(2, {25})}), ElementsAre(people({1, 2})));
}

TEST(Matchmaker, OneAloneWaits) {
  EXPECT_THAT(matched({ticket(1, {25})}, 1'000'000), IsEmpty());
}

TEST(Matchmaker, OnlyThoseWhoAskedForTheSameMeet) {
  const Queue queue = azul(2);
  Queue other_game = queue;
  other_game.game = "go";
  Queue other_config = queue;
  other_config.config = "grey";
  Queue casual = queue;
  casual.mode = Mode::kCasual;
  EXPECT_THAT(matched({ticket(1, {25}), ticket(2, {25}, other_game), ticket(3, {25}, other_config),
                       ticket(4, {25}, casual), ticket(5, {25}, azul(3))}),
              IsEmpty());
}

TEST(Matchmaker, StrangersInStrengthWaitUntilTheirWindowsReach) {
  const std::vector<Ticket> tickets{ticket(1, {20}), ticket(2, {25})};
  EXPECT_THAT(matched(tickets, 2999), IsEmpty());
  EXPECT_THAT(matched(tickets, 3000), ElementsAre(people({1, 2})));
}

TEST(Matchmaker, TheNarrowerWindowDecides) {
  const std::vector<Ticket> tickets{ticket(1, {20}), since(4000, ticket(2, {25}))};
  EXPECT_THAT(matched(tickets, 6999), IsEmpty());
  EXPECT_THAT(matched(tickets, 7000), ElementsAre(people({1, 2})));
}

TEST(Matchmaker, WindowsWidenNoFurtherThanTheMost) {
  EXPECT_THAT(matched({ticket(1, {20}), ticket(2, {30})}, 3'600'000), ElementsAre(people({1, 2})));
  EXPECT_THAT(matched({ticket(1, {20}), ticket(2, {30.1})}, 3'600'000), IsEmpty());
}

TEST(Matchmaker, CasualPlayersAreLessParticular) {
  Queue casual = azul(2);
  casual.mode = Mode::kCasual;
  EXPECT_THAT(matched({ticket(1, {20}, casual), ticket(2, {24}, casual)}),
              ElementsAre(people({1, 2})));
}

TEST(Matchmaker, AClockThatIsSetBackNarrowsNoWindow) {
  EXPECT_THAT(matched({since(5000, ticket(1, {25})), since(5000, ticket(2, {27}))}, 0),
              ElementsAre(people({1, 2})));
}

TEST(Matchmaker, AllAtATableFitEachOther) {
  const std::vector<Ticket> tickets{ticket(1, {25}, azul(3)), ticket(2, {23}, azul(3)),
                                    ticket(3, {27}, azul(3))};
  EXPECT_THAT(matched(tickets), IsEmpty());
  EXPECT_THAT(matched(tickets, 2000), ElementsAre(people({1, 2, 3})));
}

TEST(Matchmaker, TheOldestHasTheFirstChoiceAndTakesTheNearest) {
  EXPECT_THAT(matched({since(2, ticket(1, {25.9})), since(3, ticket(2, {24})),
                       since(1, ticket(3, {25})), since(4, ticket(4, {26}))},
                      4),
              ElementsAre(people({3, 1}), people({2, 4})));
}

TEST(Matchmaker, TheNearerIsTakenBeItStrongerOrWeaker) {
  EXPECT_THAT(matched({ticket(1, {25}), ticket(2, {26}), ticket(3, {24.5})}),
              ElementsAre(people({1, 3})));
  EXPECT_THAT(matched({ticket(1, {25}), ticket(2, {24}), ticket(3, {25.5})}),
              ElementsAre(people({1, 3})));
}

TEST(Matchmaker, OfThoseEquallyNearTheOlderGoesFirst) {
  EXPECT_THAT(matched({ticket(1, {25}), ticket(2, {24}), ticket(3, {26})}),
              ElementsAre(people({1, 2})));
  EXPECT_THAT(matched({ticket(1, {25}), ticket(2, {26}), ticket(3, {24})}),
              ElementsAre(people({1, 2})));
}

TEST(Matchmaker, OfEqualStrengthTheOlderGoesFirst) {
  for (const double rating : {24.0, 25.0, 26.0}) {
    EXPECT_THAT(matched({since(4, ticket(1, {rating})), since(2, ticket(2, {rating})),
                         since(3, ticket(3, {rating})), since(1, ticket(4, {25}))},
                        4),
                testing::Contains(people({4, 2})));
  }
}

TEST(Matchmaker, OfTheSameInstantTheLesserIdGoesFirst) {
  EXPECT_THAT(matched({ticket(3, {25}), ticket(2, {25}), ticket(1, {25})}),
              ElementsAre(people({1, 2})));
}

TEST(Matchmaker, APartySitsTogether) {
  EXPECT_THAT(
      matched({ticket(1, {24, 26}, azul(4)), ticket(2, {25}, azul(4)), ticket(3, {25}, azul(4))}),
      ElementsAre(people({1, 2, 3})));
  EXPECT_THAT(matched({ticket(1, {24, 26}, azul(4)), ticket(2, {25, 25}, azul(4))}),
              ElementsAre(people({1, 2})));
}

TEST(Matchmaker, APartyIsMatchedByItsMean) {
  EXPECT_THAT(
      matched({ticket(1, {10, 40}, azul(3)), ticket(2, {10}, azul(3)), ticket(3, {25}, azul(3))}),
      ElementsAre(people({1, 3})));
}

TEST(Matchmaker, APartyThatFillsTheTableNeedsNobodyElse) {
  EXPECT_THAT(matched({ticket(1, {0, 50})}), ElementsAre(people({1})));
}

TEST(Matchmaker, APartyThatHasNoRoomIsNotTornApart) {
  EXPECT_THAT(matched({ticket(1, {25, 25, 25}, azul(4)), ticket(2, {25, 25}, azul(4))}), IsEmpty());
}

// 1 fits 2, but then no ticket could take the last seat.
TEST(Matchmaker, ThePartiesFillTheTableToTheLastSeat) {
  EXPECT_THAT(matched({ticket(1, {25, 25}, azul(4)), ticket(2, {25}, azul(4)),
                       ticket(3, {26, 26}, azul(4))}),
              ElementsAre(people({1, 3})));
}

TEST(Matchmaker, NobodySitsWithAPlayerWhomTheyBlock) {
  auto blocks = [](Ticket made, std::initializer_list<PlayerId> players) {
    made.party.front().blocked = players;
    return made;
  };
  const Ticket shy = blocks(ticket(1, {25}), {PlayerId{2 * kSeatsMax}});
  EXPECT_THAT(matched({shy, ticket(2, {25})}, 1'000'000), IsEmpty());
  EXPECT_THAT(matched({ticket(2, {25}), blocks(ticket(3, {25}), {PlayerId{2 * kSeatsMax}})}),
              IsEmpty());
  EXPECT_THAT(matched({shy, ticket(2, {25}), ticket(3, {26})}), ElementsAre(people({1, 3})));
  // Nor does a third one bring them together.
  EXPECT_THAT(matched({blocks(ticket(1, {25}, azul(3)), {PlayerId{2 * kSeatsMax}}),
                       ticket(2, {25}, azul(3)), ticket(3, {25}, azul(3))}),
              IsEmpty());
}

TEST(Matchmaker, BotsComeAtTheirTimeAndNotAMillisecondEarlier) {
  const std::vector<Ticket> tickets{with_bots(5000, since(1000, ticket(1, {25}, azul(4))), 3)};
  EXPECT_THAT(matched(tickets, 5999), IsEmpty());
  EXPECT_THAT(matched(tickets, 6000), ElementsAre(bots(3, 3, {1})));
}

TEST(Matchmaker, WhoeverFitsComesAlongBeforeTheBots) {
  EXPECT_THAT(matched({with_bots(5000, ticket(1, {25}, azul(4)), 3),
                       with_bots(60'000, ticket(2, {25}, azul(4)), 1),
                       with_bots(60'000, ticket(3, {50}, azul(4)), 1)},
                      5000),
              ElementsAre(bots(2, 3, {1, 2})));
}

TEST(Matchmaker, MorePeopleAreBetterThanNearerOnes) {
  EXPECT_THAT(matched({with_bots(0, ticket(1, {25, 25}, azul(4))),
                       with_bots(9000, ticket(2, {25}, azul(4))),
                       with_bots(9000, ticket(3, {26, 26}, azul(4)))}),
              ElementsAre(people({1, 3})));
}

TEST(Matchmaker, NobodyWhoDidNotAskForBotsSitsWithOne) {
  EXPECT_THAT(matched({with_bots(0, ticket(1, {25}, azul(3)), 2), ticket(2, {25}, azul(3))}),
              ElementsAre(bots(2, 2, {1})));
}

TEST(Matchmaker, WithEnoughPeopleThereAreNoBots) {
  EXPECT_THAT(matched({with_bots(0, ticket(1, {25})), ticket(2, {25})}, 5000),
              ElementsAre(people({1, 2})));
}

TEST(Positions, CountByAgeWithinAQueue) {
  EXPECT_THAT(
      positions(std::vector<Ticket>{since(3, ticket(1, {25})), since(1, ticket(2, {50})),
                                    since(2, ticket(3, {25}, azul(3))), since(1, ticket(4, {25}))}),
      ElementsAre(3, 1, 1, 2));
}

}  // namespace matchmaker_test
}  // namespace tesela::matchmaking
