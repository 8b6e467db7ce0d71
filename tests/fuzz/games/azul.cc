// Azul from bytes: any number of players, any moves, a box that loses tiles. What the random
// simulation checks must hold here too, and the motions must lead from table to table.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "engine/azul/azul.h"
#include "tests/engine/azul/places.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/refusal.h"

namespace tesela::azul {
namespace {

using fuzz::check_refusal;
using fuzz::Input;
using fuzz::require;

/// A byte below plays a legal move.
constexpr std::uint8_t kLegalMoves = 208;
/// A byte from here on, up to the next, tries any move at all.
constexpr std::uint8_t kAnyMoves = 216;

std::vector<Move> check_legal(const State& s) {
  std::vector<Move> legal;
  Game::legal_moves(s, s.turn, [&](const Move& move) { legal.push_back(move); });
  require(s.over == legal.empty());
  require(Game::turn(s).has_value() != s.over && Game::result(s).has_value() == s.over);
  const Choices counted = choices(s);
  require(counted.count() == legal.size());
  for (unsigned nth = 0; nth < legal.size(); ++nth) {
    require(counted.nth(nth) == legal[nth] && counted.has(legal[nth]));
  }
  return legal;
}

void check_stages(const std::vector<Stage>& stages, const Move& move, const State& before,
                  const State& after) {
  require(!stages.empty() && stages.back().table == after.table);
  require(test::motions_lead_on(before.table, move, stages));
  std::array<int, kPlayersMax> scores{};
  for (std::size_t seat = 0; seat < kPlayersMax; ++seat) {
    scores[seat] = before.table.boards[seat].score;
  }
  for (const Stage& stage : stages) {
    scores[stage.seat.value] += stage.points;
    require(scores[stage.seat.value] == stage.table.boards[stage.seat.value].score);
  }
}

State play(const State& s, const Move& move, Rng& rng) {
  Rng untold_rng = rng;
  const State untold = Game::apply(s, s.turn, move, untold_rng, NoStages{}).value();
  std::vector<Stage> stages;
  const State after = Game::apply(s, s.turn, move, rng, CollectStages{stages}).value();
  require(after == untold && rng == untold_rng);
  check_stages(stages, move, s, after);
  return after;
}

/// Any move: accepted if it is legal, and refused without a trace if it is not.
void check_any(const State& s, Seat seat, const Move& move, Rng rng,
               const std::vector<Move>& legal) {
  if (seat == s.turn && std::ranges::find(legal, move) != legal.end()) {
    play(s, move, rng);
  } else {
    check_refusal<Game>(s, seat, move, rng);
  }
}

/// Brings a game soon to where the bag or the box is empty.
void lose_tiles(Table& table, std::uint8_t which) {
  if (which % 2 == 0) table.lid += table.bag.take_all();
  if (which % 4 == 3) table.lid = Tiles{};
}

void play_game(Input& input) {
  const std::uint8_t first = input.next();
  const Config config{.players = static_cast<std::uint8_t>(first % 8),
                      .untiled_rounds_max = static_cast<std::uint8_t>(first / 8 % 8)};
  Seed seed{};
  for (std::uint8_t& byte : seed) byte = input.next();
  Rng rng{seed};
  const Expected<State> start = Game::start(config, rng);
  require(start.has_value() == validate(config).has_value());
  if (!start) {
    require(rng.consumed() == 0 && !start.error().message.empty());
    return;
  }
  State s = *start;
  std::vector<Move> legal = check_legal(s);
  while (!input.empty()) {
    const std::uint8_t byte = input.next();
    if (byte < kLegalMoves && !legal.empty()) {
      s = play(s, legal[byte % legal.size()], rng);
      legal = check_legal(s);
    } else if (byte < kAnyMoves) {
      // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): a client may send any byte
      const Move move{input.next(), static_cast<Colour>(input.next()), input.next()};
      check_any(s, Seat{static_cast<std::uint8_t>(byte % 5)}, move, rng, legal);
    } else {
      lose_tiles(s.table, byte);
    }
  }
}

}  // namespace
}  // namespace tesela::azul

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tesela::fuzz::Input input{data, size};
  tesela::azul::play_game(input);
  return 0;
}
