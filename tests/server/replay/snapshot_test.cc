// Stored snapshots: an execution that begins at one leads to what an execution of the whole log
// leads to, whatever has become of the snapshots.
#include "server/replay/snapshot.h"

#include <gmock/gmock.h>
#include <google/protobuf/any.pb.h>
#include <tesela/game/v1/azul.pb.h>
#include <tesela/game/v1/g2048.pb.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "tests/rounds.h"
#include "tests/server/replay/random_game.h"

namespace tesela::replay {
namespace {

google::protobuf::Any of_2048(std::uint32_t size = 8) {
  game::v1::Game2048Config config;
  config.set_size(size);
  google::protobuf::Any any;
  any.PackFrom(config);
  return any;
}

google::protobuf::Any of_azul(std::uint32_t players) {
  game::v1::AzulConfig config;
  config.set_players(players);
  google::protobuf::Any any;
  any.PackFrom(config);
  return any;
}

void expect_equal(const Replayed& a, const Replayed& b) {
  EXPECT_EQ(a.version, b.version);
  EXPECT_EQ(a.at_ms, b.at_ms);
  EXPECT_EQ(a.match->save(), b.match->save());
  EXPECT_EQ(a.match->digest(), b.match->digest());
  EXPECT_EQ(a.clock.logged(), b.clock.logged());
  EXPECT_EQ(a.clock.stopped(), b.clock.stopped());
  EXPECT_EQ(a.shares.shares(), b.shares.shares());
  EXPECT_EQ(a.moves_alone, b.moves_alone);
  EXPECT_EQ(a.moves.marks(Version{2}, a.version), b.moves.marks(Version{2}, b.version));
  ASSERT_EQ(a.frames.size(), b.frames.size());
  for (std::size_t i = 0; i < a.frames.size(); ++i) {
    EXPECT_EQ(a.frames[i]->bytes(codec::Protocol::kBinary),
              b.frames[i]->bytes(codec::Protocol::kBinary));
  }
}

/// The games of each test: undo; clocks, resignations and strategies; and one that goes on long.
std::vector<std::unique_ptr<RandomGame>> random_games() {
  std::vector<std::unique_ptr<RandomGame>> games;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    games.push_back(std::make_unique<RandomGame>("2048", of_2048(),
                                                 codec::TableOptions{.practice = true}, seed));
    codec::TableOptions clocked;
    clocked.clock = {.move = std::chrono::milliseconds{500},
                     .game = std::chrono::milliseconds{60'000},
                     .increment = std::chrono::milliseconds{20}};
    games.push_back(std::make_unique<RandomGame>("azul", of_azul(1 + seed), clocked, seed));
    games.push_back(std::make_unique<RandomGame>("2048", of_2048(), codec::TableOptions{}, seed));
  }
  for (const auto& game : games) {
    game->play_until(Version{400});
    game->write_snapshots();
  }
  return games;
}

TEST(Snapshots, LeadToWhatTheWholeLogLeadsTo) {
  for (const auto& game : random_games()) {
    for (int tries = 0; tries < test::rounds(60); ++tries) {
      const Version until = game->random_version();
      const auto loaded = game->from_snapshot(until, until);
      EXPECT_EQ(game->began_at.value, until.value / kInterval * kInterval);
      expect_equal(loaded, game->whole(until));
    }
  }
}

TEST(Snapshots, MissedEventsAreTheSameFrames) {
  for (const auto& game : random_games()) {
    for (int tries = 0; tries < test::rounds(60); ++tries) {
      const Version last = game->random_version();
      const Version until{std::min(game->version.value, last.value + 40)};
      const FrameRange missed{.first = next(last), .last = until};
      expect_equal(game->from_snapshot(last, until, missed), game->whole(until, missed));
      EXPECT_LT(last.value - game->began_at.value, kInterval);
    }
  }
}

TEST(Snapshots, AnUndoGoesBackToWhatTheWholeLogSays) {
  RandomGame game("2048", of_2048(), {.practice = true}, 7);
  game.play_until(Version{test::rounds(300U)});
  for (const bool stored : {false, true}) {
    if (stored) game.write_snapshots();
    for (Version now{1}; now <= game.version; now = next(now)) {
      const auto expected = game.before_last(now);
      const auto earlier = game.take_back_at(now);
      ASSERT_EQ(earlier.has_value(), expected.has_value()) << now.value;
      if (!earlier) continue;
      EXPECT_EQ(earlier->version, *expected);
      EXPECT_EQ(earlier->match->save(), game.whole(*expected).match->save());
    }
  }
}

TEST(Snapshots, AnUndoExecutesTheEventsSinceOne) {
  RandomGame game("2048", of_2048(), codec::TableOptions{}, 8);
  game.play_until(Version{400});
  game.options.practice = true;
  EXPECT_EQ(game.take_back_at(game.version)->events, game.version.value - 2);
  game.write_snapshots();
  for (Version now{100}; now <= game.version; now = next(now)) {
    EXPECT_LT(game.take_back_at(now)->events, kInterval);
  }
}

TEST(Snapshots, FromTakenBackMovesLeadNowhereElse) {
  RandomGame game("2048", of_2048(), {.practice = true}, 9);
  game.play_until(Version{200});
  game.write_snapshots();
  for (Version until{1}; until <= game.version; until = next(until)) {
    expect_equal(game.from_snapshot(until, {}), game.whole());
  }
}

// --- Damage

TEST(Snapshots, WithAnyByteChangedAreNotUsed) {
  RandomGame game("azul", of_azul(3), {}, 3);
  game.play_until(Version{60});
  game.write_snapshots();
  const auto rows = game.store.snapshots(kTable);
  ASSERT_EQ(rows.size(), game.version.value / kInterval);
  const auto whole = game.whole();
  for (std::size_t at = 0; at < rows.back().position.size(); ++at) {
    auto changed = rows;
    changed.back().position[at] = static_cast<char>(changed.back().position[at] ^ 0x10);
    game.store.set_snapshots(kTable, changed);
    expect_equal(game.from_snapshot(game.version, {}), whole);
    EXPECT_EQ(game.began_at, rows.at(rows.size() - 2).version) << "byte " << at;
  }
}

TEST(Snapshots, WithMarksThatWereChangedFindTheSameMoves) {
  RandomGame game("2048", of_2048(), {}, 3);
  game.play_until(Version{100});
  game.write_snapshots();
  const auto rows = game.store.snapshots(kTable);
  const auto whole = game.whole();
  for (std::size_t one = 0; one < rows.size(); ++one) {
    for (std::size_t at = 0; at < rows[one].marks.size(); at += 7) {
      auto changed = rows;
      changed[one].marks[at] = static_cast<char>(changed[one].marks[at] ^ 0x01);
      game.store.set_snapshots(kTable, changed);
      expect_equal(game.from_snapshot(game.version, {}), whole);
    }
  }
}

TEST(Snapshots, ThatAreMissingAreDoneWithout) {
  for (const auto& game : random_games()) {
    const auto rows = game->store.snapshots(kTable);
    std::mt19937 random{1};
    for (int tries = 0; tries < test::rounds(20); ++tries) {
      std::vector<store::SnapshotRow> left;
      for (const auto& row : rows) {
        if (random() % 2 == 0) left.push_back(row);
      }
      game->store.set_snapshots(kTable, left);
      expect_equal(game->from_snapshot(game->version, {}), game->whole());
    }
    game->store.set_snapshots(kTable, {});
    expect_equal(game->from_snapshot(game->version, {}), game->whole());
    EXPECT_EQ(game->began_at, Version{});
  }
}

TEST(Snapshots, OfANewerFormatAreNotUsed) {
  RandomGame game("2048", of_2048(), {}, 4);
  game.play_until(Version{100});
  game.write_snapshots();
  auto rows = game.store.snapshots(kTable);
  rows.back().position.front() = 2;
  EXPECT_EQ(decode_snapshot(rows.back().position).error().code, ErrorCode::kUnavailable);
  game.store.set_snapshots(kTable, rows);
  expect_equal(game.from_snapshot(game.version, {}), game.whole());
  EXPECT_EQ(game.began_at, rows.at(rows.size() - 2).version);
}

TEST(Snapshots, OfAnotherVersionOrGameAreNotUsed) {
  RandomGame game("2048", of_2048(), {}, 5);
  game.play_until(Version{100});
  game.write_snapshots();
  RandomGame other("2048", of_2048(), {}, 6);
  other.play_until(Version{100});
  other.write_snapshots();
  auto rows = game.store.snapshots(kTable);
  const Version whole = rows.at(rows.size() - 3).version;
  rows.at(rows.size() - 2).position = other.store.snapshots(kTable).at(rows.size() - 2).position;
  rows.back().position = rows.front().position;
  game.store.set_snapshots(kTable, rows);
  expect_equal(game.from_snapshot(game.version, {}), game.whole());
  EXPECT_EQ(game.began_at, whole);
}

TEST(Snapshots, ThatWereThinnedOutStillServe) {
  RandomGame game("2048", of_2048(), {}, 5);
  game.play_until(Version{300});
  game.write_snapshots();
  game.store.thin_out(kTable, 64);
  for (int tries = 0; tries < 40; ++tries) {
    const Version until = game.random_version();
    expect_equal(game.from_snapshot(until, until), game.whole(until));
    EXPECT_EQ(game.began_at.value, until.value / 64 * 64);
  }
}

TEST(Snapshots, AreReadBackAsTheyWereWritten) {
  games::Clock::Logged clock{.turn_ms = -5, .left_ms = {1, 2, 3, 4}, .timeouts = {5, 6, 7, 8}};
  const MoveShares shares({{{1, 2}, {3, 4}, {5, 6}, {7, 8}}});
  const Snapshot snapshot{.version = Version{9},
                          .at_ms = 10,
                          .digest = 11,
                          .match = "twelve",
                          .clock = clock,
                          .shares = shares,
                          .moves_alone = 13};
  const auto read = decode_snapshot(encode(snapshot)).value();
  EXPECT_EQ(read.version, snapshot.version);
  EXPECT_EQ(read.at_ms, snapshot.at_ms);
  EXPECT_EQ(read.digest, snapshot.digest);
  EXPECT_EQ(read.match, snapshot.match);
  EXPECT_EQ(read.clock, clock);
  EXPECT_EQ(read.shares.shares(), shares.shares());
  EXPECT_EQ(read.moves_alone, snapshot.moves_alone);
  const std::vector<std::uint32_t> marks{1, 0, 3};
  const auto again = decode_marks(encode_marks(Version{2}, marks)).value();
  EXPECT_EQ(again.first, Version{2});
  EXPECT_EQ(again.last(), Version{4});
  EXPECT_EQ(again.marks, marks);
}

}  // namespace
}  // namespace tesela::replay
