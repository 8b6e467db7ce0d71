// Tables with several seats: who takes which, and when the game begins.
#include <gmock/gmock.h>
#include <tesela/game/v1/azul.pb.h>

#include <algorithm>

#include "server/codec/id_text.h"
#include "tests/server/table/table_fixture.h"

namespace tesela::table {
namespace {

using testing::HasSubstr;

class TableSeatsTest : public TableTest {
 protected:
  static constexpr PlayerId kBob{78};
  static constexpr PlayerId kEve{79};

  TableSeatsTest() {
    finish(store.add_player({.id = kBob, .display_name = "Bob", .created_ms = 2}));
    finish(store.add_player({.id = kEve, .display_name = "Eve", .created_ms = 3}));
    make_azul(2);
  }

  void make_azul(std::uint32_t players) {
    game::v1::AzulConfig config;
    config.set_players(players);
    google::protobuf::Any any;
    any.PackFrom(config);
    id = finish(directory.create(kPlayer, "azul", any)).value().id;
  }

  Expected<store::TableRow> take(PlayerId player, std::optional<std::uint8_t> seat = {}) {
    std::optional<Seat> wanted;
    if (seat) wanted = Seat{*seat};
    return finish(directory.join(id, player, player == kBob ? "Bob" : "Eve", wanted));
  }

  /// The first move of a position, as the view offers it.
  static codec::Move first_move(const game::v1::AzulView& view, std::string move_id) {
    const auto& offer = view.offers(0);
    game::v1::AzulMove move;
    if (offer.has_factory()) {
      move.set_factory(offer.factory());
    } else {
      move.set_centre(true);
    }
    move.set_colour(offer.colour());
    move.set_floor(true);
    return {.move_id = std::move(move_id),
            .at_version = {},
            .type = "tesela.game.v1.AzulMove",
            .body = move.SerializeAsString()};
  }

  static game::v1::AzulView azul_view_of(const pb::ServerFrame& frame) {
    game::v1::AzulView view;
    EXPECT_TRUE(frame.snapshot().view().UnpackTo(&view));
    return view;
  }
};

TEST_F(TableSeatsTest, ANewTableIsOpenAndSaysWhoIsThere) {
  EXPECT_EQ(finish(store.table(id))->state, store::TableState::kOpen);
  auto client = sit_down();
  const auto seating = client->read().welcome().seating();
  EXPECT_TRUE(seating.waiting());
  EXPECT_EQ(seating.seat_count(), 2);
  ASSERT_EQ(seating.seats_size(), 1);
  EXPECT_EQ(seating.seats(0).player_id(), codec::to_text(kPlayer));
  EXPECT_EQ(seating.seats(0).display_name(), "Ana");
  EXPECT_EQ(seating.seat(), 0);
}

TEST_F(TableSeatsTest, NobodyMovesBeforeEverySeatIsTaken) {
  auto client = sit_down();
  static_cast<void>(client->read());  // Welcome
  const auto view = azul_view_of(client->read());
  send(*client, first_move(view, "early"));
  const auto refusal = client->read().refusal();
  EXPECT_EQ(refusal.reason(), pb::REASON_NOT_STARTED);
  EXPECT_THAT(refusal.message(), HasSubstr("1 of 2"));
  EXPECT_EQ(refusal.version(), 1);
}

TEST_F(TableSeatsTest, TheLastSeatBeginsTheGameForEverybodyWhoIsThere) {
  auto ana = sit_down();
  auto watcher = watch();
  auto bob = come(kBob);  // has no seat yet
  for (auto* client : {ana.get(), watcher.get(), bob.get()}) {
    static_cast<void>(client->read());  // Welcome
    static_cast<void>(client->read());  // Snapshot
  }
  const auto row = take(kBob);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->state, store::TableState::kInPlay);
  const auto told = [](Client& client) { return client.read().seating(); };
  const auto to_ana = told(*ana);
  EXPECT_FALSE(to_ana.waiting());
  EXPECT_EQ(to_ana.seats_size(), 2);
  EXPECT_EQ(to_ana.seats(1).display_name(), "Bob");
  EXPECT_EQ(to_ana.seat(), 0);
  EXPECT_FALSE(told(*watcher).has_seat());
  EXPECT_EQ(told(*bob).seat(), 1);
}

TEST_F(TableSeatsTest, SeatsMoveInTurnAndWhoJoinedWhileConnectedMayMove) {
  auto ana = sit_down();
  auto bob = come(kBob);
  ASSERT_TRUE(take(kBob));
  static_cast<void>(bob->read());  // Welcome
  const auto snapshot = bob->read();
  const auto turn = snapshot.snapshot().turn().seats(0);
  static_cast<void>(bob->read());  // Seating
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
  EXPECT_EQ(finish(directory.join(TableId{1}, kEve, "Eve", std::nullopt)).error().code,
            ErrorCode::kNotFound);
}

TEST_F(TableSeatsTest, ATokenThatOutlivedItsPlayerGetsNoSeat) {
  const auto refused = finish(directory.join(id, PlayerId{4711}, "Nobody", std::nullopt));
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
    boost::asio::co_spawn(io.at(0), directory.join(id, player, "X", Seat{1}),
                          [&answers](const std::exception_ptr&, Expected<store::TableRow> row) {
                            answers.push_back(std::move(row));
                          });
  }
  settle();
  ASSERT_EQ(answers.size(), 2);
  EXPECT_EQ(std::ranges::count_if(answers, [](const auto& row) { return row.has_value(); }), 1);
}

TEST_F(TableSeatsTest, AClosedTableIsOpenedAgainForASeat) {
  auto client = sit_down();
  leave(*client);
  client->table->close({});
  EXPECT_TRUE(take(kBob));
}

}  // namespace
}  // namespace tesela::table
