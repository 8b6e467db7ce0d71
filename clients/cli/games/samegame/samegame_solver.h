// Positions of SameGame in a file, and bots that play them to the end with a budget for the whole
// position.
#pragma once

#include <chrono>
#include <cstdint>
#include <istream>
#include <vector>

#include "clients/cli/simulate/bot.h"
#include "clients/cli/simulate/play_game.h"
#include "engine/core/result.h"
#include "engine/samegame/samegame.h"

namespace tesela::cli {

/// As tests/vectors/samegame20.txt has them: a line a row, from the top, of colours from 0, each
/// position with as many rows as columns; empty lines and what follows a # do not count. They are
/// scored as the published benchmarks are (R-SG-5, per colour). Refuses with kInvalidArgument.
[[nodiscard]] Expected<std::vector<samegame::Config>> read_samegame_positions(std::istream& in);

/// How a position was played.
struct Solution {
  std::int32_t score{0};
  bool cleared{false};
  std::vector<samegame::Move> moves;
  std::chrono::duration<double> time{};
};

/// The share of what is left of a budget that one move may have: one of as many as there are groups
/// on the board, and one more. Early moves, which matter most, get the most. No limit stays none.
[[nodiscard]] Budget share_of(const Budget& left, const samegame::State& s);

/// Plays a valid position, the bot's budget spread over its moves by share_of().
[[nodiscard]] Solution solve(const samegame::Config& position, const Bot<samegame::Game>& bot,
                             const GameSeeds& seeds);

/// The same with the whole budget of the bot for each move.
[[nodiscard]] Solution solve_by_moves(const samegame::Config& position,
                                      const Bot<samegame::Game>& bot, const GameSeeds& seeds);

}  // namespace tesela::cli
