// A cluster in one process, on one thread at a time and a clock of its own, all of it from one
// seed: servers, their database, the network, the players, and what goes wrong.
#include <malloc.h>
#include <sched.h>
#include <spdlog/sinks/null_sink.h>
#include <spdlog/spdlog.h>
#include <sys/personality.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/sim/audit.h"
#include "tests/sim/cluster.h"
#include "tests/sim/nemeses.h"
#include "tests/sim/players/host.h"
#include "tests/sim/players/keeper.h"
#include "tests/sim/players/people.h"
#include "tests/sim/truth.h"

#ifdef TESELA_COVERAGE  // by coverage.py
extern "C" void __gcov_dump();
#endif

namespace tesela::sim {
namespace {

struct Options {
  std::uint64_t seed{1};
  double seconds{120};
  double every{20};  // seconds between two faults
  std::size_t servers{3};
  std::size_t gamblers{36};
  std::size_t companies{6};
  std::size_t seekers{12};
  std::size_t hosts{1};
  std::size_t keepers{1};
  std::size_t watchers{3};
  std::size_t witnesses{6};
  std::vector<std::string> kinds;
  std::vector<std::size_t> only;  // of the faults
  double until{};                 // 0: never
  bool no_faults{};
  bool shows{};
};

/// After the last fault, besides what is thought at a table.
constexpr Nanos kPlayOnTimeMax = 10 * kSecond;
/// In bytes: of all servers, with those that were killed, and of what the players and the database
/// keep of a move.
constexpr std::size_t kHeapMax = std::size_t{64} << 20U;
constexpr std::size_t kHeapOfMove = 2048;

/// Addresses of memory are the same in each run, and one processor gives the baton fastest.
void settle(char** argv) {
  const int now = ::personality(0xffffffff);
  const bool fixed = now == -1 || (now & ADDR_NO_RANDOMIZE) != 0;
  if (!fixed && ::personality(ADDR_NO_RANDOMIZE) != -1) {
    ::execv("/proc/self/exe", argv);
  }
  ::mallopt(M_ARENA_MAX, 1);  // which one a thread gets depends on who else is busy
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
  sched_setaffinity(0, sizeof one, &one);
}

Nanos nanos(double seconds) {
  return static_cast<Nanos>(seconds * 1e9);
}

class Simulation {
 public:
  explicit Simulation(const Options& options, const std::filesystem::path& folder)
      : options_(options), cluster_(options.servers, folder) {}

  /// The exit status.
  int run() {
    for (std::size_t i = 0; i < cluster_.size(); ++i) {
      if (!cluster_.at(i).start()) return 2;
    }
    people();
    std::thread nemesis([this] { unleash(); });
    watch_memory();
    io_.run();
    nemesis.join();
    return report();
  }

 private:
  template <class Kind, class... Rest>
  void add(Rest&&... rest) {
    const cli::ServerAddress server{.host = "10.255.0.1", .port = kHttpPort};
    const std::string name = "P" + std::to_string(people_.size());
    auto person =
        std::make_unique<Kind>(io_.get_executor(), server, name, std::forward<Rest>(rest)...);
    boost::asio::co_spawn(io_, person->play(), boost::asio::detached);
    people_.push_back(std::move(person));
  }

  [[nodiscard]] static Habits habits(std::size_t n) {
    Habits habits;
    if (n % 4 == 2) habits.rest = kSlowRest;
    if (n % 7 == 3) habits.resends = 64;
    habits.forgets = n % 5 == 2;
    habits.talks = n % 4 == 1;
    habits.cuts = n % 6 == 4;
    habits.errs = n % 6 == 1;
    habits.asks = n % 3 == 1;
    habits.resigns = n % 5 == 4;
    habits.patience = std::chrono::milliseconds{n % 3 == 0 ? 6'000 : 3'000};
    return habits;
  }

  void people() {
    static const std::vector<std::string> kGames{"2048", "2248", "samegame", "azul"};
    for (std::size_t n = 0; n < options_.gamblers; ++n) {
      const std::string& game = kGames[n % kGames.size()];
      Gambler::Plan plan{.game = game, .bots = game == "azul" ? 1U : 0U, .habits = habits(n)};
      if (n % 9 == 5) plan.habits.rest = 2 * kSlowRest;  // longer than a lease
      plan.habits.regrets = game != "azul" && n % 3 == 2;
      add<Gambler>(std::move(plan));
    }
    for (std::size_t n = 0; n < options_.companies; ++n) {
      const auto people = static_cast<std::uint32_t>(2 + n % 2);
      const auto bots = static_cast<std::uint32_t>(n % 3 == 2 ? 1 : 0);
      const std::uint32_t move_ms = n % 2 == 0 ? 12'000 : 0;
      Gambler::Plan plan{
          .game = "azul", .people = people, .bots = bots, .move_ms = move_ms, .habits = habits(n)};
      plan.habits.wanders = move_ms == 0;
      plan.habits.claims = true;
      add<Gambler>(std::move(plan));
    }
    for (std::size_t n = 0; n < options_.seekers; ++n) {
      // Of more than a dozen the others all meet each other.
      Seeker::Plan plan{.habits = habits(n), .ranked = n < 12 && n % 6 == 5};
      if (n < 12 && n % 6 == 3) plan.party = "the party";
      add<Seeker>(std::move(plan));
    }
    for (std::size_t n = 0; n < options_.hosts; ++n) add<Host>(cluster_.admin_token());
    for (std::size_t n = 0; n < options_.keepers; ++n) add<Keeper>(cluster_.admin_token());
    for (std::size_t n = 0; n < options_.watchers; ++n) add<LobbyWatcher>();
    for (std::size_t n = 0; n < options_.witnesses; ++n) add<Witness>(/*waits=*/n % 3 != 0);
  }

  void unleash() {
    Kernel& kernel = *Kernel::active();
    const Nanos end = kernel.now() + nanos(options_.seconds);
    std::vector<Fault> faults;
    if (!options_.no_faults) {
      faults = draw_faults(options_.seed, nanos(options_.seconds), nanos(options_.every),
                           cluster_.size(), options_.kinds);
    }
    faults_ = faults.size();
    for (std::size_t n = 0; n < faults.size(); ++n) {
      if (!options_.only.empty() && std::ranges::count(options_.only, n) == 0) continue;
      const Nanos wait = faults[n].at - kernel.now();
      if (wait > 0) std::this_thread::sleep_for(std::chrono::nanoseconds{wait});
      if (options_.shows) std::printf("%3zu %s\n", n, in_words(faults[n]).c_str());
      happen(faults[n], cluster_);
    }
    if (kernel.now() < end) {
      std::this_thread::sleep_for(std::chrono::nanoseconds{end - kernel.now()});
    }
    play_on();
    for (auto& person : people_) {
      if (dynamic_cast<LobbyWatcher*>(person.get()) == nullptr) person->stop();
    }
    // The lobby tells what has happened until then.
    std::this_thread::sleep_for(std::chrono::seconds{10});
    audit(cluster_.database(), people_);
    for (std::size_t i = 0; i < cluster_.size(); ++i) cluster_.at(i).stop();
    io_.stop();
  }

  /// Each second: servers, players and database need no more than what was played explains.
  void watch_memory() {
    const struct mallinfo2 heap = ::mallinfo2();
    heap_max_ = std::max(heap_max_, heap.uordblks + heap.hblkhd);
    const std::size_t allowed = kHeapMax + kHeapOfMove * Truth::get().acknowledgements;
    if (heap.uordblks + heap.hblkhd > allowed && !violations().contains("memory")) {
      violated("memory", std::to_string((heap.uordblks + heap.hblkhd) >> 20U) + " MiB are in use");
    }
    Kernel::active()->at(Kernel::active()->now() + kSecond, [this] { watch_memory(); });
  }

  /// Those of them who search while nobody else does whom they could be matched with.
  std::set<std::size_t> lonely(const std::vector<std::size_t>& people) {
    std::map<std::string, std::vector<std::size_t>> queues;
    for (const std::size_t n : people) {
      const auto* seeker = dynamic_cast<Seeker*>(people_[n].get());
      if (seeker != nullptr && seeker->searches()) queues[seeker->queue()].push_back(n);
    }
    std::set<std::size_t> alone;
    for (const auto& [queue, waiting] : queues) {
      const auto* seeker = dynamic_cast<Seeker*>(people_[waiting.front()].get());
      if (waiting.size() <= seeker->may_wait()) alone.insert(waiting.begin(), waiting.end());
    }
    return alone;
  }

  /// When everything is well again, everybody goes on, and every search is answered.
  void play_on() {
    Kernel& kernel = *Kernel::active();
    const Nanos begin = kernel.now();
    std::vector<std::uint64_t> before;
    for (auto& person : people_) before.push_back(person->progress());
    std::vector<std::size_t> left(people_.size());
    for (std::size_t n = 0; n < left.size(); ++n) left[n] = n;
    for (auto alone = lonely(left); left.size() > alone.size(); alone = lonely(left)) {
      std::this_thread::sleep_for(std::chrono::milliseconds{100});
      std::erase_if(left, [&](std::size_t n) {
        if (people_[n]->progress() > before[n]) return true;
        const Nanos thought = std::chrono::nanoseconds{people_[n]->thinks()}.count();
        if (kernel.now() < begin + kPlayOnTimeMax + thought || alone.contains(n)) return false;
        violated("stuck", people_[n]->name() + " has not gone on: " + people_[n]->standing());
        return true;
      });
    }
    played_on_ = kernel.now() - begin;
  }

  int report() {
    const Kernel& kernel = *Kernel::active();
    std::uint64_t progress = 0;
    for (auto& person : people_) progress += person->progress();
    std::printf(
        "seed %lu: %.1f s, %zu faults, %lu acknowledged at %zu tables, all played on after "
        "%.1f s, %zu MiB",
        options_.seed, static_cast<double>(kernel.now()) / 1e9, faults_,
        Truth::get().acknowledgements, Truth::get().tables().size(),
        static_cast<double>(played_on_) / 1e9, heap_max_ >> 20U);
    std::uint64_t sum = 0;
    for (const auto& [kind, count] : violations()) {
      std::printf(", %s %lu", kind.c_str(), count);
      sum += count;
    }
    std::printf(", violations %lu, hash %016lx\n", sum, kernel.hash());
    return sum == 0 ? 0 : 1;
  }

  const Options& options_;
  Cluster cluster_;
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{
      io_.get_executor()};
  std::vector<std::unique_ptr<Person>> people_;
  std::size_t faults_{};
  Nanos played_on_{};
  std::size_t heap_max_{};
};

int run(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  // As long a name in every run: what is allocated is the same.
  const std::string number = std::to_string(10'000'000 + ::getpid());
  const std::filesystem::path folder = "/dev/shm/tesela-sim-" + number;
  Kernel::begin(options.seed);
  if (options.until > 0) {
    Kernel::active()->at(nanos(options.until), [] { std::raise(SIGTRAP); });
  }
  // Its threads are left as they are.
  auto* const simulation = new Simulation(options, folder);
  const int status = simulation->run();
  const double virtual_s = static_cast<double>(Kernel::active()->now()) / 1e9;
  Kernel::end();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%.2f s, %.0f virtual seconds a second\n", took.count(), virtual_s / took.count());
  std::filesystem::remove_all(folder);
  std::fflush(stdout);
#ifdef TESELA_COVERAGE
  __gcov_dump();
#endif
  ::_exit(status);
}

}  // namespace
}  // namespace tesela::sim

int main(int argc, char** argv) {
  using namespace tesela;
  sim::settle(argv);
  sim::Options options;
  options.kinds = sim::kinds_of_faults();
  CLI::App app{"Simulates a cluster under faults."};
  app.add_option("--seed", options.seed, "What everything is drawn from")->capture_default_str();
  app.add_option("--seconds", options.seconds, "Virtual time")->capture_default_str();
  app.add_option("--every", options.every, "Seconds between faults")->capture_default_str();
  app.add_option("--servers", options.servers, "Servers")->capture_default_str();
  app.add_option("--gamblers", options.gamblers, "Players of games alone")->capture_default_str();
  app.add_option("--companies", options.companies, "Tables of Azul")->capture_default_str();
  app.add_option("--seekers", options.seekers, "Players who look for opponents")
      ->capture_default_str();
  app.add_option("--hosts", options.hosts, "Hosts of tables, who are operators too")
      ->capture_default_str();
  app.add_option("--keepers", options.keepers, "Players whose accounts last")
      ->capture_default_str();
  app.add_option("--watchers", options.watchers, "Watchers of the lobby")->capture_default_str();
  app.add_option("--witnesses", options.witnesses, "Who look at tables in play")
      ->capture_default_str();
  app.add_option("--kinds", options.kinds, "Kinds of faults")->delimiter(',');
  app.add_option("--only", options.only, "Faults by their numbers")->delimiter(',');
  app.add_option("--until", options.until, "Stop then, in a debugger (SIGTRAP)");
  app.add_flag("--no-faults", options.no_faults, "Nothing goes wrong");
  app.add_flag("--shows", options.shows, "Tell the faults");
  CLI11_PARSE(app, argc, argv);
  // Whether they are shown or not, lines of the log are made: that takes time.
  if (!options.shows) {
    spdlog::set_default_logger(
        std::make_shared<spdlog::logger>("", std::make_shared<spdlog::sinks::null_sink_mt>()));
  }
  spdlog::set_level(spdlog::level::warn);
  return sim::run(options);
}
