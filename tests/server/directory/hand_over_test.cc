// Tables that a server hands over, so that another one takes them. Both are directories over the
// same store here.
#include "server/directory/hand_over.h"

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "server/base/ownership_limits.h"
#include "tests/server/tables/table_fixture.h"

namespace tesela::tables {
namespace {

/// Keeps what is given up, and refuses that as often as the test wants.
class KeptReleases final : public store::OnlyLifesDuties {
 public:
  explicit KeptReleases(store::MemoryStore& store) : store_(store) {}

  boost::asio::awaitable<Expected<store::Claimed>> claim(TableId table,
                                                         store::LifeId life) override {
    return store_.claim(table, life);
  }
  boost::asio::awaitable<Expected<store::TableHeads>> heads(std::vector<TableId> tables) override {
    return store_.heads(std::move(tables));
  }
  boost::asio::awaitable<Expected<void>> release(std::vector<store::OwnedTable> tables,
                                                 store::LifeId /*life*/) override {
    ++asked;
    if (throws && asked <= refusals) throw std::runtime_error("no memory is left");
    if (asked <= refusals && on_refusal) on_refusal();
    if (asked <= refusals) co_return refuse(ErrorCode::kUnavailable, "The database is away.");
    if (on_release) on_release();
    most = std::max(most, tables.size());
    for (const store::OwnedTable& one : tables) {
      released.push_back(one.table);
      if (one.goes_on) to_go_on.push_back(one.table);
    }
    co_return Expected<void>{};
  }

  std::function<void()> on_release;
  std::function<void()> on_refusal;
  std::size_t refusals = 0;
  bool throws = false;  // in place of a refusal
  std::size_t asked = 0;
  std::size_t most = 0;  // tables at once
  std::vector<TableId> released;
  std::vector<TableId> to_go_on;  // of them

 private:
  store::MemoryStore& store_;
};

class TableHandOverTest : public TableTest {
 protected:
  /// Two bots, which take their time, play alone.
  void make_table_of_bots() {
    lobby::v1::TableOptions options;
    options.set_bot_pace_ms(60'000);
    directory::NewTable wanted{.owner = kPlayer,
                               .owner_name = "Ana",
                               .game = "azul",
                               .options = options,
                               .bots = {{.asker = kPlayer, .strategy = "random", .seat = {}},
                                        {.asker = kPlayer, .strategy = "random", .seat = {}}},
                               .watch_only = true};
    id = finish(stopping.create(std::move(wanted))).value().id;
  }

  ~TableHandOverTest() override { finish(stopping.close_all()); }

  /// Comes to the server that stops.
  std::unique_ptr<Client> come_to_it(std::optional<PlayerId> player) {
    auto client = std::make_unique<Client>();
    client->table = finish(stopping.open(id)).value();
    client->member =
        client->table->join(client->outbox, player, {.token = {}, .last_version = {}}).value();
    settle();
    return client;
  }
  /// A move of who has just come.
  static codec::Move first_move(Client& client) {
    static_cast<void>(client.read());  // Welcome
    const auto view = view_of(client.read());
    return move_in(static_cast<game::v1::Direction>(view.legal(0)), "m");
  }

  /// Returns when `work` has ended.
  void complete(boost::asio::awaitable<void> work) {
    bool ended = false;
    boost::asio::co_spawn(io.at(0), std::move(work),
                          [&ended](const std::exception_ptr& /*thrown*/) { ended = true; });
    wait_until([&ended] { return ended; });
  }
  void hand_all_over() { complete(stopping.hand_over().all()); }

  static void expect_moved(Client& client) {
    const auto goodbye = client.read().goodbye();
    EXPECT_EQ(goodbye.reason(), pb::REASON_TABLE_MOVED);
    EXPECT_TRUE(goodbye.reconnect());
    EXPECT_LE(goodbye.reconnect_after_ms(), limits::kHandOverReconnectMax.count());
  }

  KeptReleases releases{store};
  directory::Directory stopping{[this] {
    auto parts = parts_of(releases);
    parts.bot_pace_alone = std::chrono::milliseconds{0};
    parts.snapshot_events = snapshot_events;
    parts.unused_stay = {};
    return parts;
  }()};
};

TEST_F(TableHandOverTest, StreamsAreToldWhenTheTableIsNobodys) {
  const auto player = come_to_it(kPlayer);
  const auto watcher = come_to_it(std::nullopt);
  std::optional<bool> told;
  releases.on_release = [&] { told = player->outbox.ended() || watcher->outbox.ended(); };
  hand_all_over();
  EXPECT_EQ(told, false);
  EXPECT_EQ(releases.released, std::vector{id});
  expect_moved(*player);
  expect_moved(*watcher);
  EXPECT_EQ(metrics.handed_over().Value(), 1);
}

TEST_F(TableHandOverTest, WhatWasSentBeforeIsPlayedAndTheOtherServerGoesOn) {
  const auto player = come_to_it(kPlayer);
  const auto move = first_move(*player);
  std::optional<Version> version;
  releases.on_release = [&] { version = player->table->version(); };
  store.delay_appends(std::chrono::milliseconds{50});
  EXPECT_TRUE(player->table->post(player->member, codec::Move(move)));
  hand_all_over();
  store.delay_appends({});
  EXPECT_EQ(version, Version{2});
  expect_moved(*player);
  const auto back = sit_down(1);
  EXPECT_TRUE(back->read().welcome().resumed());
  EXPECT_EQ(back->read().event().move_id(), "m");
  send(*back, move);
  EXPECT_EQ(back->read().move_repeated().event().version(), 2U);
}

TEST_F(TableHandOverTest, WhatIsSentMeanwhileIsNotPlayed) {
  const auto player = come_to_it(kPlayer);
  const auto move = first_move(*player);
  releases.on_release = [&] {
    EXPECT_TRUE(player->table->post(player->member, codec::Move(move)));
  };
  hand_all_over();
  expect_moved(*player);
  EXPECT_EQ(finish(store.read(id, Version{1}, 10)).value().size(), 1U);
}

TEST_F(TableHandOverTest, TheServerThatStopsDoesNotTakeATableAgain) {
  const auto player = come_to_it(kPlayer);
  hand_all_over();
  EXPECT_FALSE(stopping.is_live(id));
  const auto refused = finish(stopping.open(id));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  EXPECT_TRUE(directory::HandOver::is_elsewhere(refused.error()));
  EXPECT_TRUE(sit_down()->read().has_welcome());
}

TEST_F(TableHandOverTest, WhatTheStoreRefusesIsReleasedLater) {
  const auto player = come_to_it(kPlayer);
  releases.refusals = 2;
  hand_all_over();
  EXPECT_EQ(releases.asked, 3U);
  EXPECT_EQ(releases.released, std::vector{id});
  expect_moved(*player);
}

TEST_F(TableHandOverTest, AServerThatEndsWaitsForNoRelease) {
  const auto player = come_to_it(kPlayer);
  releases.refusals = std::numeric_limits<std::size_t>::max();
  bool ended = false;
  boost::asio::co_spawn(io.at(0), stopping.hand_over().all(),
                        [&ended](const std::exception_ptr& /*thrown*/) { ended = true; });
  wait_until([this] { return releases.asked > 1; });
  EXPECT_FALSE(ended);
  EXPECT_FALSE(player->outbox.ended());
  complete(stopping.close_all());
  wait_until([&ended] { return ended; });
  expect_moved(*player);
}

TEST_F(TableHandOverTest, ManyTablesGoInBatches) {
  constexpr std::size_t kTables = limits::kHandOverTables + 10;
  for (std::size_t i = 0; i < kTables; ++i) {
    make_table("2048", std::nullopt);
    ASSERT_TRUE(finish(stopping.open(id)));
  }
  hand_all_over();
  EXPECT_EQ(releases.released.size(), kTables);
  EXPECT_LE(releases.most, limits::kHandOverTables);
}

TEST_F(TableHandOverTest, TablesThatBotsPlayAloneAreLeftToWhoeverSweeps) {
  make_table_of_bots();
  ASSERT_TRUE(stopping.is_live(id));
  hand_all_over();
  EXPECT_FALSE(stopping.is_live(id));
  EXPECT_EQ(releases.to_go_on, std::vector{id});
}

// Who watched may never come back.
TEST_F(TableHandOverTest, TablesThatBotsPlayAreLeftToWhoeverSweepsAlsoWhenSomebodyWatches) {
  make_table_of_bots();
  const auto watcher = come_to_it(std::nullopt);
  hand_all_over();
  EXPECT_EQ(releases.to_go_on, std::vector{id});
}

TEST_F(TableHandOverTest, TablesOfPeopleWaitForThem) {
  const auto player = come_to_it(kPlayer);
  hand_all_over();
  EXPECT_EQ(releases.released, std::vector{id});
  EXPECT_TRUE(releases.to_go_on.empty());
}

TEST_F(TableHandOverTest, WhatIsThrownLosesNoTable) {
  const auto player = come_to_it(kPlayer);
  releases.refusals = 2;
  releases.throws = true;
  hand_all_over();
  EXPECT_EQ(releases.released, std::vector{id});
  expect_moved(*player);
}

TEST_F(TableHandOverTest, WhileNothingCanBeReleasedTheOtherTablesAreServed) {
  constexpr std::size_t kTables = 2 * limits::kHandOverTables;
  std::vector<TableId> tables;
  for (std::size_t i = 0; i < kTables; ++i) {
    make_table("2048", std::nullopt);
    ASSERT_TRUE(finish(stopping.open(id)));
    tables.push_back(id);
  }
  releases.refusals = 5;
  std::size_t least = kTables;  // tables that were served while the store refused
  releases.on_refusal = [&] {
    const auto served = static_cast<std::size_t>(
        std::ranges::count_if(tables, [this](TableId table) { return stopping.is_live(table); }));
    least = std::min(least, served);
  };
  hand_all_over();
  EXPECT_GE(least, kTables - limits::kHandOverTables);
  EXPECT_EQ(releases.released.size(), kTables);
}

TEST_F(TableHandOverTest, AnUnusedTableGoesWhereItIsAskedFor) {
  const auto player = come_to_it(kPlayer);
  complete(stopping.hand_over().unused(id));
  EXPECT_TRUE(stopping.is_live(id)) << "its player is there";
  leave(*player);
  complete(stopping.hand_over().unused(id));
  EXPECT_FALSE(stopping.is_live(id));
  EXPECT_EQ(releases.released, std::vector{id});
  EXPECT_TRUE(sit_down()->read().has_welcome());
}

// Whoever knows its id could have it loaded again and again.
TEST_F(TableHandOverTest, ATableThatWasLoadedJustNowStays) {
  auto parts = parts_of(releases);
  parts.unused_stay = std::chrono::milliseconds{300};
  directory::Directory staying{parts};
  ASSERT_TRUE(finish(staying.open(id)));
  complete(staying.hand_over().unused(id));
  EXPECT_TRUE(staying.is_live(id));
  const auto then = std::chrono::steady_clock::now() + parts.unused_stay;
  wait_until([then] { return std::chrono::steady_clock::now() > then; });
  complete(staying.hand_over().unused(id));
  EXPECT_FALSE(staying.is_live(id));
  complete(staying.close_all());
}

TEST_F(TableHandOverTest, AServerThatGoesOnMayTakeSuchATableAgain) {
  leave(*come_to_it(kPlayer));
  complete(stopping.hand_over().unused(id));
  EXPECT_TRUE(come_to_it(kPlayer)->read().has_welcome());
}

}  // namespace
}  // namespace tesela::tables
