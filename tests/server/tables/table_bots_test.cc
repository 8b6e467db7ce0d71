// Strategies at a table: seats that bots play, and hints.
#include <gmock/gmock.h>
#include <tesela/game/v1/samegame.pb.h>

#include <chrono>
#include <functional>
#include <latch>
#include <memory>
#include <thread>
#include <variant>
#include <vector>

#include "server/base/analysis_limits.h"
#include "server/base/limits.h"
#include "server/base/text_encoding.h"
#include "server/codec/record.h"
#include "tests/server/tables/azul_fixture.h"

namespace tesela::tables {
namespace {

using testing::HasSubstr;

class TableBotsTest : public AzulTableTest {
 protected:
  static std::vector<AddBot> bots_called(std::initializer_list<const char*> names) {
    std::vector<AddBot> bots;
    for (const char* name : names) {
      bots.push_back({.asker = kPlayer, .strategy = name, .seat = std::nullopt});
    }
    return bots;
  }

  bool over() { return row().state == store::TableState::kOver; }

  static codec::HintRequest question(std::string id, std::string strategy = {}) {
    return {.hint_id = std::move(id), .strategy = std::move(strategy)};
  }
};

TEST_F(TableBotsTest, BotsOnEverySeatPlayToTheEndWithNobodyThere) {
  directory::NewTable wanted{.owner = kPlayer,
                             .owner_name = "Ana",
                             .game = "azul",
                             .config = azul(3),
                             .bots = bots_called({"greedy", "safe", "uct"}),
                             .watch_only = true};
  id = finish(directory.create(std::move(wanted))).value().id;
  wait_until([this] { return over(); });
  const auto replayed = finish(replayed_log());
  ASSERT_TRUE(replayed) << replayed.error().message;
  const auto log = finish(store.read(id, Version{1}, 1000)).value();
  for (const auto& entry : log) {
    const auto record = codec::decode_record(entry.record).value();
    const auto* moved = std::get_if<codec::Moved>(&record.event);
    if (moved == nullptr) continue;
    EXPECT_EQ(moved->strategy, row().seats[moved->seat.value].strategy);
  }
}

/// A game of 2048 for one, which a bot plays and which has room for thousands of moves.
class TableAloneTest : public TableBotsTest {
 protected:
  void make_long(directory::Directory& of) {
    game::v1::Game2048Config config;
    config.set_size(8);
    directory::NewTable wanted{.owner = kPlayer,
                               .owner_name = "Ana",
                               .game = "2048",
                               .bots = bots_called({"random"}),
                               .watch_only = true};
    wanted.config.emplace().PackFrom(config);
    wanted.options.set_bot_pace_ms(0);
    id = finish(of.create(std::move(wanted))).value().id;
  }
  Version version() { return finish(store.last(id)).value()->version; }
  bool rests() { return finish(directory.open(id)).value()->idle_since().has_value(); }
};

TEST_F(TableAloneTest, BotsRestAfterABoundedNumberOfMovesUntilSomebodyComes) {
  make_long(directory);
  wait_until([this] { return rests(); });
  const Version alone{limits::kMovesAloneMax + 1};  // the first is the beginning
  EXPECT_EQ(version(), alone);
  EXPECT_EQ(row().state, store::TableState::kInPlay);

  // Another life of the table has no more of them.
  finish(directory.open(id)).value()->close({});
  settle();
  EXPECT_TRUE(rests());
  EXPECT_EQ(version(), alone);

  auto watcher = watch();
  wait_until([&] { return version() > alone; });
  leave(*watcher);
  const Version seen = version();
  wait_until([this] { return rests(); });
  EXPECT_LE(version().value, seen.value + limits::kMovesAloneMax + 1);
}

TEST_F(TableAloneTest, BotsPlaySlowlyUntilSomebodyComes) {
  directory::Directory slow{[this] {
    auto parts = parts_of(store);
    parts.bot_pace_alone = std::chrono::hours{1};
    return parts;
  }()};
  make_long(slow);
  const auto table = finish(slow.open(id)).value();
  io.at(0).run_for(std::chrono::milliseconds{100});
  io.at(0).restart();
  EXPECT_EQ(version(), Version{1}) << "its options ask for no pause";
  Outbox outbox{codec::Protocol::kBinary, [] {}};
  const auto member = table->join(outbox, std::nullopt, {});
  ASSERT_TRUE(member);
  wait_until([this] { return version() > Version{1}; });
  table->leave(*member);
  finish(slow.close_all());
  settle();
}

TEST_F(TableBotsTest, ABotIsAPlayerWithAnAccount) {
  make_table("azul", azul(2), bots_called({"rush"}));
  const auto table = row();
  EXPECT_EQ(table.state, store::TableState::kInPlay);
  ASSERT_EQ(table.seats.size(), 2);
  EXPECT_EQ(table.seats[0].player, kPlayer);
  EXPECT_EQ(table.seats[1].strategy, "rush");
  const auto account = finish(store.player(table.seats[1].player));
  ASSERT_TRUE(account);
  EXPECT_EQ(account->display_name, "rush");
  const auto seating = sit_down()->read().welcome().seating();
  EXPECT_TRUE(seating.seats(1).bot());
  EXPECT_EQ(seating.seats(1).strategy(), "rush");
  EXPECT_FALSE(seating.seats(0).bot());
  EXPECT_EQ(seating.owner_id(), base::to_text(kPlayer));
}

TEST_F(TableBotsTest, ABotAnswersAMoveAndTheEventNamesIt) {
  make_table("azul", azul(2), bots_called({"greedy"}));
  auto ana = sit_down();
  static_cast<void>(ana->read());  // Welcome
  std::uint64_t version = 0;
  std::string strategy;
  bool mine = ana->read().snapshot().turn().seats(0) == 0;
  while (strategy.empty()) {
    if (mine) {
      auto watcher = watch();
      static_cast<void>(watcher->read());
      game::v1::AzulView view;
      ASSERT_TRUE(watcher->read().snapshot().view().UnpackTo(&view));
      game::v1::AzulMove move;
      const auto& offer = view.offers(0);
      offer.has_factory() ? move.set_factory(offer.factory()) : move.set_centre(true);
      move.set_colour(offer.colour());
      move.set_floor(true);
      send(*ana, {.move_id = "m",
                  .at_version = {},
                  .type = "tesela.game.v1.AzulMove",
                  .body = move.SerializeAsString()});
    }
    codec::FramePtr frame;
    wait_until([&] { return (frame = ana->outbox.pop()) != nullptr; });
    pb::ServerFrame read;
    read.ParseFromString(frame->bytes(codec::Protocol::kBinary));
    version = read.event().version();
    strategy = read.event().strategy();
    EXPECT_EQ(strategy.empty(), read.event().seat() == 0);
    mine = read.event().turn().seats(0) == 0;
  }
  EXPECT_EQ(strategy, "greedy");
  EXPECT_GE(version, 2U);
}

TEST_F(TableBotsTest, TheOwnerAddsAndRemovesBots) {
  make_table("azul", azul(4));
  const auto add = [&](PlayerId asker, const char* name, std::optional<Seat> seat) {
    return finish(directory.apply(id, AddBot{asker, name, seat}));
  };
  EXPECT_EQ(add(PlayerId{78}, "safe", {}).error().code, ErrorCode::kPermissionDenied);
  const auto unknown = add(kPlayer, "deep-blue", {});
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(unknown.error().message,
              HasSubstr("random, diagonal, rush, novice, safe, amateur, greedy, uct"));
  EXPECT_EQ(add(kPlayer, "safe", Seat{0}).error().code, ErrorCode::kSeatTaken);
  ASSERT_TRUE(add(kPlayer, "safe", Seat{2}));
  ASSERT_TRUE(add(kPlayer, "safe", {}));
  EXPECT_EQ(row().seats[1].strategy, "safe");
  ASSERT_TRUE(finish(directory.apply(id, FreeSeat{kPlayer, Seat{2}})));
  EXPECT_EQ(row().seats.size(), 2);
  ASSERT_TRUE(add(kPlayer, "random", {}));
  EXPECT_EQ(add(kPlayer, "uct", Seat{3})->state, store::TableState::kInPlay);
}

TEST_F(TableBotsTest, MoreBotsThanSeatsAreRefused) {
  directory::NewTable wanted{.owner = kPlayer,
                             .owner_name = "Ana",
                             .game = "azul",
                             .config = azul(2),
                             .bots = bots_called({"safe", "safe"})};
  EXPECT_EQ(finish(directory.create(std::move(wanted))).error().code, ErrorCode::kSeatTaken);
}

TEST_F(TableBotsTest, BotsGoOnAfterARestart) {
  make_table("azul", azul(2), bots_called({"random"}));
  auto ana = sit_down();
  ana->table->close({});  // with the bot in thought, if it is on turn
  settle();
  finish(directory.resume());
  // Without connections the bot moves as long as it is on turn.
  wait_until([this] {
    const auto replayed = finish(replayed_log());
    return replayed->match->turn() == Seat{0};
  });
}

TEST_F(TableBotsTest, ATableThatEndsWhileABotThinksComesToRest) {
  const auto ended = std::make_shared<std::latch>(1);  // until then the bot thread is busy
  ASSERT_TRUE(bots.ask({.search =
                            [ended](Rng&, const Budget&) {
                              ended->wait();
                              return games::BotReply{};
                            },
                        .stop = {},
                        .answer = [](games::BotReply) {}}));
  make_table("azul", azul(2), bots_called({"greedy"}));
  auto ana = sit_down();
  const auto begin = next(*ana, &pb::ServerFrame::has_snapshot);
  if (begin.snapshot().turn().seats(0) == 0) send(*ana, first_move(azul_view_of(begin), "m"));
  leave(*ana);
  EXPECT_FALSE(ana->table->idle_since()) << "the bot thinks";
  ana = sit_down();
  send(*ana,
       {.move_id = "r", .at_version = {}, .type = {}, .body = {}, .act = codec::Act::kResign});
  EXPECT_TRUE(over());
  leave(*ana);
  EXPECT_TRUE(ana->table->idle_since());
  ended->count_down();
}

TEST_F(TableBotsTest, ABotIsAskedAgainWhenItsMoveCouldNotBeStored) {
  directory::NewTable wanted{.owner = kPlayer,
                             .owner_name = "Ana",
                             .game = "2048",
                             .bots = bots_called({"random"}),
                             .watch_only = true};
  store.fail_next_append({ErrorCode::kUnavailable, "full"}, store::MemoryStore::Fate::kRefused);
  id = finish(directory.create(std::move(wanted))).value().id;
  wait_until([this] { return finish(store.read(id, Version{1}, 10))->size() > 2; });
}

TEST_F(TableBotsTest, ABotThatIsAskedAgainGoesOnFromItsLastMove) {
  game::v1::SameGameConfig config;  // whoever begins anew after a move meets other colours first
  config.set_rows(4);
  config.set_columns(4);
  for (const int cell : {3, 4, 5, 4, 5, 3, 2, 3, 1, 4, 4, 1, 1, 2, 4, 5}) config.add_cells(cell);
  directory::NewTable wanted{.owner = kPlayer,
                             .owner_name = "Ana",
                             .game = "samegame",
                             .bots = bots_called({"colour-priority"}),
                             .watch_only = true};
  wanted.config.emplace().PackFrom(config);
  wanted.options.set_bot_pace_ms(50);
  id = finish(directory.create(std::move(wanted))).value().id;
  const auto moves = [this] {
    std::vector<std::uint32_t> cells;
    const auto log = finish(store.read(id, Version{2}, 1000)).value();
    for (const auto& entry : log) {
      game::v1::SameGameMove move;
      const auto record = codec::decode_record(entry.record).value();
      move.ParseFromString(std::get<codec::Moved>(record.event).move);
      cells.push_back(move.cell());
    }
    return cells;
  };
  wait_until([&] { return !moves().empty(); });
  store.fail_next_append({ErrorCode::kUnavailable, "full"}, store::MemoryStore::Fate::kRefused);
  wait_until([this] { return over(); });
  EXPECT_THAT(moves(), testing::ElementsAre(10, 14, 15, 8));
}

TEST_F(TableBotsTest, AHintNamesAMoveItsValueAndTheStrategy) {
  make_table("2248", std::nullopt);
  auto ana = sit_down();
  static_cast<void>(ana->read());  // Welcome
  static_cast<void>(ana->read());  // Snapshot
  EXPECT_TRUE(ana->table->post(ana->member, question("h", "max-path")));
  settle();
  EXPECT_TRUE(ana->read_seating().assisted());
  EXPECT_TRUE(row().assisted);
  codec::FramePtr frame;
  wait_until([&] { return (frame = ana->outbox.pop()) != nullptr; });
  pb::ServerFrame read;
  read.ParseFromString(frame->bytes(codec::Protocol::kBinary));
  const auto& hint = read.hint();
  EXPECT_EQ(hint.hint_id(), "h");
  EXPECT_EQ(hint.version(), 1);
  EXPECT_EQ(hint.strategy(), "max-path");
  EXPECT_GT(hint.value(), 0);
  EXPECT_FALSE(hint.measure().empty());
  EXPECT_TRUE(hint.alternatives().empty()) << "it looks for one move alone";
  send(*ana, {.move_id = "m",
              .at_version = Version{1},
              .type = "tesela.game.v1.Game2248Move",
              .body = hint.move().value()});
  EXPECT_EQ(ana->read().event().version(), 2);
}

TEST_F(TableBotsTest, AHintTellsTheNextBestMovesWhereTheStrategyComparesThem) {
  make_table("2048", std::nullopt);
  auto ana = sit_down();
  // In the time that it has, a slow machine may compare no moves: then it is asked again.
  pb::Hint hint;
  for (int attempt = 0; attempt < 100 && hint.alternatives().empty(); ++attempt) {
    std::this_thread::sleep_for(attempt == 0 ? std::chrono::milliseconds{0}
                                             : limits::kHintInterval);
    EXPECT_TRUE(ana->table->post(ana->member, question("h", "expectimax-1")));
    hint = next(*ana, &pb::ServerFrame::has_hint).hint();
  }
  const int others = hint.alternatives_size();
  ASSERT_GE(others, 1) << "no board of two tiles has a single move";
  EXPECT_LT(others, static_cast<int>(limits::kHintMovesMax));
  double before = hint.value();
  for (const auto& alternative : hint.alternatives()) {
    EXPECT_LE(alternative.value(), before);
    EXPECT_NE(alternative.move().value(), hint.move().value());
    EXPECT_TRUE(alternative.has_gain());
    before = alternative.value();
  }
  send(*ana, {.move_id = "m",
              .at_version = Version{1},
              .type = "tesela.game.v1.Game2048Move",
              .body = hint.alternatives(others - 1).move().value()});
  EXPECT_EQ(next(*ana, &pb::ServerFrame::has_event).event().version(), 2);
}

TEST_F(TableBotsTest, AHintIsForThePlayerOnTurnAndNotTooOften) {
  auto ana = sit_down();
  auto watcher = watch();
  ana->outbox.clear();
  watcher->outbox.clear();
  const auto ask = [this](Client& client, codec::HintRequest request) {
    EXPECT_TRUE(client.table->post(client.member, std::move(request)));
    settle();
    return client.read().refusal();
  };
  EXPECT_EQ(ask(*watcher, question("h")).reason(), pb::REASON_NOT_SEATED);
  EXPECT_EQ(ask(*ana, question("")).reason(), pb::REASON_MALFORMED);
  const auto unknown = ask(*ana, question("h", "oracle"));
  EXPECT_EQ(unknown.reason(), pb::REASON_NO_SUCH_STRATEGY);
  EXPECT_EQ(unknown.move_id(), "h");
  EXPECT_FALSE(row().assisted);
  EXPECT_TRUE(ana->table->post(ana->member, question("1")));
  EXPECT_TRUE(ana->table->post(ana->member, question("2")));
  EXPECT_EQ(next(*ana, &pb::ServerFrame::has_refusal).refusal().reason(), pb::REASON_RATE_LIMITED);
}

TEST_F(TableBotsTest, AHintThatComesTooLateIsNotGiven) {
  auto ana = sit_down();
  ana->outbox.clear();
  const auto move = legal_move("m");
  std::latch moved{1};  // until then the bot thread has something else to think about
  ASSERT_TRUE(bots.ask({.search =
                            [&](Rng&, const Budget&) {
                              moved.wait();
                              return games::BotReply{};
                            },
                        .stop = {},
                        .answer = [](games::BotReply) {}}));
  EXPECT_TRUE(ana->table->post(ana->member, question("late")));
  EXPECT_TRUE(ana->table->post(ana->member, codec::Move(move)));
  settle();
  moved.count_down();
  bool refused = false;
  wait_until([&] {
    while (const auto frame = ana->outbox.pop()) {
      pb::ServerFrame read;
      read.ParseFromString(frame->bytes(codec::Protocol::kBinary));
      refused = refused || read.refusal().reason() == pb::REASON_STALE;
    }
    return refused;
  });
}

}  // namespace
}  // namespace tesela::tables
