#include "clients/cli/games/samegame/samegame_solver.h"

#include <algorithm>

namespace tesela::cli {
namespace {

using Clock = std::chrono::steady_clock;
using samegame::Game;
using samegame::State;

/// `budget_of(s, spent)` is that of the next move, when so much time and so many nodes are spent.
template <class BudgetOf>
Solution play(const samegame::Config& position, const Bot<Game>& bot, const GameSeeds& seeds,
              BudgetOf&& budget_of) {
  Rng dice{seeds.game};
  Rng of_bot{seeds.bots};
  const auto strategy = bot.make();
  const auto start = Clock::now();
  Solution solution;
  State s = Game::start(position, dice).value();
  for (auto seat = Game::turn(s); seat; seat = Game::turn(s)) {
    const auto move = strategy->choose(s, *seat, of_bot, budget_of(s, Clock::now() - start)).move;
    solution.moves.push_back(move);
    s = Game::apply(s, *seat, move, dice, NoStages{}).value();
  }
  solution.score = samegame::score(s);
  solution.cleared = samegame::outcome(s) == samegame::Outcome::kCleared;
  solution.time = Clock::now() - start;
  return solution;
}

}  // namespace

Budget share_of(const Budget& left, const State& s) {
  const std::uint64_t shares = samegame::groups(s).size() + 1;
  Budget budget = left;
  if (left.time != kNoTimeLimit) budget.time /= static_cast<std::int64_t>(shares);
  if (left.nodes != kNoNodeLimit) budget.nodes /= shares;
  return budget;
}

Solution solve(const samegame::Config& position, const Bot<Game>& bot, const GameSeeds& seeds) {
  Budget left = bot.budget;
  return play(position, bot, seeds, [&](const State& s, Clock::duration spent) {
    if (bot.budget.time != kNoTimeLimit) {
      const auto us = std::chrono::duration_cast<std::chrono::microseconds>(spent);
      left.time = std::max(bot.budget.time - us, std::chrono::microseconds{0});
    }
    const Budget share = share_of(left, s);
    if (left.nodes != kNoNodeLimit) left.nodes -= share.nodes;
    return share;
  });
}

Solution solve_by_moves(const samegame::Config& position, const Bot<Game>& bot,
                        const GameSeeds& seeds) {
  return play(position, bot, seeds,
              [&](const State& /*s*/, Clock::duration /*spent*/) { return bot.budget; });
}

}  // namespace tesela::cli
