// What a table does when its log refuses, or is longer than it knows: nothing is shown that is not
// stored.
#include <memory>
#include <stdexcept>

#include "server/codec/record.h"
#include "tests/server/tables/table_fixture.h"

namespace tesela::tables {
namespace {

using Fate = store::MemoryStore::Fate;

TEST_F(TableTest, ARefusedAppendShowsNothingAndTheMoveCanBeSentAgain) {
  const auto player = sit_down();
  const auto watcher = watch();
  player->outbox.clear();
  watcher->outbox.clear();
  const auto move = legal_move("m");
  store.fail_next_append({ErrorCode::kUnavailable, "The disk is full."}, Fate::kRefused);
  send(*player, move);
  const auto refusal = player->read().refusal();
  EXPECT_EQ(refusal.reason(), pb::REASON_STORE_UNAVAILABLE);
  EXPECT_EQ(refusal.move_id(), "m");
  EXPECT_TRUE(watcher->silent());
  EXPECT_EQ(player->table->version(), Version{1});
  send(*player, move);
  EXPECT_EQ(player->read().event().version(), 2U);
  EXPECT_EQ(watcher->read().event().version(), 2U);
}

TEST_F(TableTest, AnAmbiguousAppendThatWasStoredIsFoundByWhoComesBack) {
  const auto player = sit_down();
  player->outbox.clear();
  const auto move = legal_move("m");
  store.fail_next_append({ErrorCode::kInternal, "Nobody knows."}, Fate::kStored);
  send(*player, move);
  const auto goodbye = player->read().goodbye();
  EXPECT_EQ(goodbye.reason(), pb::REASON_STORE_UNAVAILABLE);
  EXPECT_TRUE(goodbye.reconnect());
  leave(*player);

  const auto back = sit_down(1);
  EXPECT_TRUE(back->read().welcome().resumed());
  EXPECT_EQ(back->read().event().move_id(), "m");
  send(*back, move);
  EXPECT_EQ(back->read().move_repeated().event().version(), 2U);
}

TEST_F(TableTest, AnAmbiguousAppendThatWasNotStoredIsPlayedWhenItIsSentAgain) {
  const auto player = sit_down();
  player->outbox.clear();
  const auto move = legal_move("m");
  store.fail_next_append({ErrorCode::kInternal, "Nobody knows."}, Fate::kRefused);
  send(*player, move);
  EXPECT_TRUE(player->read().has_goodbye());
  leave(*player);
  const auto back = sit_down(1);
  static_cast<void>(back->read());
  EXPECT_TRUE(back->silent());
  send(*back, move);
  EXPECT_EQ(back->read().event().version(), 2U);
}

TEST_F(TableTest, WhoeverLostTheTableStopsAtOnce) {
  const auto player = sit_down();
  player->outbox.clear();
  const auto move = legal_move("m");
  ASSERT_TRUE(finish(store.claim(id, store::kOnlyLife)));  // another process
  EXPECT_TRUE(player->table->post(player->member, codec::Move(move)));
  auto another = move;
  another.move_id = "n";
  EXPECT_TRUE(player->table->post(player->member, codec::Move(another)));
  settle();
  EXPECT_EQ(player->read().goodbye().reason(), pb::REASON_TABLE_MOVED);
  EXPECT_TRUE(player->silent());
  EXPECT_EQ(finish(store.read(id, Version{1}, 10)).value().size(), 1U);
}

TEST_F(TableTest, ATableThatEndsByAnExceptionIsNotCountedAnyMore) {
  const auto player = sit_down();
  EXPECT_EQ(metrics.tables("2048", "playing").Value(), 1);
  const directory::TableFeed::Subscription ill{
      feed, {.changed = [](const store::TableRow&, bool) { throw std::runtime_error("ill"); }}};
  send(
      *player,
      {.move_id = "no more", .at_version = {}, .type = {}, .body = {}, .act = codec::Act::kResign});
  EXPECT_EQ(row().state, store::TableState::kOver);
  EXPECT_EQ(finish(operator_access.tables_in_memory()), 0U);
  for (const char* state : {"waiting", "playing", "finished"}) {
    EXPECT_EQ(metrics.tables("2048", state).Value(), 0) << state;
  }
}

TEST_F(TableTest, ALogWithAnotherPositionIsNotServed) {
  auto log = finish(store.read(id, Version{1}, 1)).value();
  auto record = codec::decode_record(log[0].record).value();
  record.digest ^= 1U;
  auto row = finish(store.table(id)).value();
  row.id = TableId{id.value + 1};
  finish(store.add_table(row, codec::encode(record), {}));
  const auto opened = finish(directory.open(row.id));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kCorrupt);
}

TEST_F(TableTest, AnUnknownTableIsNotFound) {
  EXPECT_EQ(finish(directory.open(TableId{4})).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(finish(directory.open(TableId{})).error().code, ErrorCode::kNotFound);
}

TEST_F(TableTest, ADrainingServerMakesNoTables) {
  directory.drain();
  directory::NewTable wanted{.owner = kPlayer, .owner_name = "Ana", .game = "2048"};
  EXPECT_EQ(finish(directory.create(std::move(wanted))).error().code, ErrorCode::kUnavailable);
}

/// Clients have seen more than the server: another one has the table, or the database was restored.
class TableAheadTest : public TableTest {
 protected:
  ~TableAheadTest() override { finish(other.close_all()); }

  /// Another server loads the table and plays a move there. Returns the table's version there.
  std::uint64_t play_elsewhere() {
    Client client;
    client.table = finish(other.open(id)).value();
    client.member = client.table->join(client.outbox, kPlayer, {}).value();
    settle();
    static_cast<void>(client.read());  // Welcome
    const auto view = view_of(client.read());
    send(client, move_in(static_cast<game::v1::Direction>(view.legal(0)), "elsewhere"));
    return client.table->version().value;
  }

  directory::Directory other{parts_of(store)};
};

TEST_F(TableAheadTest, EachLoadIsToldToItsClientsByAHigherEpoch) {
  const auto player = sit_down();
  const auto here = player->read().welcome().epoch();
  EXPECT_EQ(here, player->table->epoch().value);
  play_elsewhere();
  EXPECT_GT(row().epoch.value, here);
}

TEST_F(TableAheadTest, WhoHasSeenMoreElsewhereIsToldNothingHereAndTheTableIsLoadedAgain) {
  const auto player = sit_down();
  player->outbox.clear();
  play(*player, 2);
  const auto version = play_elsewhere();
  player->outbox.clear();
  const auto back = sit_down(version);
  const auto goodbye = back->read().goodbye();
  EXPECT_EQ(goodbye.reason(), pb::REASON_TABLE_MOVED);
  EXPECT_TRUE(goodbye.reconnect());
  EXPECT_TRUE(back->silent());
  EXPECT_TRUE(player->read().has_goodbye());

  const auto again = sit_down(version - 1);
  EXPECT_NE(again->table, back->table);
  EXPECT_EQ(again->read().welcome().version(), version);
  EXPECT_EQ(again->read().event().move_id(), "elsewhere");
}

TEST_F(TableAheadTest, AWatcherWhoHasSeenMoreIsNoLessBelieved) {
  const auto player = sit_down();
  player->outbox.clear();
  const auto version = play_elsewhere();
  const auto watcher = watch(version);
  EXPECT_EQ(watcher->read().goodbye().reason(), pb::REASON_TABLE_MOVED);
  EXPECT_TRUE(watcher->silent());
  EXPECT_EQ(player->read().goodbye().reason(), pb::REASON_TABLE_MOVED);
}

TEST_F(TableAheadTest, WhoHasSeenMoreThanTheLogIsGivenASnapshot) {
  const auto player = sit_down();
  player->outbox.clear();
  play(*player, 2);
  const auto back = sit_down(1000);
  const auto welcome = back->read().welcome();
  EXPECT_FALSE(welcome.resumed());
  EXPECT_EQ(welcome.version(), 3U);
  EXPECT_EQ(back->read().snapshot().version(), 3U);
  EXPECT_EQ(back->table, player->table);
}

TEST_F(TableAheadTest, WithoutAnAnswerOfTheLogNothingIsToldButTheTableStays) {
  const auto player = sit_down();
  player->outbox.clear();
  play(*player, 2);
  store.fail_next_last({ErrorCode::kUnavailable, "The database is away."});
  const auto back = watch(1000);
  const auto goodbye = back->read().goodbye();
  EXPECT_EQ(goodbye.reason(), pb::REASON_STORE_UNAVAILABLE);
  EXPECT_TRUE(goodbye.reconnect());
  EXPECT_TRUE(back->silent());
  leave(*back);
  player->outbox.clear();
  play(*player, 1, "later");
  EXPECT_EQ(watch(1000)->read().welcome().version(), 4U);
}

TEST_F(TableAheadTest, WhoIsAheadAndLeavesBeforeTheAnswerIsForgotten) {
  const auto player = sit_down();
  Client gone;
  gone.table = player->table;
  gone.member =
      gone.table->join(gone.outbox, std::nullopt, {.token = {}, .last_version = Version{9}})
          .value();
  gone.table->leave(gone.member);
  settle();
  EXPECT_TRUE(gone.silent());
  gone.table.reset();
  player->outbox.clear();
  play(*player, 1);
}

}  // namespace
}  // namespace tesela::tables
