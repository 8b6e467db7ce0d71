// Many tables on many io_contexts at once, with readers between them.
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <deque>
#include <thread>
#include <vector>

#include "server/base/limits.h"
#include "tests/server/store/contract.h"

namespace tesela::store {
namespace {

using boost::asio::awaitable;

class ConcurrencyContract : public StoreContract {
 protected:
  /// The store is closed before the contexts go.
  void TearDown() override { reopen(); }

  void open_tables(std::uint64_t count) {
    for (std::uint64_t id = 1; id <= count; ++id) ASSERT_TRUE(caller().open_table(TableId{id}));
  }
  /// Runs what was spawned on the contexts, each on a thread of its own, to its end.
  void run() {
    std::vector<std::thread> threads;
    for (auto& context : contexts_) threads.emplace_back([&context] { context.run(); });
    for (std::thread& thread : threads) thread.join();
  }
  boost::asio::io_context& context(std::uint64_t index) {
    return contexts_[index % contexts_.size()];
  }

  std::atomic<std::uint64_t> failures_{0};

 private:
  std::deque<boost::asio::io_context> contexts_{4};
};

INSTANTIATE_TEST_SUITE_P(Stores, ConcurrencyContract, testing::ValuesIn(kinds()), kind_name);

/// Appends the versions 2 .. `last`, and says in `acknowledged` how far it has come. Counts what is
/// refused, and answers that come on another thread.
awaitable<void> play(EventLog& log, TableId table, Version last,
                     std::atomic<std::uint64_t>& acknowledged,
                     std::atomic<std::uint64_t>& failures) {
  const auto home = std::this_thread::get_id();
  for (Version version{2}; version <= last; version = next(version)) {
    Append append{
        .table = table, .epoch = Epoch{1}, .version = version, .record = record_of(table, version)};
    const auto stored = co_await log.append(std::move(append));
    if (!stored || std::this_thread::get_id() != home) ++failures;
    acknowledged.store(version.value);
  }
}

/// Reads the whole table again and again until `last` is there: each reading is without a gap and
/// holds at least what was acknowledged before it began.
awaitable<void> watch(EventLog& log, TableId table, Version last,
                      std::atomic<std::uint64_t>& acknowledged,
                      std::atomic<std::uint64_t>& failures) {
  Version seen{};
  while (seen < last) {
    const std::uint64_t at_least = acknowledged.load();
    const auto read = co_await log.read(table, Version{1}, 100'000);
    if (!read) {
      ++failures;
      co_return;
    }
    if (read->size() < at_least || read->size() < seen.value) ++failures;
    seen = Version{read->size()};
    if (*read != events_of(table, Version{1}, seen)) ++failures;
  }
}

TEST_P(ConcurrencyContract, EveryTableKeepsEveryEventInOrder) {
  constexpr std::uint64_t kTables = 64;
  constexpr Version kLast{100};
  open_tables(kTables);
  std::deque<std::atomic<std::uint64_t>> acknowledged(kTables + 1);
  for (std::uint64_t id = 1; id <= kTables; ++id) {
    boost::asio::co_spawn(context(id),
                          play(backend().log(), TableId{id}, kLast, acknowledged[id], failures_),
                          boost::asio::detached);
  }
  run();
  EXPECT_EQ(failures_, 0);
  reopen();
  for (std::uint64_t id = 1; id <= kTables; ++id) {
    EXPECT_EQ(caller().read(TableId{id}), events_of(TableId{id}, Version{1}, kLast));
  }
}

// More events than a generation: they are settled while they are read.
TEST_P(ConcurrencyContract, ReadersMissNothingWhileEventsAreSettled) {
  constexpr std::uint64_t kTables = 160;
  const Version last{5 * limits::kStoreRecentMax / 2 / kTables};
  open_tables(kTables);
  std::deque<std::atomic<std::uint64_t>> acknowledged(kTables + 1);
  for (std::uint64_t id = 1; id <= kTables; ++id) {
    boost::asio::co_spawn(context(id),
                          play(backend().log(), TableId{id}, last, acknowledged[id], failures_),
                          boost::asio::detached);
    if (id % 40 != 0) continue;
    boost::asio::co_spawn(context(id + 1),
                          watch(backend().log(), TableId{id}, last, acknowledged[id], failures_),
                          boost::asio::detached);
  }
  run();
  EXPECT_EQ(failures_, 0);
  reopen();
  for (std::uint64_t id = 1; id <= kTables; ++id) {
    EXPECT_EQ(caller().read(TableId{id}), events_of(TableId{id}, Version{1}, last)) << id;
  }
}

// Two owners race for the same versions: each version is given to one of them.
awaitable<void> race(EventLog& log, TableId table, std::uint64_t tries,
                     std::atomic<std::uint64_t>& won, std::atomic<std::uint64_t>& failures) {
  Version version{2};
  for (std::uint64_t i = 0; i < tries; ++i) {
    Append append{
        .table = table, .epoch = Epoch{1}, .version = version, .record = record_of(table, version)};
    const auto stored = co_await log.append(std::move(append));
    if (stored) ++won;
    if (!stored && stored.error().code != ErrorCode::kFenced) ++failures;
    version = next(version);
  }
}

TEST_P(ConcurrencyContract, AVersionIsWonByOne) {
  constexpr std::uint64_t kTries = 200;
  open_tables(1);
  std::atomic<std::uint64_t> won{0};
  for (std::uint64_t racer = 0; racer < 4; ++racer) {
    boost::asio::co_spawn(context(racer), race(backend().log(), TableId{1}, kTries, won, failures_),
                          boost::asio::detached);
  }
  run();
  EXPECT_EQ(failures_, 0);
  EXPECT_EQ(won, kTries);
  EXPECT_EQ(caller().read(TableId{1}), events_of(TableId{1}, Version{1}, Version{kTries + 1}));
}

}  // namespace
}  // namespace tesela::store
