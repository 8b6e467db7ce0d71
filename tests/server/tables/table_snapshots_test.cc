// When a table stores snapshots of its position, and what they are used for. That each is true is
// looked at after every test of a table (TableTest).
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "server/base/limits.h"
#include "server/base/store_limits.h"
#include "server/quota/admission_control.h"
#include "server/tables/snapshot_writer.h"
#include "tests/server/tables/azul_fixture.h"

namespace tesela::tables {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class TableSnapshotsTest : public AzulTableTest {
 protected:
  std::vector<std::uint64_t> versions() {
    std::vector<std::uint64_t> versions;
    for (const auto& row : store.snapshots(id)) versions.push_back(row.version.value);
    return versions;
  }
  void unload() {
    finish(directory.open(id)).value()->close({.reason = codec::Reason::kServerRestart});
    settle();
  }
};

TEST_F(TableSnapshotsTest, AreStoredAtEachInterval) {
  const auto ana = sit_down();
  play_silently(*ana, 12);
  EXPECT_THAT(versions(), ElementsAre(4, 8, 12));
}

TEST_F(TableSnapshotsTest, AreFewWhereAFewEventsWerePlayedSinceTheLast) {
  {
    const auto ana = sit_down();
    play_silently(*ana, 14);
  }
  unload();
  EXPECT_THAT(versions(), ElementsAre(4, 8, 12));
}

TEST_F(TableSnapshotsTest, OfALoadedTableGoOnWhereThoseBeforeEnd) {
  {
    const auto ana = sit_down();
    play_silently(*ana, 6);
  }
  unload();
  const auto ana = sit_down();
  for (int i = 0; i < 6; ++i) send(*ana, legal_move("later" + std::to_string(i)));
  EXPECT_THAT(versions(), ElementsAre(4, 8, 12));
  send(*ana, move_in(game::v1::DIRECTION_LEFT, "s0"));
  EXPECT_TRUE(next(*ana, &pb::ServerFrame::has_move_repeated).has_move_repeated());
}

TEST_F(TableSnapshotsTest, AreUsedToLoadATable) {
  {
    const auto ana = sit_down();
    play_silently(*ana, 11);
  }
  unload();
  quota::AdmissionControl admission{{.requests_per_second = 1}, metrics};
  const auto from = admission.address(boost::asio::ip::make_address("192.0.2.1"));
  ASSERT_TRUE(from->try_take(quota::Act::kExecution, 100 * limits::kExecutedEventsPerSecond));
  // The address has nothing left, and no event is executed.
  const auto rows = store.snapshots(id);
  const auto loaded = finish(directory.open(id, from));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ((*loaded)->version(), Version{12});
  unload();
  store.set_snapshots(id, {});
  EXPECT_FALSE(finish(directory.open(id, from)));
  store.set_snapshots(id, rows);
}

TEST_F(TableSnapshotsTest, AreMadeAgainByALoadThatFindsNone) {
  {
    const auto ana = sit_down();
    play_silently(*ana, 12);
  }
  unload();
  store.set_snapshots(id, {});
  const auto ana = sit_down();
  EXPECT_THAT(versions(), ElementsAre(4, 8, 12));
}

TEST_F(TableSnapshotsTest, OfAClosedTableAreThoseThatAReplayNeeds) {
  {
    const auto ana = sit_down();
    play_silently(*ana, 45);
  }
  ASSERT_EQ(versions().size(), 11);
  ASSERT_TRUE(finish(operator_access.close(id, {""})));
  settle();
  EXPECT_THAT(versions(), ElementsAre(16, 32)) << "it is never loaded again";
  for (const auto& row : store.snapshots(id)) EXPECT_THAT(row.marks, IsEmpty());
}

TEST_F(TableSnapshotsTest, OfAFinishedGameAreThoseThatAReplayNeeds) {
  game::v1::Game2048Config config;
  config.set_size(3);
  make_table(config);
  {
    const auto ana = sit_down();
    for (int i = 0; row().state == store::TableState::kInPlay; ++i) {
      send(*ana, legal_move("m" + std::to_string(i)));
      ana->outbox.clear();
    }
  }
  ASSERT_GT(versions().size(), 2);
  unload();
  for (const auto version : versions()) {
    EXPECT_EQ(version % (4 * limits::kFinishedSnapshotIntervals), 0);
  }
  for (const auto& row : store.snapshots(id)) EXPECT_THAT(row.marks, IsEmpty());
  const auto left = versions();
  {
    const auto ana = sit_down();
    EXPECT_EQ(versions(), left) << "a finished game gets none when it is loaded";
  }
  unload();

  auto damaged = store.snapshots(id);
  for (auto& row : damaged) row.position.back() = static_cast<char>(row.position.back() ^ 1);
  store.set_snapshots(id, damaged);
  {
    const auto ana = sit_down();
  }
  unload();
  EXPECT_EQ(versions(), left);
  for (std::size_t i = 0; i < left.size(); ++i) {
    EXPECT_NE(store.snapshots(id)[i].position, damaged[i].position) << "it is written again";
    EXPECT_THAT(store.snapshots(id)[i].marks, IsEmpty());
  }
}

// The usual interval: no game here is as long.
class RareSnapshotsTest : public TableTest {
 protected:
  RareSnapshotsTest() : TableTest(limits::kSnapshotEvents) {}
};

TEST_F(RareSnapshotsTest, OneIsStoredWhenATableIsUnloaded) {
  {
    const auto ana = sit_down();
    play_silently(*ana, static_cast<int>(limits::kSnapshotAtUnloadMin));
  }
  finish(directory.open(id)).value()->close({.reason = codec::Reason::kServerRestart});
  settle();
  const auto rows = store.snapshots(id);
  ASSERT_EQ(rows.size(), 1);
  EXPECT_EQ(rows.front().version, Version{limits::kSnapshotAtUnloadMin + 1});
}

// archive_bench measures what executing an event costs (tests/bench/README.md).
TEST(SnapshotInterval, IsShorterWhereEventsCostMore) {
  EXPECT_EQ(snapshot_interval("2048", 128), 128);
  EXPECT_EQ(snapshot_interval("azul", 128), 128);
  EXPECT_EQ(snapshot_interval("2248", 128), 64);
  EXPECT_EQ(snapshot_interval("samegame", 128), 32);
  EXPECT_EQ(snapshot_interval("samegame", 2), 1) << "never none";
  EXPECT_EQ(snapshot_interval("samegame", 0), 0) << "none is wanted";
}

TEST(SnapshotInterval, OfAFinishedGameIsLongerAndBounded) {
  constexpr std::uint64_t kApart = 128 * limits::kFinishedSnapshotIntervals;
  EXPECT_EQ(finished_snapshot_interval(128, Version{100}), kApart);
  EXPECT_EQ(finished_snapshot_interval(128, Version{kApart * limits::kFinishedSnapshotsMax}),
            kApart);
  EXPECT_EQ(finished_snapshot_interval(128, Version{kApart * (limits::kFinishedSnapshotsMax + 1)}),
            2 * kApart);
  EXPECT_EQ(finished_snapshot_interval(0, Version{100}), 0);
}

class NoSnapshotsTest : public TableTest {
 protected:
  NoSnapshotsTest() : TableTest(0) {}
};

TEST_F(NoSnapshotsTest, NoneIsStored) {
  {
    const auto ana = sit_down();
    play_silently(*ana, 40);
  }
  finish(directory.open(id)).value()->close({.reason = codec::Reason::kServerRestart});
  settle();
  EXPECT_THAT(store.snapshots(id), IsEmpty());
}

}  // namespace
}  // namespace tesela::tables
