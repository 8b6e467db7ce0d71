// How many appends a second the whole store takes, through the interface that tables use: every
// table is a coroutine that awaits one append after the other.
//
//   store_bench [--tables N] [--threads N] [--seconds S] [--record BYTES] [--database URL]

#include <pthread.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "server/store/backend/backend.h"

namespace {

using namespace tesela;
using namespace tesela::store;
using Clock = std::chrono::steady_clock;

struct Options {
  std::size_t tables{200};
  std::size_t threads{1};
  double seconds{5};
  std::size_t record_bytes{60};
  std::filesystem::path folder{"store_bench.data"};
  std::string database;
};

double cpu_seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

constexpr PlayerId kOwner{1};

/// One thread of tables and what it has measured.
struct Lane {
  boost::asio::io_context io{1};
  std::vector<double> waits_us;
  double cpu{};
};

boost::asio::awaitable<void> play(Backend& backend, Lane& lane, TableId table, std::string record,
                                  Clock::time_point end) {
  TableRow row{.id = table,
               .game = "2048",
               .config = "",
               .owner = kOwner,
               .seats = {},
               .epoch = {},
               .ending = {}};
  GameOutcome none;
  auto stored = co_await backend.table_rows().add_table(std::move(row), record, std::move(none));
  for (Version version{2}; stored && Clock::now() < end; version = next(version)) {
    const auto begin = Clock::now();
    // Made first: GCC 12 destroys a temporary with designated initialisers twice in a co_await.
    Append append{.table = table, .epoch = Epoch{1}, .version = version, .record = record};
    stored = co_await backend.log().append(std::move(append));
    const std::chrono::duration<double, std::micro> wait = Clock::now() - begin;
    lane.waits_us.push_back(wait.count());
  }
  if (!stored) std::fprintf(stderr, "%s\n", stored.error().message.c_str());
}

boost::asio::awaitable<void> add_owner(Store& store) {
  PlayerRow owner{.id = kOwner, .display_name = "Owner"};
  const auto added = co_await store.add_player(std::move(owner));
  if (!added) std::fprintf(stderr, "%s\n", added.error().message.c_str());
}

double at(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(static_cast<double>(sorted.size() - 1) * share)];
}

int run(const Options& options) {
  std::filesystem::remove_all(options.folder);
  std::deque<Lane> lanes(options.threads);  // the first: a store's callers outlive it
  std::atomic<std::uint64_t> commits{0};
  std::atomic<double> writer_cpu{0};
  auto opened = open_backend({.folder = options.folder,
                              .database = options.database,
                              .on_commit = [&](const CommitReport&) {
                                commits.fetch_add(1, std::memory_order_relaxed);
                                writer_cpu.store(cpu_seconds(CLOCK_THREAD_CPUTIME_ID),
                                                 std::memory_order_relaxed);
                              }});
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().message.c_str());
    return 1;
  }
  Backend& backend = **opened;
  boost::asio::co_spawn(lanes.front().io, add_owner(backend.store()), boost::asio::detached);
  lanes.front().io.run();
  lanes.front().io.restart();
  std::mt19937_64 random(1);
  std::string record(options.record_bytes, '\0');
  std::ranges::generate(record, [&] { return static_cast<char>(random()); });
  const auto begin = Clock::now();
  const auto end = begin + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(options.seconds));
  for (std::size_t i = 0; i < options.tables; ++i) {
    Lane& lane = lanes[i % lanes.size()];
    boost::asio::co_spawn(lane.io, play(backend, lane, TableId{random() >> 1}, record, end),
                          boost::asio::detached);
  }
  std::vector<std::thread> threads;
  for (Lane& lane : lanes) {
    threads.emplace_back([&lane] {
      lane.io.run();
      lane.cpu = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::chrono::duration<double> time = Clock::now() - begin;

  std::vector<double> waits;
  double callers_cpu = 0;
  for (Lane& lane : lanes) {
    waits.insert(waits.end(), lane.waits_us.begin(), lane.waits_us.end());
    callers_cpu += lane.cpu;
  }
  std::ranges::sort(waits);
  const auto appends = static_cast<double>(waits.size());
  std::printf(
      "tables %5zu threads %zu: %7.0f appends/s  %6.1f a commit  p50 %5.0f us  p99 %6.0f us  "
      "max %6.0f us  cpu/append: writer %.2f us, callers %.2f us\n",
      options.tables, options.threads, appends / time.count(),
      appends / static_cast<double>(commits.load()), at(waits, 0.5), at(waits, 0.99), waits.back(),
      writer_cpu.load() / appends * 1e6, callers_cpu / appends * 1e6);
  std::filesystem::remove_all(options.folder);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Appends a second of the whole store");
  app.add_option("--tables", options.tables, "Tables that play at once")->capture_default_str();
  app.add_option("--threads", options.threads, "Threads they play on")->capture_default_str();
  app.add_option("--seconds", options.seconds, "How long")->capture_default_str();
  app.add_option("--record", options.record_bytes, "Bytes of a record")->capture_default_str();
  app.add_option("--data", options.folder, "Folder, removed afterwards")->capture_default_str();
  app.add_option("--database", options.database, "An empty database, postgres://…, or SQLite");
  CLI11_PARSE(app, argc, argv);
  return run(options);
}
