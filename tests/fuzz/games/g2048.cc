// 2048 from bytes: any configuration, any moves. What the random simulation checks must hold here
// too.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/g2048/g2048.h"
#include "engine/g2048/packed_board.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/refusal.h"

namespace tesela::g2048 {
namespace {

using fuzz::check_refusal;
using fuzz::Input;
using fuzz::require;

/// Any values at all, also such as `start` refuses. Three bytes a weight, so that a sum of 1000 is
/// found.
Config read_config(Input& bytes) {
  Config config;
  config.size = bytes.next();
  config.start_tiles = bytes.next();
  config.start_exponent = bytes.next();
  config.objective = bytes.next();
  config.stop_at_objective = bytes.next() % 2 == 1;
  config.weight_count = bytes.next();
  for (SpawnWeight& weight :
       std::span{config.weights}.first(std::min<std::size_t>(config.weight_count, kWeightsMax))) {
    weight.exponent = bytes.next();
    const unsigned high = bytes.next();
    weight.per_mille = static_cast<std::uint16_t>(high << 8 | bytes.next());
  }
  return config;
}

/// legal_moves names exactly what changes the board, and the packed board says the same.
std::vector<Move> check_legal(const State& s) {
  std::vector<Move> legal;
  Game::legal_moves(s, kOnlySeat, [&](Move move) { legal.push_back(move); });
  require(Game::turn(s).has_value() == !legal.empty());
  require(Game::result(s).has_value() == legal.empty());
  if (!legal.empty() && PackedBoard::holds(s.config, s.cells)) {
    const unsigned packed = PackedBoard{s.cells}.legal();
    require(packed > 15U || packed == Board{s.config.size, s.cells}.legal());
  }
  return legal;
}

void check_stages(const std::vector<Stage>& stages, const State& before, const State& after) {
  std::uint64_t points = 0;
  for (const Stage& stage : stages) points += stage.points;
  require(before.score + points == after.score);
  require(stages.back().kind == StageKind::kSpawn && stages.back().cells == after.cells);
  require(std::ranges::max(after.cells) <= kExponentMax);
}

State play(const State& s, Move move, Rng& rng) {
  Rng untold_rng = rng;
  const State untold = Game::apply(s, kOnlySeat, move, untold_rng, NoStages{}).value();
  std::vector<Stage> stages;
  const State after = Game::apply(s, kOnlySeat, move, rng, CollectStages{stages}).value();
  require(after == untold && rng == untold_rng);
  check_stages(stages, s, after);
  return after;
}

void play_game(Input& bytes) {
  const Config config = read_config(bytes);
  Seed seed{};
  for (std::uint8_t& byte : seed) byte = bytes.next();
  Rng rng{seed};
  const Expected<State> start = Game::start(config, rng);
  require(start.has_value() == validate(config).has_value());
  if (!start) {
    require(rng.consumed() == 0);
    return;
  }
  State s = *start;
  while (!bytes.empty()) {
    const std::vector<Move> legal = check_legal(s);
    const std::uint8_t byte = bytes.next();
    const Move move{static_cast<Direction>(byte % 8)};
    const Seat seat{static_cast<std::uint8_t>(byte / 64)};
    if (seat == kOnlySeat && std::ranges::find(legal, move) != legal.end()) {
      s = play(s, move, rng);
    } else {
      check_refusal<Game>(s, seat, move, rng);
    }
  }
}

}  // namespace
}  // namespace tesela::g2048

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tesela::fuzz::Input bytes{data, size};
  tesela::g2048::play_game(bytes);
  return 0;
}
