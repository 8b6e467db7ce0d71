// Moves that are sent again: each is played once, and answered with what it became.
#include <gmock/gmock.h>

#include <vector>

#include "server/base/limits.h"
#include "tests/server/tables/azul_fixture.h"

namespace tesela::tables {
namespace {

class TableResendsTest : public TableTest {
 protected:
  /// Plays so many moves, whose answers are read from `events`.
  std::vector<codec::Move> play_moves(Client& client, int count) {
    std::vector<codec::Move> moves;
    for (int i = 0; i < count; ++i) {
      moves.push_back(legal_move("m" + std::to_string(i)));
      send(client, moves.back());
      const auto frame = client.read();
      EXPECT_TRUE(frame.has_event()) << frame.ShortDebugString();
      events.push_back(frame.event());
    }
    return moves;
  }
  /// Sends them all before any is answered.
  void send_at_once(Client& client, const std::vector<codec::Move>& moves) {
    for (auto move : moves) EXPECT_TRUE(client.table->post(client.member, std::move(move)));
    settle();
  }
  /// Each is answered with a MoveRepeated, of its own version, in the order of sending.
  static void expect_repeated(Client& client, std::uint64_t first, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto frame = client.read();
      ASSERT_TRUE(frame.has_move_repeated()) << i << ": " << frame.ShortDebugString();
      EXPECT_EQ(frame.move_repeated().event().version(), first + i);
    }
  }

  std::vector<pb::Event> events;
};

TEST_F(TableResendsTest, ABurstThatIsCutOffAndSentAgainIsPlayedOnce) {
  constexpr std::size_t kBurst = 64;
  auto player = sit_down();
  player->outbox.clear();
  const auto moves = play_moves(*player, kBurst);
  player.reset();
  const auto back = sit_down();
  back->outbox.clear();
  send_at_once(*back, moves);
  EXPECT_EQ(back->table->version(), Version{1 + kBurst});
  expect_repeated(*back, 2, kBurst);
}

TEST_F(TableResendsTest, SeveralThatAreSentAgainAreAllAnsweredWithTheirWholeEvents) {
  const auto player = sit_down();
  player->outbox.clear();
  const auto moves = play_moves(*player, 10);
  send_at_once(*player, moves);
  for (const auto& event : events) {
    const auto frame = player->read();
    ASSERT_TRUE(frame.has_move_repeated()) << frame.ShortDebugString();
    EXPECT_EQ(frame.move_repeated().event().SerializeAsString(), event.SerializeAsString());
  }
}

TEST_F(TableResendsTest, AMoveIsKnownHoweverLongAgoItWasPlayed) {
  const auto player = sit_down();
  player->outbox.clear();
  const auto moves = play_moves(*player, 300);
  send(*player, moves.front());
  const auto frame = player->read();
  ASSERT_TRUE(frame.has_move_repeated()) << frame.ShortDebugString();
  EXPECT_EQ(frame.move_repeated().event().SerializeAsString(), events.front().SerializeAsString());
  EXPECT_EQ(player->table->version(), Version{301});
}

TEST_F(TableResendsTest, ATableThatWasReadFromItsLogKnowsAllItsMoves) {
  const auto player = sit_down();
  player->outbox.clear();
  const auto moves = play_moves(*player, 60);
  player->table->close({.reason = codec::Reason::kServerRestart});
  settle();
  leave(*player);
  const auto back = sit_down();
  back->outbox.clear();
  send_at_once(*back, moves);
  EXPECT_EQ(back->table->version(), Version{61});
  expect_repeated(*back, 2, moves.size());
}

TEST_F(TableResendsTest, ThoseFarApartAreAllAnsweredThoughOneReplayDoesNotReach) {
  const auto player = sit_down();
  player->outbox.clear();
  const auto moves = play_moves(*player, static_cast<int>(limits::kReadBackEventsMax) + 40);
  std::vector<codec::Move> apart;
  std::vector<std::size_t> places;
  for (int i = 0; i < 20; ++i) {
    places.push_back(i % 2 == 0 ? moves.size() - 2 - i : i);
    apart.push_back(moves[places.back()]);
  }
  send_at_once(*player, apart);
  for (const std::size_t place : places) {
    const auto frame = player->read();
    ASSERT_TRUE(frame.has_move_repeated()) << frame.ShortDebugString();
    const auto& event = frame.move_repeated().event();
    EXPECT_EQ(event.version(), events[place].version());
    EXPECT_EQ(event.move_id(), events[place].move_id());
    EXPECT_EQ(event.at_ms(), events[place].at_ms());
    if (event.has_body()) {
      EXPECT_EQ(event.SerializeAsString(), events[place].SerializeAsString());
    }
  }
}

TEST_F(TableResendsTest, TheSameOneIsAnsweredEachTime) {
  const auto player = sit_down();
  player->outbox.clear();
  const auto moves = play_moves(*player, 3);
  const std::vector<codec::Move> often(50, moves.front());
  send_at_once(*player, often);
  for (std::size_t i = 0; i < often.size(); ++i) {
    EXPECT_EQ(player->read().move_repeated().event().SerializeAsString(),
              events.front().SerializeAsString());
  }
}

TEST_F(TableResendsTest, ATakenBackMoveIsTakenBackOnce) {
  lobby::v1::TableOptions options;
  options.set_practice(true);
  directory::NewTable wanted{
      .owner = kPlayer, .owner_name = "Ana", .game = "2048", .config = {}, .options = options};
  id = finish(directory.create(std::move(wanted))).value().id;
  const auto player = sit_down();
  player->outbox.clear();
  const auto moves = play_moves(*player, 2);
  const codec::Move undo{
      .move_id = "u", .at_version = {}, .type = {}, .body = {}, .act = codec::Act::kUndo};
  send(*player, undo);
  EXPECT_EQ(player->read().event().version(), 4);
  send(*player, undo);
  EXPECT_EQ(player->read().move_repeated().event().version(), 4);
  send(*player, moves.back());
  EXPECT_EQ(player->read().move_repeated().event().version(), 3);
  EXPECT_EQ(player->table->version(), Version{4});
}

class AzulResendsTest : public AzulTableTest {};

TEST_F(AzulResendsTest, AnIdThatABotHasUsedForThePlayerIsThePlayersToUse) {
  make_azul(2);
  ASSERT_TRUE(take(kBob));
  const auto watcher = watch();
  const Seat seat{static_cast<std::uint8_t>(
      next(*watcher, &pb::ServerFrame::has_snapshot).snapshot().turn().seats(0))};
  const PlayerId first = seat == Seat{0} ? kPlayer : kBob;
  ASSERT_TRUE(finish(directory.apply(id, FreeSeat{.asker = first, .seat = seat})));
  const auto played = next(*watcher, &pb::ServerFrame::has_event).event();
  const auto back = come(first);
  back->outbox.clear();
  const codec::Move resign{.move_id = played.move_id(),
                           .at_version = {},
                           .type = {},
                           .body = {},
                           .act = codec::Act::kResign};
  send(*back, resign);
  EXPECT_EQ(next(*back, &pb::ServerFrame::has_event).event().move_id(), played.move_id());
  EXPECT_EQ(row().state, store::TableState::kOver);
}

}  // namespace
}  // namespace tesela::tables
