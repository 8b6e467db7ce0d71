// The golden playthroughs: R-2248-1..8, 12 move by move (tests/playthroughs/README.md).
#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/g2248/g2248.h"
#include "tests/engine/golden.h"
#include "tests/engine/seeds.h"

namespace tesela::g2248 {
namespace {

/// A whole game of 2248 as a text that a person can follow.
struct Playthrough {
  std::string name;
  std::string about;  // one line, for the reader
  Config config;
  std::uint64_t seed;       // seed_of(seed); the moves are drawn with seed_of(~seed)
  std::uint64_t moves_max;  // the game may end earlier
};

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

void write_position(std::ostream& out, const State& s) {
  int legal = 0;
  Game::legal_moves(s, kOnlySeat, [&](const Move&) { return ++legal < kCountMax; });
  out << draw(s.board) << "score " << s.score << ", " << name_of(outcome(s)) << "; "
      << (legal == kCountMax ? "at least " : "") << legal << " legal moves\n";
}

void write_move(std::ostream& out, const Move& move, const Board& board) {
  if (move.kind == MoveKind::kBooster) {
    out << "booster\n";
    return;
  }
  out << "chain";
  for (const Cell cell : move.chain.cells()) {
    out << ' ' << cell_name(cell, board) << ':' << tile_value(board.cells[cell]);
  }
  out << '\n';
}

void write_stage(std::ostream& out, const Stage& stage) {
  out << "  " << name_of(stage.kind);
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
  out << '\n';
}

Move choose(const State& s, std::uint64_t number, Rng& choices) {
  if (number % kBoosterEvery == 0 && check_booster(s.board, Groups{s.board})) {
    return {.kind = MoveKind::kBooster};
  }
  return {.kind = MoveKind::kChain, .chain = random_chain(s.board, choices)};
}

/// Plays it and writes it down: configuration, seed, then each board, move and stage. Every eighth
/// move is the booster, the others are random chains.
std::string play_through(const Playthrough& game) {
  std::ostringstream out;
  out << "# " << game.about << "\nrows " << int{game.config.rows} << "\ncolumns "
      << int{game.config.columns} << "\ngoal " << game.config.goal << "\nseed "
      << test::hex(test::seed_of(game.seed)) << "\n\n";
  Rng rng = test::dice(game.seed);
  Rng choices = test::dice(~game.seed);
  State s = Game::start(game.config, rng).value();
  for (std::uint64_t number = 1;; ++number) {
    write_position(out, s);
    if (!Game::turn(s) || number > game.moves_max) {
      return out.str();
    }
    const Move move = choose(s, number, choices);
    out << "\nmove " << number << ": ";
    write_move(out, move, s.board);
    std::vector<Stage> stages;
    s = Game::apply(s, kOnlySeat, move, rng, CollectStages{stages}).value();
    for (const Stage& stage : stages) {
      write_stage(out, stage);
    }
  }
}

class G2248Playthrough : public testing::TestWithParam<Playthrough> {};

TEST_P(G2248Playthrough, IsAsItWasWritten) {
  test::expect_golden("2248_" + GetParam().name, play_through(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    Golden, G2248Playthrough,
    testing::Values(Playthrough{"usual", "the original game, its first moves", Config{}, 1, 60},
                    Playthrough{"small", "the smallest board, to its end",
                                Config{.rows = 3, .columns = 3, .goal = 100}, 2, 10'000},
                    Playthrough{"large", "the largest board, its first moves",
                                Config{.rows = 12, .columns = 10, .goal = 1}, 3, 16}),
    [](const auto& game) { return game.param.name; });

}  // namespace
}  // namespace tesela::g2248
