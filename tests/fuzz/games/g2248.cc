// 2248 from bytes: any configuration, any tiles, any moves. What the random simulation checks must
// hold here too, and the hints must be the best of all chains where these can be listed.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/g2248/g2248.h"
#include "engine/g2248/hints.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/refusal.h"

namespace tesela::g2248 {
namespace {

using fuzz::check_refusal;
using fuzz::Input;
using fuzz::require;

/// More legal moves are not listed.
constexpr std::size_t kListedMax = 200;

Config read_config(Input& input) {
  Config config;
  config.rows = input.next() % 16;
  config.columns = input.next() % 16;
  config.goal = std::uint64_t{input.next()} << input.next() % 60U;
  return config;
}

/// Some boards are drawn by the rules; others have any tiles, also empty cells.
void read_tiles(Input& input, State& s) {
  const unsigned alphabet = input.next() % (kExponentMax + 2U);
  if (alphabet == 0) return;
  for (Exponent& cell : s.board.used()) {
    cell = static_cast<Exponent>(input.next() % alphabet);
  }
}

/// From a cell in directions; where there is no such neighbour, to any cell at all.
Move read_move(Input& input, const Board& board) {
  const unsigned length = input.next() % 12U;
  if (length == 0) return {.kind = MoveKind::kBooster};
  Path path{input.next()};
  while (path.size() < length) {
    const unsigned byte = input.next();
    Cell next = static_cast<Cell>(byte);
    if (path.back() < board.size()) {
      for_each_neighbour(board.rows, board.columns, path.back(),
                         [&](std::size_t direction, Cell to) {
                           next = direction == byte % kDirections ? to : next;
                         });
    }
    path.push_back(next);
  }
  return {.kind = MoveKind::kChain, .chain = path};
}

std::vector<Move> listed(const State& s) {
  std::vector<Move> moves;
  Game::legal_moves(s, kOnlySeat, [&](const Move& move) {
    moves.push_back(move);
    return moves.size() < kListedMax;
  });
  require(moves.empty() == !Game::turn(s) && moves.empty() == Game::result(s).has_value());
  return moves;
}

void check_hint(const State& s, const std::optional<Hint>& hint) {
  if (hint) require(check_chain(s.board, hint->path.cells()) == hint->value);
}

/// The hints against the list of all moves.
void check_hints(const State& s, const std::vector<Move>& moves) {
  Exponent best = 0;
  for (const Move& move : moves) {
    if (move.kind == MoveKind::kChain) {
      best = std::max(best, check_chain(s.board, move.chain.cells()).value());
    }
  }
  const std::optional<Hint> hint = max_path(s.board);
  check_hint(s, hint);
  require((hint ? hint->value : 0) == best);
  check_hint(s, max_adjacent(s.board));
}

void check_stages(const std::vector<Stage>& stages, const State& before, const State& after) {
  std::uint64_t points = 0;
  for (const Stage& stage : stages) points += stage.points;
  require(std::min(before.score + points, kScoreMax) == after.score);
  require(stages.back().kind == StageKind::kRefill && stages.back().board == after.board);
  require(std::ranges::max(after.board.used()) <= kExponentMax);
  require(std::ranges::min(after.board.used()) > 0);
}

/// Plays a move that may or may not be legal.
void play(State& s, Seat seat, const Move& move, Rng& rng) {
  const Rng before = rng;
  Rng untold_rng = rng;
  std::vector<Stage> stages;
  const Expected<State> after = Game::apply(s, seat, move, rng, CollectStages{stages});
  if (!after) {
    check_refusal<Game>(s, seat, move, before);
    return;
  }
  const Expected<State> untold = Game::apply(s, seat, move, untold_rng, NoStages{});
  require(after == untold && rng == untold_rng);
  check_stages(stages, s, *after);
  s = *after;
}

void play_game(Input input) {
  const Config config = read_config(input);
  Seed seed{};
  for (std::uint8_t& byte : seed) byte = input.next();
  Rng rng{seed};
  const Expected<State> start = Game::start(config, rng);
  require(start.has_value() == validate(config).has_value());
  if (!start) return;
  State s = *start;
  read_tiles(input, s);
  while (!input.empty()) {
    const std::vector<Move> moves = listed(s);
    const Seat seat{static_cast<std::uint8_t>(input.next() / 200)};
    const Move move = read_move(input, s.board);
    if (moves.size() < kListedMax) {
      check_hints(s, moves);
      Rng unused = rng;
      const bool legal = seat == kOnlySeat && std::ranges::find(moves, move) != moves.end();
      require(Game::apply(s, seat, move, unused, NoStages{}).has_value() == legal);
    }
    play(s, seat, move, rng);
  }
}

}  // namespace
}  // namespace tesela::g2248

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tesela::g2248::play_game({data, size});
  return 0;
}
