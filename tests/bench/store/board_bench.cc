// How long it takes to find a player's place on a board with many lines, and the lines around it.
//
//   board_bench [--lines N] [--asks N] [--database URL]

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "server/store/backend/backend.h"

namespace {

using namespace tesela;
using namespace tesela::store;
using Clock = std::chrono::steady_clock;

struct Options {
  std::uint64_t lines{200'000};
  std::size_t asks{2000};
  std::filesystem::path folder{"board_bench.data"};
  std::string database;
};

constexpr std::uint64_t kSignIns = 64;       // at once
constexpr std::uint64_t kLinesOfGame = 500;  // that one ending changes
constexpr std::size_t kPage = 11;

BoardKey best() {
  return {.kind = BoardKind::kBest, .game = "2048", .config = "config"};
}

/// Every kSignIns-th player from `first` on.
boost::asio::awaitable<void> sign_in(Store& store, std::uint64_t first, std::uint64_t lines) {
  for (std::uint64_t id = first; id <= lines; id += kSignIns) {
    PlayerRow player{.id = PlayerId{id}, .display_name = "Guest"};
    player.kind = PlayerKind::kGuest;
    const auto added = co_await store.add_player(std::move(player));
    if (!added) std::fprintf(stderr, "%s\n", added.error().message.c_str());
  }
}

/// Gives every player a score, by games that are over as they begin. Many have the same.
boost::asio::awaitable<void> play(TableRows& table_rows, std::uint64_t lines) {
  std::mt19937_64 random(7);
  std::uint64_t player = 0;
  for (std::uint64_t game = 1; player < lines; ++game) {
    GameOutcome outcome{.game = "2048"};
    while (player < lines && outcome.scores.size() < kLinesOfGame) {
      outcome.scores.push_back(
          {best(), PlayerId{++player}, static_cast<std::int64_t>(4 * (random() % 20'000))});
    }
    TableRow row;
    row.id = TableId{game};
    row.game = "2048";
    row.owner = PlayerId{1};
    row.state = TableState::kOver;
    row.ending = Ending{.result = "r", .ended_ms = static_cast<std::int64_t>(game)};
    std::string record = "record";
    const auto added =
        co_await table_rows.add_table(std::move(row), std::move(record), std::move(outcome));
    if (!added) std::fprintf(stderr, "%s\n", added.error().message.c_str());
  }
}

boost::asio::awaitable<void> ask(Store& store, const Options& options, std::vector<double>& times) {
  std::mt19937_64 random(8);
  while (times.size() < options.asks) {
    BoardRange range{.max = kPage};
    range.around = PlayerId{1 + random() % options.lines};
    const auto begin = Clock::now();
    BoardKey key = best();
    const auto found = co_await store.board(std::move(key), range);
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    if (!found || found->empty()) std::fprintf(stderr, "no lines\n");
  }
}

int run(const Options& options) {
  std::filesystem::remove_all(options.folder);
  boost::asio::io_context io{1};  // before the backend: a store's callers outlive it
  auto opened = open_backend({.folder = options.folder, .database = options.database});
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().message.c_str());
    return 1;
  }
  Store& store = (*opened)->store();
  const auto wait = [&io] {
    io.run();
    io.restart();
  };
  for (std::uint64_t first = 1; first <= kSignIns; ++first) {
    boost::asio::co_spawn(io, sign_in(store, first, options.lines), boost::asio::detached);
  }
  wait();
  boost::asio::co_spawn(io, play((*opened)->table_rows(), options.lines), boost::asio::detached);
  wait();
  for (const char* when : {"right after the games", "later"}) {
    std::vector<double> times;
    boost::asio::co_spawn(io, ask(store, options, times), boost::asio::detached);
    wait();
    std::ranges::sort(times);
    const auto at = [&times](std::size_t percent) {
      return times[(times.size() - 1) * percent / 100];
    };
    std::printf("%s: the lines around a player, of %llu: p50 %.2f ms  p99 %.2f ms  max %.2f ms\n",
                when, static_cast<unsigned long long>(options.lines), at(50), at(99), times.back());
  }
  opened->reset();
  std::filesystem::remove_all(options.folder);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Places on a board with many lines");
  app.add_option("--lines", options.lines, "Lines of the board")->capture_default_str();
  app.add_option("--asks", options.asks, "How often a place is asked for")->capture_default_str();
  app.add_option("--data", options.folder, "Folder, removed afterwards")->capture_default_str();
  app.add_option("--database", options.database, "An empty database, postgres://…, or SQLite");
  CLI11_PARSE(app, argc, argv);
  return run(options);
}
