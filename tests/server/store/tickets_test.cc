// The contract of Store (server/store/store.h): tickets, and the tables made of them.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/server/store/contract.h"

namespace tesela::store {
namespace tickets_test {

using store::Ticket;

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};
constexpr PlayerId kEve{9};
constexpr PlayerId kNobody{10};

Ticket ticket_of(TicketId id, const std::vector<PlayerId>& players) {
  Ticket ticket{.id = id,
                .queue = {.game = "azul",
                          .config = std::string("a\0b", 3),
                          .seats = 3,
                          .mode = store::Mode::kRanked},
                .party = {},
                .since_ms = 5000,
                .bots = {}};
  double mu = 24.75;
  for (const PlayerId player : players) {
    ticket.party.push_back({player, mu});
    mu += 0.5;
  }
  return ticket;
}

MatchedTable table_of(TableId id, const std::vector<PlayerId>& players,
                      std::vector<TicketId> tickets) {
  MatchedTable made{.table = {.id = id,
                              .game = "azul",
                              .config = "config",
                              .options = "options",
                              .owner = players.front(),
                              .seed = "seed",
                              .seat_count = static_cast<std::uint8_t>(players.size()),
                              .seats = {},
                              .epoch = Epoch{1},
                              .created_ms = 6000,
                              .ending = std::nullopt},
                    .first_record = record_of(id, Version{1}),
                    .tickets = std::move(tickets)};
  for (const PlayerId player : players) {
    const Seat seat{static_cast<std::uint8_t>(made.table.seats.size())};
    made.table.seats.push_back({.seat = seat, .player = player, .display_name = {}});
  }
  return made;
}

class TicketsContract : public StoreContract {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
    ASSERT_TRUE(caller().sign_in(kBob, "Bob"));
    ASSERT_TRUE(caller().sign_in(kEve, "Eve"));
  }
  Expected<void> add(std::vector<Ticket> tickets) {
    return caller().wait(backend().store().add_tickets(std::move(tickets), lease_));
  }
  Expected<void> remove(std::vector<TicketId> tickets) {
    return caller().wait(backend().store().remove_tickets(std::move(tickets), lease_));
  }
  Expected<void> make(std::vector<MatchedTable> tables) {
    return caller().wait(backend().store().make_tables(std::move(tables), lease_));
  }
  std::optional<TableId> last_match(PlayerId player) {
    return caller().wait(backend().store().last_match(player)).value();
  }
  std::vector<Ticket> waiting() { return caller().wait(backend().store().tickets()).value(); }

 private:
  Epoch lease_ = caller()
                     .wait(backend().ownership().take_lease(Duty::kMatch, backend().begin_life()))
                     .value()
                     .value();
};

INSTANTIATE_TEST_SUITE_P(Stores, TicketsContract, testing::ValuesIn(kinds()), kind_name);

TEST_P(TicketsContract, TicketsAreWhole) {
  Ticket party = ticket_of(TicketId{2}, {kEve, kAda});
  party.bots = store::BotWish{.after_ms = 0, .level = 4};
  Ticket alone = ticket_of(TicketId{1}, {kBob});
  alone.queue.mode = store::Mode::kCasual;
  ASSERT_TRUE(add({party, alone}));
  reopen();
  EXPECT_EQ(waiting(), (std::vector{alone, party}));
}

TEST_P(TicketsContract, ATicketIsRemovedOnceAndMayComeAgain) {
  const Ticket ticket = ticket_of(TicketId{1}, {kAda, kBob});
  ASSERT_TRUE(add({ticket}));
  EXPECT_TRUE(remove({TicketId{1}, TicketId{99}}));
  EXPECT_EQ(waiting(), std::vector<Ticket>{});
  EXPECT_TRUE(remove({TicketId{1}}));
  EXPECT_TRUE(add({ticket}));
  EXPECT_EQ(waiting(), std::vector{ticket});
}

TEST_P(TicketsContract, APlayerWaitsOnce) {
  const Ticket first = ticket_of(TicketId{1}, {kAda});
  ASSERT_TRUE(add({first}));
  const Ticket again = ticket_of(TicketId{2}, {kBob, kAda});
  EXPECT_EQ(refusal(add({ticket_of(TicketId{3}, {kEve}), again})), ErrorCode::kInternal);
  EXPECT_EQ(refusal(add({ticket_of(TicketId{1}, {kEve})})), ErrorCode::kInternal);
  EXPECT_EQ(waiting(), std::vector{first});
}

TEST_P(TicketsContract, ATicketOfAnUnknownPlayerIsNotThere) {
  EXPECT_EQ(refusal(add({ticket_of(TicketId{1}, {kAda}), ticket_of(TicketId{2}, {kNobody})})),
            ErrorCode::kNotFound);
  EXPECT_EQ(waiting(), std::vector<Ticket>{});
}

TEST_P(TicketsContract, ATableTakesThePlaceOfItsTickets) {
  const Ticket left = ticket_of(TicketId{3}, {kEve});
  ASSERT_TRUE(add({ticket_of(TicketId{1}, {kAda}), ticket_of(TicketId{2}, {kBob}), left}));
  ASSERT_TRUE(make({table_of(TableId{1}, {kBob, kAda}, {TicketId{1}, TicketId{2}})}));
  reopen();
  EXPECT_EQ(waiting(), std::vector{left});
  EXPECT_EQ(caller().look_at(TableId{1})->seats.front().player, kBob);
  EXPECT_EQ(caller().read(TableId{1}), events_of(TableId{1}, Version{1}, Version{1}));
  EXPECT_TRUE(caller().append(TableId{1}, Version{2}));
}

TEST_P(TicketsContract, APlayersLastMatchIsRemembered) {
  ASSERT_TRUE(add({ticket_of(TicketId{1}, {kAda, kBob})}));
  EXPECT_EQ(last_match(kAda), std::nullopt);
  ASSERT_TRUE(make({table_of(TableId{1}, {kAda, kBob}, {TicketId{1}})}));
  ASSERT_TRUE(add({ticket_of(TicketId{1}, {kBob})}));
  ASSERT_TRUE(make({table_of(TableId{2}, {kBob}, {TicketId{1}})}));
  reopen();
  EXPECT_EQ(last_match(kAda), TableId{1});
  EXPECT_EQ(last_match(kBob), TableId{2});
  EXPECT_EQ(last_match(kEve), std::nullopt);
}

TEST_P(TicketsContract, ATicketIsNotMatchedTwice) {
  ASSERT_TRUE(add({ticket_of(TicketId{1}, {kAda}), ticket_of(TicketId{2}, {kBob})}));
  ASSERT_TRUE(make({table_of(TableId{1}, {kAda}, {TicketId{1}})}));
  EXPECT_EQ(refusal(make({table_of(TableId{2}, {kBob, kAda}, {TicketId{2}, TicketId{1}})})),
            ErrorCode::kNotFound);
  EXPECT_EQ(refusal(make({table_of(TableId{3}, {kBob}, {TicketId{2}}),
                          table_of(TableId{4}, {kBob}, {TicketId{2}})})),
            ErrorCode::kNotFound);
  EXPECT_EQ(waiting(), std::vector{ticket_of(TicketId{2}, {kBob})});
  for (const TableId id : {TableId{2}, TableId{3}, TableId{4}}) {
    EXPECT_EQ(refusal(caller().look_at(id)), ErrorCode::kNotFound);
    EXPECT_EQ(refusal(caller().append(id, Version{2})), ErrorCode::kNotFound);
  }
  EXPECT_EQ(last_match(kBob), std::nullopt);
}

TEST_P(TicketsContract, ATableThatCannotBeStoredLeavesItsTickets) {
  const Ticket ada = ticket_of(TicketId{1}, {kAda});
  ASSERT_TRUE(caller().open_table(TableId{1}, {kBob}));
  ASSERT_TRUE(add({ada}));
  EXPECT_EQ(refusal(make({table_of(TableId{1}, {kAda}, {TicketId{1}})})), ErrorCode::kInternal);
  EXPECT_EQ(refusal(make({table_of(TableId{2}, {kAda, kNobody}, {TicketId{1}})})),
            ErrorCode::kNotFound);
  reopen();
  EXPECT_EQ(waiting(), std::vector{ada});
  EXPECT_EQ(caller().look_at(TableId{1})->seats.front().player, kBob);
}

}  // namespace tickets_test
}  // namespace tesela::store
