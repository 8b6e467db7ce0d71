#include "tests/engine/g2048_playthrough.h"

#include <sstream>
#include <vector>

#include "engine/g2048/g2048.h"
#include "tests/engine/seeds.h"

namespace tesela::test {

namespace {

using g2048::Config;
using g2048::Game;
using g2048::kOnlySeat;
using g2048::Move;
using g2048::Outcome;
using g2048::Stage;
using g2048::StageKind;
using g2048::State;
using g2048::tile_value;

void write_config(std::ostream& out, const Config& config) {
  out << "size " << int{config.size} << "\nweights";
  for (std::size_t i = 0; i < config.weight_count; ++i) {
    out << ' ' << tile_value(config.weights[i].exponent) << ':' << config.weights[i].per_mille;
  }
  out << "\nstart_tiles " << int{config.start_tiles} << "\nstart_value ";
  if (config.start_exponent == g2048::kDrawn) {
    out << "drawn";
  } else {
    out << tile_value(config.start_exponent);
  }
  out << "\nobjective " << tile_value(config.objective) << "\nstop_at_objective "
      << (config.stop_at_objective ? "yes" : "no") << '\n';
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kInPlay:
      return "in play";
    case Outcome::kObjectiveReached:
      return "objective reached, in play";
    case Outcome::kWon:
      return "won";
    case Outcome::kLost:
      break;
  }
  return "lost";
}

void write_position(std::ostream& out, const State& s, const std::vector<Move>& legal) {
  out << g2048::draw(s.cells, s.config.size) << "score " << s.score << ", " << name_of(outcome(s));
  if (!legal.empty()) {
    out << "; legal:";
  }
  for (const Move& move : legal) {
    out << ' ' << name(move.direction);
  }
  out << '\n';
}

std::string cell_name(unsigned cell, const Config& config) {
  return std::to_string(cell / config.size) + "," + std::to_string(cell % config.size);
}

void write_stage(std::ostream& out, const Stage& stage, const Config& config) {
  switch (stage.kind) {
    case StageKind::kSlide:
      out << "  slide";
      break;
    case StageKind::kMerge:
      out << "  merge";
      break;
    case StageKind::kSpawn:
      out << "  spawn " << tile_value(stage.cells[stage.spawned]) << " at "
          << cell_name(stage.spawned, config);
      break;
  }
  for (const Motion& motion : stage.motions) {
    out << ' ' << cell_name(motion.from, config) << (motion.merged ? "=>" : "->")
        << cell_name(motion.to, config);
  }
  if (stage.points != 0) {
    out << "  +" << stage.points;
  }
  out << '\n';
}

}  // namespace

std::string play_through(const Playthrough& game) {
  std::ostringstream out;
  out << "# " << game.about << '\n';
  write_config(out, game.config);
  out << "seed " << hex(seed_of(game.seed)) << "\n\n";
  Rng rng = dice(game.seed);
  Rng choices = dice(~game.seed);
  State s = Game::start(game.config, rng).value();
  for (std::uint64_t number = 0;; ++number) {
    std::vector<Move> legal;
    Game::legal_moves(s, kOnlySeat, [&](Move move) { legal.push_back(move); });
    write_position(out, s, legal);
    if (legal.empty() || number == game.moves_max) {
      return out.str();
    }
    const Move move = legal[choices.uniform(static_cast<std::uint32_t>(legal.size()))];
    out << "\nmove " << number + 1 << ": " << name(move.direction) << '\n';
    std::vector<Stage> stages;
    s = Game::apply(s, kOnlySeat, move, rng, CollectStages{stages}).value();
    for (const Stage& stage : stages) {
      write_stage(out, stage, game.config);
    }
  }
}

}  // namespace tesela::test
