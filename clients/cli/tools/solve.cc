#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clients/cli/base/fail.h"
#include "clients/cli/base/json.h"
#include "clients/cli/base/printed.h"
#include "clients/cli/base/progress.h"
#include "clients/cli/base/subcommands.h"
#include "clients/cli/base/value_text.h"
#include "clients/cli/games/samegame/samegame_solver.h"
#include "clients/cli/simulate/in_order.h"
#include "clients/cli/simulate/summary.h"
#include "clients/cli/tools/bot_options.h"

namespace tesela::cli {
namespace {

constexpr std::uint64_t kSolvedMax = 1'000'000;

struct SolveOptions {
  std::string positions;
  BotText strategy{.text = "search", .strategy = "search"};
  BotBudget budget;
  std::uint64_t games = 1;
  std::string seed;
  unsigned threads = 1;
  bool json = false;
};

/// All solutions of one position.
struct Solved {
  samegame::Config position;
  Distribution scores{"score"};
  Solution best;
  double seconds{0};
  std::uint64_t cleared{0};

  void add(Solution solution) {
    scores.add(solution.score);
    seconds += solution.time.count();
    cleared += solution.cleared ? 1 : 0;
    if (best.moves.empty() || solution.score > best.score) best = std::move(solution);
  }

  [[nodiscard]] Json moves_json() const {
    Json moves = Json::array();
    for (const samegame::Move& move : best.moves) {
      moves.push_back(place_json(move.cell, position.setting.columns));
    }
    return moves;
  }
};

std::vector<Solved> read_positions(const std::string& path) {
  std::ifstream file{path};
  if (!file) fail("Cannot read '" + path + "'.");
  const auto positions = read_samegame_positions(file);
  if (!positions) fail("'" + path + "' holds no positions: " + positions.error().message);
  std::vector<Solved> all;
  for (const samegame::Config& position : *positions) {
    auto& solved = all.emplace_back();
    solved.position = position;
  }
  return all;
}

/// One play of a game; the best of its attempts counts.
struct Attempt {
  std::uint64_t game;
  GameSeeds seeds;
};

/// In the order of the games. A bot that plans makes more attempts where threads would be idle,
/// each with other dice; the first has the same dice on any number of threads.
std::vector<Attempt> attempts_at(std::uint64_t games, bool plans, unsigned threads, Rng& rng) {
  std::vector<Attempt> attempts;
  attempts.reserve(std::max<std::uint64_t>(games, threads));
  for (std::uint64_t game = 0; game < games; ++game) attempts.push_back({game, draw_seeds(rng)});
  while (plans && attempts.size() < threads) {
    attempts.push_back({attempts.size() % games, draw_seeds(rng)});
  }
  std::ranges::stable_sort(attempts, {}, &Attempt::game);
  return attempts;
}

void solve_all(const SolveOptions& options, const Bot<samegame::Game>& bot,
               std::vector<Solved>& all) {
  Rng rng{options.seed.empty() ? random_seed() : read_seed(options.seed)};
  const std::uint64_t games = all.size() * options.games;
  const auto attempts = attempts_at(games, bot.description.plans, options.threads, rng);
  const bool by_moves = options.strategy.budget.is_given();
  Progress progress{std::cerr, isatty(STDERR_FILENO) != 0, games, "games"};
  Solution best;
  in_order(
      attempts.size(), options.threads,
      [&](std::uint64_t number) {
        const Attempt& attempt = attempts[number];
        const samegame::Config& position = all[attempt.game / options.games].position;
        return by_moves ? solve_by_moves(position, bot, attempt.seeds)
                        : solve(position, bot, attempt.seeds);
      },
      [&](std::uint64_t number, Solution solution) {
        if (best.moves.empty() || solution.score > best.score) best = std::move(solution);
        const std::uint64_t game = attempts[number].game;
        if (number + 1 < attempts.size() && attempts[number + 1].game == game) return;
        all[game / options.games].add(std::exchange(best, {}));
        progress.advance();
      });
}

void print_table(const SolveOptions& options, const std::vector<Solved>& all) {
  print(std::cout, "{}, {} {} a position\n", options.strategy.text, options.games,
        options.games == 1 ? "game" : "games");
  print(std::cout, "{:>8} {:>10} {:>8} {:>8} {:>8} {:>8}\n", "position", "mean", "best", "moves",
        "cleared", "s");
  double mean = 0;
  std::int64_t best = 0;
  for (std::size_t number = 0; number < all.size(); ++number) {
    const Solved& solved = all[number];
    const Quantiles scores = solved.scores.quantiles();
    mean += scores.mean;
    best += scores.most;
    print(std::cout, "{:8} {:10.1f} {:8} {:8} {:8} {:8.2f}\n", number + 1, scores.mean, scores.most,
          solved.best.moves.size(), solved.cleared, solved.seconds);
  }
  print(std::cout, "{:>8} {:10.1f} {:8}\n", "total", mean, best);
}

void print_json(const SolveOptions& options, const std::vector<Solved>& all) {
  Json positions = Json::array();
  Json seconds = Json::array();
  double mean = 0;
  std::int64_t best = 0;
  for (const Solved& solved : all) {
    const Quantiles scores = solved.scores.quantiles();
    mean += scores.mean;
    best += scores.most;
    positions.push_back({{"mean", scores.mean},
                         {"best", scores.most},
                         {"cleared", solved.cleared},
                         {"moves", solved.moves_json()}});
    seconds.push_back(solved.seconds);
  }
  const Json json{{"strategy", options.strategy.text},
                  {"games", options.games},
                  {"positions", std::move(positions)},
                  {"total", {{"mean", mean}, {"best", best}}},
                  {"times", {{"seconds", std::move(seconds)}}}};
  print(std::cout, Printed::lines(json.dump(2, ' ', true) + '\n'));
}

void run(const SolveOptions& options) {
  std::vector<Solved> all = read_positions(options.positions);
  const auto bot =
      value_or_fail(bot_of<samegame::Game>(options.strategy, given_or_default(options.budget)));
  solve_all(options, bot, all);
  options.json ? print_json(options, all) : print_table(options, all);
}

void add_samegame(CLI::App& solve) {
  auto options = std::make_shared<SolveOptions>();
  options->threads = threads_by_default();
  auto& samegame = add_command(solve, "samegame", "Positions of SameGame");
  samegame
      .add_option("--positions", options->positions,
                  "A file of positions, such as tests/vectors/samegame20.txt")
      ->required()
      ->type_name("FILE");
  add_bot_option(
      samegame, "--strategy", options->strategy,
      "The strategy; 'tesela bots samegame' lists them. uct:time=1s is the time for every "
      "move, instead of --time for the whole position (search)");
  add_budget_options(samegame, options->budget, "for a whole position", "10000 without --time");
  samegame.add_option("--games", options->games, "How often each is played")
      ->check(CLI::Range(std::uint64_t{1}, kSolvedMax))
      ->capture_default_str();
  add_seed(samegame, options->seed);
  add_threads(samegame, options->threads);
  samegame.get_option("--threads")
      ->description(
          "On so many threads. Of more threads than games each searches by itself with other dice, "
          "and the best counts; otherwise the games are the same on any number");
  samegame.add_flag("--json", options->json, "As one JSON object, with the moves of the best game");
  samegame.callback([options] { run(*options); });
}

}  // namespace

void add_solve(CLI::App& app) {
  auto& solve = add_command(app, "solve", "Play positions for the score");
  solve.require_subcommand(0, 1);
  add_samegame(solve);
  solve.callback([&solve] {
    if (solve.get_subcommands().empty()) fail("Name the game: samegame.");
  });
}

}  // namespace tesela::cli
