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

/// The format of tests/vectors/samegame20.txt: a line per row, from the top, with colours from 0;
/// each position has as many rows as columns; empty lines and text after a # are ignored. Scored
/// like the published benchmarks (R-SG-5, per colour). Refuses with kInvalidArgument.
[[nodiscard]] Expected<std::vector<samegame::Config>> read_samegame_positions(std::istream& in);

/// A position that was played to its end.
struct Solution {
  std::int32_t score{0};
  bool cleared{false};
  std::vector<samegame::Move> moves;
  std::chrono::duration<double> time{};
};

/// The part of the remaining budget for one move: 1 / (groups on the board + 1). Early moves, which
/// matter most, get the most. An unlimited budget stays unlimited.
[[nodiscard]] Budget share_of(const Budget& left, const samegame::State& s);

/// Plays a valid position; share_of() spreads the bot's budget over the moves. A bot that plans has
/// all of it for its first move.
[[nodiscard]] Solution solve(const samegame::Config& position, const Bot<samegame::Game>& bot,
                             const GameSeeds& seeds);

/// The same with the whole budget of the bot for each move.
[[nodiscard]] Solution solve_by_moves(const samegame::Config& position,
                                      const Bot<samegame::Game>& bot, const GameSeeds& seeds);

}  // namespace tesela::cli
