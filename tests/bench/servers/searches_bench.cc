// How long it takes until everybody who searches has an opponent, when a server has just taken the
// duty of matching from one that has ended, and all searches come to it at once.
//
//   searches_bench [--searches N] [--data FOLDER] [--database URL]

#include <CLI/CLI.hpp>
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/bots/bot_threads.h"
#include "server/bots/remote_bots.h"
#include "server/directory/directory.h"
#include "server/matchmaking/matcher.h"
#include "server/store/backend/backend.h"
#include "tesela/game/v1/azul.pb.h"

namespace {

using namespace tesela;
using Clock = std::chrono::steady_clock;

struct Options {
  std::uint64_t searches{10'000};
  std::filesystem::path folder{"searches_bench.data"};
  std::string database;
};

/// A search without a call.
class CountedSearch final : public matchmaking::Search {
 public:
  CountedSearch(matchmaking::Seeker seeker, std::atomic<std::uint64_t>& matched)
      : Search(std::move(seeker)), matched_(matched) {}

  void searching(const matchmaking::SearchNews& /*news*/) override {}
  void matched(const store::TableRow& /*table*/) override {
    ++matched_;
    matched_.notify_one();
  }
  void failed(const Error& error) override { std::fprintf(stderr, "%s\n", error.message.c_str()); }

 private:
  std::atomic<std::uint64_t>& matched_;
};

std::string azul_of_two() {
  game::v1::AzulConfig config;
  config.set_players(2);
  config.set_untiled_rounds_max(3);  // as a request is read
  google::protobuf::Any any;
  any.PackFrom(config);
  return any.SerializeAsString();
}

boost::asio::awaitable<void> sign_in(store::Store& store, std::uint64_t first, std::uint64_t last,
                                     std::uint64_t step) {
  for (std::uint64_t id = first; id <= last; id += step) {
    store::PlayerRow player{.id = PlayerId{id}, .display_name = "Guest"};
    player.kind = store::PlayerKind::kGuest;
    const auto added = co_await store.add_player(std::move(player));
    if (!added) std::fprintf(stderr, "%s\n", added.error().message.c_str());
  }
}

/// The seconds until all of these players have a table.
double search_all(matchmaking::Matcher& matcher, std::uint64_t first, std::uint64_t last) {
  std::atomic<std::uint64_t> matched{0};
  const matchmaking::Queue queue{.game = "azul", .config = azul_of_two()};
  std::vector<std::shared_ptr<CountedSearch>> searches;
  const auto begin = Clock::now();
  for (std::uint64_t id = first; id <= last; ++id) {
    matchmaking::Seeker seeker{
        .player = PlayerId{id}, .name = "Guest", .queue = queue, .began = begin};
    searches.push_back(std::make_shared<CountedSearch>(std::move(seeker), matched));
    matcher.add(searches.back());
  }
  for (std::uint64_t seen = 0; seen < searches.size(); seen = matched) matched.wait(seen);
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

int run(const Options& options) {
  std::filesystem::remove_all(options.folder);
  auto opened = store::open_backend({.folder = options.folder, .database = options.database});
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().message.c_str());
    return 1;
  }
  store::Backend& backend = **opened;
  metrics::Metrics metrics;
  base::IoPool io(2);
  bots::BotThreads bots({.threads = 1, .time_max = {}, .alone_interval = {}}, metrics);
  bots::RemoteBots remote_bots({.time_max = {}}, metrics);
  directory::TableFeed feed;
  directory::Directory directory({.io = io,
                                  .log = backend.log(),
                                  .snapshots = backend.snapshots(),
                                  .table_rows = backend.table_rows(),
                                  .store = backend.store(),
                                  .ownership = backend.ownership(),
                                  .life = backend.life(),
                                  .feed = feed,
                                  .metrics = metrics,
                                  .bots = bots,
                                  .remote_bots = remote_bots,
                                  .bot_pace = {},
                                  .bot_pace_alone = {},
                                  .table_idle = std::chrono::minutes{1},
                                  .executions = &io,
                                  .frames_per_second_max = 0});
  io.run();
  const auto wait = [&io](boost::asio::awaitable<void> work) {
    boost::asio::co_spawn(io.any(), std::move(work), boost::asio::use_future).get();
  };
  constexpr std::uint64_t kAtOnce = 64;
  std::vector<std::future<void>> arrivals;
  for (std::uint64_t first = 1; first <= kAtOnce; ++first) {
    auto work = sign_in(backend.store(), first, 2 * options.searches, kAtOnce);
    arrivals.push_back(boost::asio::co_spawn(io.any(), std::move(work), boost::asio::use_future));
  }
  for (auto& arrival : arrivals) arrival.get();
  for (std::uint64_t round = 0; round < 2; ++round) {
    matchmaking::Matcher matcher({.loop = io.any(),
                                  .store = backend.store(),
                                  .ownership = backend.ownership(),
                                  .life = backend.life(),
                                  .directory = directory,
                                  .metrics = metrics});
    matcher.start();
    const std::uint64_t first = 1 + round * options.searches;
    std::printf("%s: %llu searches, all matched after %.2f s\n",
                round == 0 ? "the first server" : "the next one",
                static_cast<unsigned long long>(options.searches),
                search_all(matcher, first, first + options.searches - 1));
    wait(matcher.stop());
  }
  directory.drain();
  wait(directory.close_all());
  backend.close();
  io.stop();
  io.join();
  opened->reset();
  std::filesystem::remove_all(options.folder);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Searches that come to a new matcher at once");
  app.add_option("--searches", options.searches, "An even number")->capture_default_str();
  app.add_option("--data", options.folder, "Folder, removed afterwards")->capture_default_str();
  app.add_option("--database", options.database, "An empty database, postgres://…, or SQLite");
  CLI11_PARSE(app, argc, argv);
  return run(options);
}
