#include "server/tables/table.h"

#include <gmock/gmock.h>

#include <memory>
#include <vector>

#include "server/base/limits.h"
#include "tests/server/tables/table_fixture.h"

namespace tesela::tables {
namespace {

TEST_F(TableTest, WhoComesFirstGetsWelcomeAndASnapshot) {
  const auto player = sit_down();
  const auto welcome = player->read().welcome();
  EXPECT_EQ(welcome.game(), "2048");
  EXPECT_TRUE(welcome.has_seat());
  EXPECT_EQ(welcome.version(), 1U);
  EXPECT_FALSE(welcome.resumed());
  EXPECT_EQ(welcome.frames_per_second_max(), 7U);
  const auto snapshot = player->read();
  EXPECT_EQ(snapshot.snapshot().version(), 1U);
  EXPECT_EQ(snapshot.snapshot().turn().seats(0), 0U);
  EXPECT_TRUE(player->silent());
}

TEST_F(TableTest, ASpectatorHasNoSeatAndSeesEveryMove) {
  const auto player = sit_down();
  const auto watcher = watch();
  EXPECT_FALSE(watcher->read().welcome().has_seat());
  EXPECT_TRUE(watcher->read().has_snapshot());
  send(*player, legal_move("a"));
  const auto event = watcher->read().event();
  EXPECT_EQ(event.version(), 2U);
  EXPECT_EQ(event.move_id(), "a");
  send(*watcher, legal_move("b"));
  EXPECT_EQ(watcher->read().refusal().reason(), pb::REASON_NOT_SEATED);
}

TEST_F(TableTest, ASpectatingOwnerHasNoSeat) {
  Client client;
  client.table = finish(directory.open(id)).value();
  client.member =
      client.table
          ->join(client.outbox, kPlayer, {.token = {}, .last_version = {}, .spectate = true})
          .value();
  settle();
  EXPECT_FALSE(client.read().welcome().has_seat());
  leave(client);
}

TEST_F(TableTest, VersionsHaveNoGaps) {
  const auto player = sit_down();
  player->read();
  player->read();
  for (std::uint64_t version = 2; version < 40; ++version) {
    send(*player, legal_move(std::to_string(version)));
    const auto frame = player->read();
    ASSERT_EQ(frame.event().version(), version);
    ASSERT_GE(frame.event().at_ms(), 0);
  }
}

TEST_F(TableTest, AResentMoveIsAnsweredWithTheEventItBecame) {
  const auto player = sit_down();
  player->outbox.clear();
  const auto move = legal_move("once");
  send(*player, move);
  const auto event = player->read().event();
  play(*player, 3);
  send(*player, move);
  const auto repeated = player->read();
  ASSERT_TRUE(repeated.has_move_repeated());
  EXPECT_EQ(repeated.move_repeated().event().SerializeAsString(), event.SerializeAsString());
  EXPECT_EQ(player->table->version(), Version{5});
}

TEST_F(TableTest, AMoveThatIsSentTwiceAtOnceIsPlayedOnce) {
  const auto player = sit_down();
  player->outbox.clear();
  const auto move = legal_move("twice");
  EXPECT_TRUE(player->table->post(player->member, codec::Move(move)));
  EXPECT_TRUE(player->table->post(player->member, codec::Move(move)));
  settle();
  EXPECT_TRUE(player->read().has_event());
  EXPECT_TRUE(player->read().has_move_repeated());
  EXPECT_EQ(player->table->version(), Version{2});
}

TEST_F(TableTest, AStaleMoveIsRefused) {
  const auto player = sit_down();
  play_silently(*player, 2);
  auto move = legal_move("late");
  move.at_version = Version{2};
  send(*player, move);
  const auto refusal = player->read().refusal();
  EXPECT_EQ(refusal.reason(), pb::REASON_STALE);
  EXPECT_EQ(refusal.move_id(), "late");
  EXPECT_EQ(refusal.version(), 3U);
}

TEST_F(TableTest, BadMovesAreRefusedAndChangeNothing) {
  const auto player = sit_down();
  player->outbox.clear();
  send(*player, move_in(game::v1::DIRECTION_UNSPECIFIED, "x"));
  EXPECT_EQ(player->read().refusal().reason(), pb::REASON_MALFORMED);
  send(*player, move_in(game::v1::DIRECTION_LEFT, ""));
  EXPECT_EQ(player->read().refusal().reason(), pb::REASON_MALFORMED);
  send(*player, move_in(game::v1::DIRECTION_LEFT, std::string(limits::kMoveIdBytesMax + 1, 'x')));
  EXPECT_EQ(player->read().refusal().reason(), pb::REASON_MALFORMED);
  send(*player, move_in(game::v1::DIRECTION_LEFT, std::string("a\0b", 3)));
  EXPECT_EQ(player->read().refusal().reason(), pb::REASON_MALFORMED);
  auto foreign = legal_move("f");
  foreign.type = "tesela.game.v1.Game2048View";
  send(*player, foreign);
  EXPECT_EQ(player->read().refusal().reason(), pb::REASON_MALFORMED);
  EXPECT_EQ(player->table->version(), Version{1});
}

TEST_F(TableTest, AnIllegalMoveIsRefused) {
  game::v1::Game2048Config config;
  config.set_size(2);
  config.set_start_tiles(1);
  make_table(config);
  const auto player = sit_down();
  static_cast<void>(player->read());
  const auto view = view_of(player->read());
  // One tile in a corner: two of the four directions move it.
  ASSERT_EQ(view.legal_size(), 2);
  const bool left = view.legal(0) == game::v1::DIRECTION_LEFT;
  send(*player, move_in(left ? game::v1::DIRECTION_RIGHT : game::v1::DIRECTION_LEFT, "no"));
  EXPECT_EQ(player->read().refusal().reason(), pb::REASON_ILLEGAL_MOVE);
}

TEST_F(TableTest, AResumeGetsExactlyWhatWasMissed) {
  const auto player = sit_down();
  player->outbox.clear();
  play(*player, 30);
  for (const std::uint64_t seen : {1U, 5U, 29U, 30U, 31U}) {
    const auto back = sit_down(seen);
    const auto welcome = back->read().welcome();
    EXPECT_TRUE(welcome.resumed());
    for (std::uint64_t version = seen + 1; version <= 31; ++version) {
      EXPECT_EQ(back->read().event().version(), version);
    }
    EXPECT_TRUE(back->silent());
    leave(*back);
  }
}

TEST_F(TableTest, AMissedEventIsTheSameByteForByte) {
  const auto player = sit_down();
  const auto watcher = watch();
  player->outbox.clear();
  watcher->outbox.clear();
  play(*player, 10);
  const auto back = sit_down(1);
  static_cast<void>(back->read());
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(back->read().SerializeAsString(), watcher->read().SerializeAsString());
  }
}

TEST_F(TableTest, TooFarBehindOrFromTheFutureGetsASnapshot) {
  const auto player = sit_down();
  play_silently(*player, 4);
  const auto future = sit_down(900);
  EXPECT_FALSE(future->read().welcome().resumed());
  EXPECT_EQ(future->read().snapshot().version(), 5U);
}

TEST_F(TableTest, ATableThatWasClosedComesBackByReplay) {
  const auto player = sit_down();
  player->outbox.clear();
  play(*player, 20);
  const auto again = legal_move("m19");
  player->table->close({.reason = codec::Reason::kServerRestart, .message = "test"});
  settle();
  EXPECT_EQ(player->read().goodbye().reason(), pb::REASON_SERVER_RESTART);
  leave(*player);

  const auto back = sit_down(21);
  EXPECT_TRUE(back->read().welcome().resumed());
  EXPECT_TRUE(back->silent());
  EXPECT_NE(back->table, player->table);
  // The moves it has played are remembered too.
  send(*back, again);
  EXPECT_EQ(back->read().move_repeated().event().version(), 21U);
}

TEST_F(TableTest, AFullInboxTakesNoMore) {
  const auto player = sit_down();
  // One that is refused would be handled at once.
  const codec::Move move = legal_move("m");
  bool taken = true;
  std::size_t posted = 0;
  while (taken && posted <= limits::kInboxMax + 1) {
    taken = player->table->post(player->member, codec::Move{move});
    posted += taken ? 1 : 0;
  }
  EXPECT_GE(posted, limits::kInboxMax);
  EXPECT_LE(posted, limits::kInboxMax + 1);  // one may be handed over already
  settle();
}

TEST_F(TableTest, AClosedTableTakesNobody) {
  const auto player = sit_down();
  player->table->close({.reason = codec::Reason::kServerRestart, .message = "test"});
  Client late;
  EXPECT_EQ(player->table->join(late.outbox, kPlayer, {}).error().code, ErrorCode::kUnavailable);
  settle();
}

TEST_F(TableTest, WhoComesToAPositionThatWasShownGetsTheSameFrame) {
  auto player = sit_down();
  const auto snapshot_of = [](Client& client) {
    static_cast<void>(client.outbox.pop());  // Welcome
    return client.outbox.pop();
  };
  static_cast<void>(snapshot_of(*player));
  auto early = watch();
  const codec::FramePtr first = snapshot_of(*early);
  auto second = watch();
  EXPECT_EQ(snapshot_of(*second), first);
  send(*player, legal_move("m"));
  auto late = watch();
  const codec::FramePtr after = snapshot_of(*late);
  EXPECT_NE(after, first);
  // A table without members keeps no frames.
  const std::weak_ptr<const codec::Frame> kept = after;
  for (auto* client : {player.get(), early.get(), second.get(), late.get()}) {
    leave(*client);
    client->outbox.clear();
  }
  EXPECT_EQ(kept.use_count(), 1);
}

TEST_F(TableTest, ASpectatorWhoReadsTooSlowlyGetsASnapshotLater) {
  const auto player = sit_down();
  const auto watcher = watch();
  player->outbox.clear();
  play_silently(*player, static_cast<int>(limits::kOutboxFramesMax) + 10);
  EXPECT_TRUE(watcher->silent());
  watcher->table->drained(watcher->member);
  EXPECT_TRUE(watcher->read_seating().seats_size() > 0);
  const auto frame = watcher->read();
  EXPECT_EQ(frame.snapshot().version(), player->table->version().value);
  EXPECT_TRUE(watcher->silent());
  send(*player, legal_move("next"));
  EXPECT_EQ(watcher->read().event().version(), frame.snapshot().version() + 1);
}

TEST_F(TableTest, APlayerWhoReadsTooSlowlyIsToldToComeBack) {
  const auto player = sit_down();
  player->outbox.clear();
  for (std::size_t i = 0; i <= limits::kOutboxFramesMax; ++i) {
    send(*player, legal_move(std::to_string(i)));
    if (player->outbox.ended()) break;
  }
  const auto goodbye = player->read().goodbye();
  EXPECT_EQ(goodbye.reason(), pb::REASON_SLOW_READER);
  EXPECT_TRUE(goodbye.reconnect());
  EXPECT_TRUE(player->silent());
}

TEST_F(TableTest, TheEndOfTheGameIsToldToEverybodyAndTheLobby) {
  std::vector<store::TableRow> told;
  game::v1::Game2048Config config;
  config.set_objective(32);
  config.set_stop_at_objective(true);
  make_table(config);
  const directory::TableFeed::Subscription subscription{
      feed, {.changed = [&told](const auto& row, bool /*several*/) { told.push_back(row); }}};
  const auto player = sit_down();
  player->outbox.clear();
  pb::ServerFrame last;
  for (int i = 0; i < 5000 && !last.event().has_result(); ++i) {
    send(*player, legal_move(std::to_string(i)));
    last = player->read();
  }
  ASSERT_TRUE(last.event().has_result());
  EXPECT_EQ(last.event().turn().seats_size(), 0);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].state, store::TableState::kOver);
  const auto row = finish(store.table(id)).value();
  EXPECT_EQ(row.state, store::TableState::kOver);
  EXPECT_EQ(row.ending, told[0].ending);
  EXPECT_EQ(row.ending->result, last.event().result().SerializeAsString());
  send(*player, move_in(game::v1::DIRECTION_LEFT, "after"));
  EXPECT_EQ(player->read().refusal().reason(), pb::REASON_GAME_OVER);
}

TEST_F(TableTest, ACrowdOfSpectatorsKeepsNoPlayerOut) {
  std::vector<std::unique_ptr<Client>> crowd;
  for (std::size_t i = 0; i < limits::kConnectionsPerTableMax; ++i) crowd.push_back(watch());
  EXPECT_EQ(kept_out(std::nullopt), ErrorCode::kResourceExhausted);
  EXPECT_EQ(kept_out(kPlayer, "", true), ErrorCode::kResourceExhausted);
  EXPECT_EQ(kept_out(kPlayer), std::nullopt);
}

}  // namespace
}  // namespace tesela::tables
