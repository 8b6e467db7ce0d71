#include "clients/cli/games/samegame/samegame_solver.h"

#include <algorithm>
#include <sstream>
#include <string>

namespace tesela::cli {
namespace {

using Clock = std::chrono::steady_clock;
using samegame::Colour;
using samegame::Game;
using samegame::State;

/// `budget_of(s, spent)` is the budget of the next move, after `spent` time.
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

std::unexpected<Error> bad_line(std::size_t line, const std::string& why) {
  return refuse(ErrorCode::kInvalidArgument, "Line " + std::to_string(line) + " " + why);
}

Expected<std::vector<Colour>> read_row(std::string line, std::size_t number) {
  line.resize(std::min(line.find('#'), line.size()));
  std::istringstream words{line};
  std::vector<Colour> row;
  for (std::string word; words >> word;) {
    if (word.size() != 1 || word[0] < '0' || word[0] >= '0' + samegame::kColoursMax) {
      return bad_line(number, "holds '" + word + "', which is no colour from 0 to 8.");
    }
    row.push_back(static_cast<Colour>(word[0] - '0' + 1));
  }
  return row;
}

}  // namespace

Expected<std::vector<samegame::Config>> read_samegame_positions(std::istream& in) {
  std::vector<samegame::Config> positions;
  std::size_t side = 0;  // of the position that is being read; 0 between two
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    const auto row = read_row(line, ++number);
    if (!row) return std::unexpected(row.error());
    if (row->empty()) continue;
    if (side == 0) {
      side = row->size();
      if (side < samegame::kSideMin || side > samegame::kSideMax) {
        return bad_line(
            number, "has " + std::to_string(side) + " colours; a position has 2 to 30 columns.");
      }
      const auto sides = static_cast<std::uint8_t>(side);
      positions.push_back({.setting = {.rows = sides, .columns = sides}, .cells = {}});
    }
    if (row->size() != side) {
      return bad_line(number, "has " + std::to_string(row->size()) + " colours, not " +
                                  std::to_string(side) + " as the rows above it.");
    }
    samegame::Config& position = positions.back();
    position.cells.insert(position.cells.end(), row->begin(), row->end());
    position.setting.colours = std::max(position.setting.colours, std::ranges::max(position.cells));
    side = position.cells.size() == side * side ? 0 : side;
  }
  if (side != 0)
    return bad_line(number, "is the last, but a position has as many rows as columns.");
  if (positions.empty()) return refuse(ErrorCode::kInvalidArgument, "There is no position in it.");
  return positions;
}

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
    const Budget share = bot.description.plans ? left : share_of(left, s);
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
