#include "tests/engine/g2248_playthrough.h"

#include <sstream>
#include <string_view>
#include <vector>

#include "engine/g2248/g2248.h"
#include "tests/engine/seeds.h"

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

}  // namespace

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

}  // namespace tesela::g2248
