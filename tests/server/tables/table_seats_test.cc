// Tables with several seats: taking seats, and the beginning of the game.
#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "server/base/text_encoding.h"
#include "tests/server/tables/azul_fixture.h"

namespace tesela::tables {
namespace {

using testing::HasSubstr;

class TableSeatsTest : public AzulTableTest {
 protected:
  TableSeatsTest() { make_azul(2); }
};

TEST_F(TableSeatsTest, ANewTableIsOpenAndSaysWhoIsThere) {
  EXPECT_EQ(finish(store.table(id))->state, store::TableState::kOpen);
  auto client = sit_down();
  const auto seating = client->read().welcome().seating();
  EXPECT_TRUE(seating.waiting());
  EXPECT_EQ(seating.seat_count(), 2);
  ASSERT_EQ(seating.seats_size(), 1);
  EXPECT_EQ(seating.seats(0).player_id(), base::to_text(kPlayer));
  EXPECT_EQ(seating.seats(0).display_name(), "Ana");
  EXPECT_EQ(seating.seat(), 0);
}

TEST_F(TableSeatsTest, NobodyMovesBeforeEverySeatIsTaken) {
  auto client = sit_down();
  EXPECT_EQ(client->read().welcome().version(), 0);
  EXPECT_TRUE(client->silent());  // nothing is dealt yet
  send(*client, {.move_id = "early",
                 .at_version = {},
                 .type = "tesela.game.v1.AzulMove",
                 .body = game::v1::AzulMove().SerializeAsString()});
  const auto refusal = client->read().refusal();
  EXPECT_EQ(refusal.reason(), pb::REASON_NOT_STARTED);
  EXPECT_THAT(refusal.message(), HasSubstr("1 of 2"));
  EXPECT_EQ(refusal.version(), 0);
}

TEST_F(TableSeatsTest, TheLastSeatBeginsTheGameForEverybodyWhoIsThere) {
  auto ana = sit_down();
  auto watcher = watch();
  auto bob = come(kBob);  // has no seat yet
  for (auto* client : {ana.get(), watcher.get(), bob.get()}) {
    static_cast<void>(client->read());  // Welcome
  }
  const auto row = take(kBob);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->state, store::TableState::kInPlay);
  const auto told = [](Client& client) { return client.read_seating(); };
  const auto to_ana = told(*ana);
  EXPECT_FALSE(to_ana.waiting());
  EXPECT_EQ(to_ana.seats_size(), 2);
  EXPECT_EQ(to_ana.seats(1).display_name(), "Bob");
  EXPECT_EQ(to_ana.seat(), 0);
  EXPECT_FALSE(told(*watcher).has_seat());
  EXPECT_EQ(told(*bob).seat(), 1);
  for (auto* client : {ana.get(), watcher.get(), bob.get()}) {
    EXPECT_EQ(client->read().snapshot().version(), 1);
  }
}

TEST_F(TableSeatsTest, SeatsMoveInTurnAndWhoJoinedWhileConnectedMayMove) {
  auto ana = sit_down();
  auto bob = come(kBob);
  ASSERT_TRUE(take(kBob));
  static_cast<void>(bob->read());  // Welcome
  const auto snapshot = bob->read();
  const auto turn = snapshot.snapshot().turn().seats(0);
  auto& on_turn = turn == 0 ? *ana : *bob;
  auto& other = turn == 0 ? *bob : *ana;
  ana->outbox.clear();
  send(other, first_move(azul_view_of(snapshot), "o"));
  EXPECT_EQ(other.read().refusal().reason(), pb::REASON_NOT_YOUR_TURN);
  send(on_turn, first_move(azul_view_of(snapshot), "t"));
  const auto event = on_turn.read().event();
  EXPECT_EQ(event.seat(), turn);
  EXPECT_EQ(event.turn().seats(0), 1 - turn);
  EXPECT_EQ(other.read().event().version(), 2);
}

TEST_F(TableSeatsTest, ASeatIsTakenByWish) {
  make_azul(4);
  EXPECT_EQ(take(kBob, 2)->seats.back().seat, Seat{2});
  EXPECT_EQ(take(kEve)->seats[1].seat, Seat{1});
  EXPECT_EQ(finish(store.table(id))->state, store::TableState::kOpen);
}

TEST_F(TableSeatsTest, WhoSitsThereAlreadyIsAnsweredAgain) {
  ASSERT_TRUE(take(kBob));
  EXPECT_EQ(take(kBob)->seats.size(), 2);
  EXPECT_EQ(take(kBob, 1)->seats.size(), 2);
  const auto elsewhere = take(kBob, 0);
  ASSERT_FALSE(elsewhere);
  EXPECT_EQ(elsewhere.error().code, ErrorCode::kSeatTaken);
  EXPECT_THAT(elsewhere.error().message, HasSubstr("on seat 1"));
}

TEST_F(TableSeatsTest, ASeatThatIsNotFreeIsRefused) {
  EXPECT_EQ(take(kBob, 0).error().code, ErrorCode::kSeatTaken);
  EXPECT_EQ(take(kBob, 2).error().code, ErrorCode::kInvalidArgument);
  ASSERT_TRUE(take(kBob));
  EXPECT_EQ(take(kEve).error().code, ErrorCode::kSeatTaken);
  EXPECT_EQ(finish(directory.apply(TableId{1}, TakeSeat{kEve, "Eve", std::nullopt})).error().code,
            ErrorCode::kNotFound);
}

TEST_F(TableSeatsTest, ATokenThatOutlivedItsPlayerGetsNoSeat) {
  const auto refused =
      finish(directory.apply(id, TakeSeat{PlayerId{4711}, "Nobody", std::nullopt}));
  EXPECT_EQ(refused.error().code, ErrorCode::kUnauthenticated);
  EXPECT_TRUE(take(kBob));
}

TEST_F(TableSeatsTest, AStoreThatCannotBeWrittenLeavesTheSeatFree) {
  auto client = sit_down();
  store.set_writable(false);
  EXPECT_EQ(take(kBob).error().code, ErrorCode::kUnavailable);
  store.set_writable(true);
  EXPECT_TRUE(take(kBob));
}

TEST_F(TableSeatsTest, TwoWhoWantTheSameSeatAtOnceGetOne) {
  std::vector<Expected<store::TableRow>> answers;
  for (const auto player : {kBob, kEve}) {
    boost::asio::co_spawn(io.at(0), directory.apply(id, TakeSeat{player, "X", Seat{1}}),
                          [&answers](const std::exception_ptr&, Expected<store::TableRow> row) {
                            answers.push_back(std::move(row));
                          });
  }
  settle();
  ASSERT_EQ(answers.size(), 2);
  EXPECT_EQ(std::ranges::count_if(answers, [](const auto& row) { return row.has_value(); }), 1);
}

TEST_F(TableSeatsTest, ASeatIsLeftBeforeTheGameBegins) {
  make_azul(3);
  ASSERT_TRUE(take(kBob, 1));
  auto bob = come(kBob);
  EXPECT_EQ(bob->read().welcome().seat(), 1);
  const auto free = [&](PlayerId asker, std::uint8_t seat) {
    return finish(directory.apply(id, FreeSeat{asker, Seat{seat}}));
  };
  EXPECT_EQ(free(kEve, 1).error().code, ErrorCode::kPermissionDenied);
  EXPECT_EQ(free(kBob, 2).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(free(kBob, 3).error().code, ErrorCode::kInvalidArgument);
  ASSERT_TRUE(free(kBob, 1));
  EXPECT_FALSE(bob->read_seating().has_seat());
  EXPECT_EQ(finish(store.table(id))->seats.size(), 1);
}

TEST_F(TableSeatsTest, ABotIsNotRemovedFromAGameThatHasBegun) {
  ASSERT_TRUE(
      finish(directory.apply(id, AddBot{.asker = kPlayer, .strategy = "rush", .seat = {}})));
  const auto left = finish(directory.apply(id, FreeSeat{kPlayer, Seat{1}}));
  EXPECT_EQ(left.error().code, ErrorCode::kStarted);
}

TEST_F(TableSeatsTest, APrivateTableIsWatchedByInvite) {
  lobby::v1::TableOptions options;
  options.set_invite_only(true);
  make_azul(2, options);
  EXPECT_EQ(kept_out(std::nullopt), ErrorCode::kInviteNeeded);
  EXPECT_EQ(kept_out(kBob, "guessed"), ErrorCode::kInviteNeeded);
  const std::string invite = finish(store.table(id))->invite;
  EXPECT_EQ(kept_out(std::nullopt, invite), std::nullopt);
  EXPECT_EQ(kept_out(kPlayer), std::nullopt);
  EXPECT_EQ(kept_out(kPlayer, "", true), std::nullopt);
}

TEST_F(TableSeatsTest, ATableWithoutSpectatorsShowsItselfToItsPlayersAlone) {
  lobby::v1::TableOptions options;
  options.set_spectators_off(true);
  make_azul(3, options);
  EXPECT_EQ(kept_out(std::nullopt), ErrorCode::kNoSpectators);
  EXPECT_EQ(kept_out(kBob), ErrorCode::kNoSpectators);
  EXPECT_EQ(kept_out(kPlayer, "", true), ErrorCode::kNoSpectators);
  ASSERT_TRUE(take(kBob, 1));
  auto bob = come(kBob);
  static_cast<void>(bob->read());  // Welcome
  ASSERT_TRUE(finish(directory.apply(id, FreeSeat{kBob, Seat{1}})));
  EXPECT_EQ(bob->read().goodbye().reason(), pb::REASON_NO_SPECTATORS);
}

TEST_F(TableSeatsTest, WhoHasLeftASeatActsNoMoreForWhoTookIt) {
  make_azul(3);
  ASSERT_TRUE(take(kBob, 1));
  const auto ana = come(kPlayer);
  const auto eve = come(kEve);
  ana->outbox.clear();
  // All of it waits for the table at once, in this order.
  const std::vector<SeatCommand> wishes{
      FreeSeat{.asker = kPlayer, .seat = Seat{0}},
      TakeSeat{.player = kEve, .name = "Eve", .seat = Seat{0}},
      Start{.asker = kPlayer, .strategy = "random"},
  };
  int granted = 0;
  for (const SeatCommand& wish : wishes) {
    boost::asio::co_spawn(io.at(0), ana->table->apply(wish),
                          [&granted](const std::exception_ptr&, const auto& row) {
                            granted += row.has_value() ? 1 : 0;
                          });
  }
  boost::asio::post(io.at(0), [&ana] {
    EXPECT_TRUE(ana->table->post(
        ana->member,
        {.move_id = "r", .at_version = {}, .type = {}, .body = {}, .act = codec::Act::kResign}));
  });
  settle();
  EXPECT_EQ(granted, 3);
  EXPECT_EQ(next(*ana, &pb::ServerFrame::has_refusal).refusal().reason(), pb::REASON_NOT_SEATED);
  const auto seating = ana->table->live_view().seating;
  pb::ServerFrame frame;
  ASSERT_TRUE(frame.ParseFromString(seating->bytes(codec::Protocol::kBinary)));
  EXPECT_EQ(frame.seating().seats(0).player_id(), base::to_text(kEve));
  EXPECT_FALSE(frame.seating().seats(0).resigned());
}

TEST_F(TableSeatsTest, AMoveOfWhoHasHungUpMeanwhileIsPlayed) {
  auto ana = sit_down();
  ASSERT_TRUE(take(kBob));
  const codec::Move resign{
      .move_id = "r", .at_version = {}, .type = {}, .body = {}, .act = codec::Act::kResign};
  EXPECT_TRUE(ana->table->post(ana->member, codec::Move(resign)));
  ana.reset();
  settle();
  EXPECT_EQ(row().state, store::TableState::kOver);
}

TEST_F(TableSeatsTest, WhoWatchedOnTwoStreamsPlaysOnTheNewer) {
  const auto one = come(kBob);
  const auto two = come(kBob);
  one->outbox.clear();
  two->outbox.clear();
  ASSERT_TRUE(take(kBob));
  EXPECT_EQ(one->read().goodbye().reason(), pb::REASON_REPLACED);
  EXPECT_TRUE(one->silent());
  EXPECT_EQ(two->read_seating().seat(), 1);
}

TEST_F(TableSeatsTest, ATableThatItsLastPlayerLeavesIsClosed) {
  auto watcher = watch();
  static_cast<void>(watcher->read());  // Welcome
  const auto left = finish(directory.apply(id, FreeSeat{kPlayer, Seat{0}}));
  EXPECT_EQ(left->state, store::TableState::kClosed);
  const auto goodbye = watcher->read().goodbye();
  EXPECT_EQ(goodbye.reason(), pb::REASON_TABLE_CLOSED);
  EXPECT_FALSE(goodbye.reconnect());
  EXPECT_EQ(take(kBob).error().code, ErrorCode::kNotFound);
}

TEST_F(TableSeatsTest, AnOperatorClosesATableAndSaysWhy) {
  ASSERT_TRUE(take(kBob));  // the game begins
  auto client = sit_down();
  const auto closed = finish(operator_access.close(id, {"Closed: a test."}));
  ASSERT_TRUE(closed) << closed.error().message;
  EXPECT_EQ(closed->state, store::TableState::kClosed);
  pb::ServerFrame frame;
  while (!frame.has_goodbye()) frame = client->read();
  EXPECT_EQ(frame.goodbye().reason(), pb::REASON_TABLE_CLOSED);
  EXPECT_EQ(frame.goodbye().message(), "Closed: a test.");
  EXPECT_FALSE(frame.goodbye().reconnect());
  EXPECT_EQ(finish(operator_access.close(id, {"Again."})), finish(store.table(id)));
  EXPECT_EQ(take(kBob).error().code, ErrorCode::kNotFound);
}

TEST_F(TableSeatsTest, AnOperatorClosesATableThatIsNotInMemory) {
  ASSERT_TRUE(finish(operator_access.close(id, {"Closed."})));
  EXPECT_EQ(finish(operator_access.tables_in_memory()), 0);
  EXPECT_EQ(finish(store.table(id))->state, store::TableState::kClosed);
  EXPECT_EQ(finish(operator_access.close(TableId{99}, {"Closed."})).error().code,
            ErrorCode::kNotFound);
}

TEST_F(TableSeatsTest, WhoIsWhereIsSeenFromOutside) {
  EXPECT_FALSE(finish(operator_access.look_at(id)));
  auto client = sit_down();
  auto watcher = watch();
  static_cast<void>(client->read());  // Welcome
  static_cast<void>(watcher->read());
  EXPECT_EQ(finish(operator_access.tables_in_memory()), 1);
  EXPECT_EQ(finish(operator_access.tables_with(kPlayer)), std::vector{id});
  EXPECT_TRUE(finish(operator_access.tables_with(kBob)).empty());
  const auto sight = finish(operator_access.look_at(id));
  ASSERT_TRUE(sight);
  pb::ServerFrame frame;
  ASSERT_TRUE(frame.ParseFromString(sight->seating->bytes(codec::Protocol::kBinary)));
  EXPECT_TRUE(frame.seating().seats(0).connected());
  EXPECT_EQ(frame.seating().spectators(), 1);
  EXPECT_FALSE(sight->clocks);
}

TEST_F(TableSeatsTest, AnOpenTableComesBackFromTheStore) {
  auto client = sit_down();
  leave(*client);
  client->table->close({});
  settle();
  auto again = sit_down();
  EXPECT_TRUE(again->read().welcome().seating().waiting());
  ASSERT_TRUE(take(kBob));
  EXPECT_EQ(again->read().snapshot().version(), 1);
}

TEST_F(TableSeatsTest, AClosedTableIsOpenedAgainForASeat) {
  auto client = sit_down();
  leave(*client);
  client->table->close({});
  EXPECT_TRUE(take(kBob));
}

}  // namespace
}  // namespace tesela::tables
