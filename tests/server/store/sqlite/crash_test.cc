// kill -9 while tables play: what was acknowledged is there.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <map>
#include <random>

#include "server/base/limits.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace {

constexpr std::uint64_t kTables = 200;

/// What the child tells its parent over the pipe, after the store has acknowledged it.
struct Acknowledged {
  TableId table;
  Version version;
};

boost::asio::awaitable<void> play(SqliteStore& store, TableId table, int pipe) {
  const auto log = co_await store.read(table, Version{1}, 1'000'000);
  for (Version version{log.value().size() + 1};; version = next(version)) {
    Append append{
        .table = table, .epoch = Epoch{1}, .version = version, .record = record_of(table, version)};
    const auto stored = co_await store.append(std::move(append));
    const Acknowledged told{table, version};
    if (!stored || write(pipe, &told, sizeof told) != sizeof told) _exit(1);
  }
}

/// Goes on with every table until it is killed.
[[noreturn]] void play_until_killed(const std::filesystem::path& folder, int pipe) {
  const auto store = open_sqlite(folder);
  boost::asio::io_context io;
  for (std::uint64_t id = 1; id <= kTables; ++id) {
    boost::asio::co_spawn(io, play(*store, TableId{id}, pipe), boost::asio::detached);
  }
  io.run();
  _exit(1);
}

class Crash : public testing::Test {
 protected:
  void open_tables() {
    const auto store = open_sqlite(folder_.path());
    Caller caller(*store, *store);
    for (std::uint64_t id = 1; id <= kTables; ++id) {
      ASSERT_TRUE(caller.open_table(TableId{id}));
      acknowledged_[TableId{id}] = Version{1};
    }
  }
  /// Lets a child play until it has told of `count` events, kills it, and notes all that it had
  /// acknowledged by then.
  void play_and_kill(std::uint64_t count) {
    int pipes[2];
    ASSERT_EQ(pipe(pipes), 0);
    const pid_t child = fork();
    if (child == 0) play_until_killed(folder_.path(), pipes[1]);
    close(pipes[1]);
    Acknowledged told{};
    for (std::uint64_t heard = 0; read(pipes[0], &told, sizeof told) == sizeof told;) {
      acknowledged_[told.table] = told.version;
      if (++heard == count) kill(child, SIGKILL);
    }
    close(pipes[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child could not store";
  }
  /// Every table has every acknowledged event, at most one more, and no gap.
  void expect_all_there() {
    const auto store = open_sqlite(folder_.path());
    Caller caller(*store, *store);
    for (const auto& [table, version] : acknowledged_) {
      const auto log = caller.read(table, Version{1}, 1'000'000);
      ASSERT_TRUE(log) << log.error().message;
      const Version last{log->size()};
      ASSERT_GE(last, version) << "table " << table.value;
      ASSERT_LE(last, next(version)) << "table " << table.value;
      ASSERT_EQ(*log, events_of(table, Version{1}, last)) << "table " << table.value;
      acknowledged_[table] = last;
    }
  }

  ScratchFolder folder_;
  std::map<TableId, Version> acknowledged_;
};

TEST_F(Crash, NothingAcknowledgedIsLostByKillNine) {
  open_tables();
  std::mt19937 random(testing::UnitTest::GetInstance()->random_seed());
  // Some rounds end at once, some while a generation is copied to `events`, or dropped.
  constexpr std::uint64_t kGeneration = limits::kStoreRecentMax;
  for (const std::uint64_t count : {std::uint64_t{10}, kGeneration * 5 / 4, std::uint64_t{1000},
                                    kGeneration * 7 / 4, std::uint64_t{100}, kGeneration * 9 / 4}) {
    play_and_kill(std::uniform_int_distribution(count, count + count / 8)(random));
    expect_all_there();
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace tesela::store
