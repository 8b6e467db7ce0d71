// What a packed log takes, and how long packing and unpacking take: bytes of a move before and
// after, by game and by the ids that clients choose. And how long executing a log takes, of which
// the interval of stored snapshots follows (games::GameEntry::event_cost).
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "server/archive/packed_log.h"
#include "server/execution/execution.h"
#include "tests/played/played_game.h"

namespace tesela {
namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

struct Options {
  std::size_t games = 40;
  std::size_t long_moves = 60'000;
  std::filesystem::path dump;  // where each log is written, its records one after the other
};

struct Figures {
  std::uint64_t games = 0;
  std::uint64_t events = 0;
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  double pack_us = 0;
  double unpack_us = 0;
  double execute_us = 0;
};

double us_since(steady_clock::time_point begin) {
  return duration<double, std::micro>(steady_clock::now() - begin).count();
}

void print(const std::string& what, const Figures& all) {
  const auto events = static_cast<double>(all.events);
  std::cout.precision(3);
  std::cout << what << "  games " << all.games << "  events " << all.events << "  bytes/event "
            << static_cast<double>(all.before) / events << " -> "
            << static_cast<double>(all.after) / events << "  us/event: pack "
            << all.pack_us / events << " unpack " << all.unpack_us / events << " execute "
            << all.execute_us / events << '\n';
}

/// As a load does, with the digests compared.
double us_to_execute(const std::vector<codec::Record>& records) {
  const auto begin = steady_clock::now();
  execution::Execution execution({}, {});
  auto done = execution.begin(records.front());
  for (std::size_t i = 1; done && i < records.size(); ++i) {
    const auto played = execution.play(records[i], games::Want::kPosition);
    if (!played) done = std::unexpected(played.error());
  }
  if (!done) throw std::runtime_error(done.error().message);
  return us_since(begin);
}

class Bench {
 public:
  explicit Bench(const Options& options) : options_(options) {}

  void run() {
    for (const char* game : {"2048", "2248", "samegame", "azul"}) {
      measure(game, "counted ids", {.game = game, .moves_max = 2000}, played::counted_ids(random_));
      measure(game, "version ids", {.game = game, .moves_max = 2000}, played::version_ids());
      measure(game, "random ids ", {.game = game, .moves_max = 2000}, played::random_ids(random_));
    }
    measure("azul", "of bots    ", {.game = "azul", .bots = {"greedy", "greedy"}},
            played::version_ids());
    measure("azul", "a clock    ", {.game = "azul", .clocked = true}, played::counted_ids(random_));
    measure("2048", "merger     ", {.game = "2048", .strategy = "merger"},
            played::counted_ids(random_));
    long_game();
  }

 private:
  void measure(const std::string& game, const std::string& what, played::Plan plan,
               const played::MoveIds& ids) {
    plan.ids = ids;
    Figures all;
    for (std::size_t n = 0; n < options_.games; ++n) add(played::play(plan, random_), game, all);
    print(game + std::string(10 - game.size(), ' ') + what, all);
  }

  void long_game() {
    played::Plan plan{.game = "2048",
                      .config = played::large_2048(),
                      .ids = played::counted_ids(random_),
                      .moves_max = options_.long_moves};
    Figures all;
    add(played::play(plan, random_), "long", all);
    print("2048, one long game  ", all);
    std::cout << "  unpacked in " << all.unpack_us / 1000 << " ms\n";
  }

  void add(const played::PlayedGame& game, const std::string& name, Figures& all) {
    archive::RecordList records;
    for (const std::string& record : game.encoded()) records.add(record);
    auto begin = steady_clock::now();
    const auto packed = archive::pack(records);
    if (!packed) throw std::runtime_error(packed.error().message);
    all.pack_us += us_since(begin);
    begin = steady_clock::now();
    if (!archive::unpack(*packed)) throw std::runtime_error("the log does not come back");
    all.unpack_us += us_since(begin);
    all.execute_us += us_to_execute(game.records);
    ++all.games;
    all.events += records.size();
    all.before += records.bytes();
    all.after += packed->data.size();
    if (!options_.dump.empty()) dump(records, name);
  }

  void dump(const archive::RecordList& records, const std::string& name) {
    std::filesystem::create_directories(options_.dump);
    std::ofstream file(options_.dump / (name + "-" + std::to_string(++dumped_)), std::ios::binary);
    for (std::size_t i = 0; i < records.size(); ++i) file << records[i];
  }

  const Options& options_;
  std::mt19937_64 random_{1};
  std::size_t dumped_ = 0;
};

}  // namespace
}  // namespace tesela

int main(int argc, char** argv) try {
  tesela::Options options;
  CLI::App app{"Packs the logs of played games, and unpacks them."};
  app.add_option("--games", options.games, "Of each kind")->capture_default_str();
  app.add_option("--long-moves", options.long_moves, "")->capture_default_str();
  app.add_option("--dump", options.dump, "Writes each log into this folder");
  CLI11_PARSE(app, argc, argv);
  tesela::Bench(options).run();
  return 0;
} catch (const std::exception& error) {
  std::cerr << "archive_bench: " << error.what() << '\n';
  return 1;
}
