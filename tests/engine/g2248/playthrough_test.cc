// The golden playthroughs: R-2248-1..8, 12 move by move (tests/playthroughs/README.md).
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include "engine/g2248/g2248.h"
#include "tests/engine/playthrough.h"

namespace tesela::g2248 {
namespace {

constexpr std::uint64_t kBoosterEvery = 8;
/// More legal moves are not counted.
constexpr int kCountMax = 500;

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kInPlay:
      return "in play";
    case Outcome::kGoalReached:
      return "goal reached, in play";
    case Outcome::kOver:
      break;
  }
  return "over";
}

std::string_view name_of(StageKind kind) {
  switch (kind) {
    case StageKind::kSum:
      return "sum";
    case StageKind::kClear:
      return "clear";
    case StageKind::kFall:
      return "fall";
    case StageKind::kRefill:
      break;
  }
  return "refill";
}

std::string cell_name(unsigned cell, const Board& board) {
  return std::to_string(cell / board.columns) + "," + std::to_string(cell % board.columns);
}

/// Every eighth move is the booster, the others are random chains.
struct Told2248 {
  using Game = g2248::Game;

  static void write_config(std::ostream& out, const Config& config) {
    out << "rows " << int{config.rows} << "\ncolumns " << int{config.columns} << "\ngoal "
        << config.goal << '\n';
  }

  static void write_position(std::ostream& out, const State& s) {
    int legal = 0;
    Game::legal_moves(s, kOnlySeat, [&](const Move&) { return ++legal < kCountMax; });
    out << draw(s.board) << "score " << s.score << ", " << name_of(outcome(s)) << "; "
        << (legal == kCountMax ? "at least " : "") << legal << " legal moves\n";
  }

  static Move choose(const State& s, std::uint64_t number, Rng& choices) {
    if (number % kBoosterEvery == 0 && check_booster(s.board, Groups{s.board})) {
      return {.kind = MoveKind::kBooster};
    }
    return {.kind = MoveKind::kChain, .chain = random_chain(s.board, choices)};
  }

  static void write_move(std::ostream& out, const Move& move, const State& before) {
    if (move.kind == MoveKind::kBooster) {
      out << "booster";
      return;
    }
    out << "chain";
    for (const Cell cell : move.chain.cells()) {
      out << ' ' << cell_name(cell, before.board) << ':' << tile_value(before.board.cells[cell]);
    }
  }

  static void write_stage(std::ostream& out, const Stage& stage, const State& /*before*/) {
    out << name_of(stage.kind);
    for (const Motion& motion : stage.motions) {
      out << ' ' << cell_name(motion.from, stage.board) << (motion.merged ? "=>" : "->")
          << cell_name(motion.to, stage.board);
    }
    for (const Cell cell : stage.refilled) {
      out << ' ' << cell_name(cell, stage.board) << ':' << tile_value(stage.board.cells[cell]);
    }
    if (stage.points != 0) {
      out << "  +" << stage.points << (stage.goal_reached ? ", the goal is reached" : "");
    }
  }
};

using Played = test::Playthrough<Game>;

class G2248Playthrough : public testing::TestWithParam<Played> {};

TEST_P(G2248Playthrough, IsAsItWasWritten) {
  test::expect_golden("2248_" + GetParam().name, test::play_through<Told2248>(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    Golden, G2248Playthrough,
    testing::Values(Played{"usual", "the original game, its first moves", Config{}, 1, 60},
                    Played{"small", "the smallest board, to its end",
                           Config{.rows = 3, .columns = 3, .goal = 100}, 2},
                    Played{"large", "the largest board, its first moves",
                           Config{.rows = 12, .columns = 10, .goal = 1}, 3, 16}),
    [](const auto& game) { return game.param.name; });

}  // namespace
}  // namespace tesela::g2248
