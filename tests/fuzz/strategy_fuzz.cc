// Strategies from bytes: any position, any strategy of its game, any small budget. The move is
// legal whenever there is one, and the same dice choose it again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/strategy/registry.h"
#include "tests/fuzz/input.h"

namespace tesela {
namespace {

using fuzz::Input;
using fuzz::require;

/// A position is played on for so many moves.
constexpr int kMovesMax = 4;
constexpr std::size_t kTreeBytes = std::size_t{1} << 13U;

Seed read_seed(Input& input) {
  Seed seed{};
  for (std::uint8_t& byte : seed) byte = input.next();
  return seed;
}

/// Any legal moves from the start, and a box that loses tiles.
azul::State read_position(azul::Game, Input& input) {
  Rng rng{read_seed(input)};
  const auto players = static_cast<std::uint8_t>(azul::kPlayersMin + input.next() % 3);
  azul::State s = azul::Game::start({.players = players}, rng).value();
  for (int left = input.next() % 100; left > 0 && !s.over; --left) {
    const std::uint8_t byte = input.next();
    if (byte >= 250) s.table.bag = {};
    const azul::Choices legal = azul::choices(s);
    s = azul::Game::apply(s, s.turn, legal.nth(byte % legal.count()), rng, NoStages{}).value();
  }
  return s;
}

g2048::State read_position(g2048::Game, Input& input) {
  g2048::State s;
  s.config.size = static_cast<std::uint8_t>(g2048::kSizeMin + input.next() % 7);
  s.config.objective = static_cast<g2048::Exponent>(g2048::kObjectiveMin + input.next() % 30);
  s.config.stop_at_objective = input.next() % 2 == 0;
  const unsigned alphabet = 2U + input.next() % g2048::kExponentMax;
  for (g2048::Exponent& cell :
       std::span{s.cells}.first(std::size_t{s.config.size} * s.config.size)) {
    cell = static_cast<g2048::Exponent>(input.next() % alphabet);
  }
  s.objective_reached = std::ranges::max(s.cells) >= s.config.objective;
  return s;
}

g2248::State read_position(g2248::Game, Input& input) {
  g2248::State s;
  s.board.rows = static_cast<std::uint8_t>(g2248::kRowsMin + input.next() % 10);
  s.board.columns = static_cast<std::uint8_t>(g2248::kColumnsMin + input.next() % 8);
  const unsigned alphabet = 2U + input.next() % g2248::kExponentMax;
  for (g2248::Exponent& cell : s.board.used()) {
    cell = static_cast<g2248::Exponent>(input.next() % alphabet);
  }
  return s;
}

/// Columns of any heights, then perhaps empty ones.
samegame::State read_position(samegame::Game, Input& input) {
  samegame::Setting setting;
  setting.rows = static_cast<std::uint8_t>(samegame::kSideMin + input.next() % 29);
  setting.columns = static_cast<std::uint8_t>(samegame::kSideMin + input.next() % 29);
  setting.colours = static_cast<samegame::Colour>(samegame::kColoursMin + input.next() % 8);
  setting.penalty = static_cast<samegame::Penalty>(input.next() % 3);
  std::vector<samegame::Colour> cells(setting.cell_count());
  const unsigned filled = 1U + input.next() % setting.columns;
  for (std::size_t column = 0; column < filled; ++column) {
    const unsigned height = 1U + input.next() % setting.rows;
    for (std::size_t row = setting.rows - height; row < setting.rows; ++row) {
      cells[row * setting.columns + column] =
          static_cast<samegame::Colour>(1 + input.next() % setting.colours);
    }
  }
  return {.setting = setting, .board = samegame::board_of<samegame::LargeBoard>(setting, cells)};
}

template <Game G>
using Moves = std::vector<typename G::Move>;

/// A new strategy's choice. It is given a plan, which may fit or not, and gives its own.
template <Game G>
std::pair<Choice<G>, Moves<G>> choose(const Registered<G>& registered, const typename G::State& s,
                                      const Moves<G>& plan, const Seed& seed, std::uint64_t nodes) {
  Rng rng{seed};
  const Seat seat = G::turn(s).value_or(Seat{0});
  const auto strategy = registered.make({.tree_bytes = kTreeBytes});
  strategy->resume(s, plan);
  const Choice<G> choice = strategy->choose(s, seat, rng, {.nodes = nodes});
  return {choice, strategy->plan()};
}

template <Game G>
void play(Input& input) {
  auto s = read_position(G{}, input);
  const auto all = strategies<G>();
  const Seed seed = read_seed(input);
  Rng table{seed};
  Moves<G> plan;
  for (int move = 0; move < kMovesMax; ++move) {
    const Registered<G>& strategy = all[input.next() % all.size()];
    const std::uint64_t nodes = std::uint64_t{input.next()} * input.next() / 16;
    const auto [choice, next] = choose(strategy, s, plan, seed, nodes);
    require(choose(strategy, s, plan, seed, nodes) == std::pair{choice, next});
    plan = next;
    const auto seat = G::turn(s);
    if (!seat) {
      require(choice == Choice<G>{});
      return;
    }
    const auto after = G::apply(s, *seat, choice.move, table, NoStages{});
    require(after.has_value());
    s = *after;
  }
}

}  // namespace
}  // namespace tesela

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tesela::fuzz::Input input{data, size};
  switch (input.next() % 4) {
    case 0:
      tesela::play<tesela::azul::Game>(input);
      break;
    case 1:
      tesela::play<tesela::g2048::Game>(input);
      break;
    case 2:
      tesela::play<tesela::g2248::Game>(input);
      break;
    default:
      tesela::play<tesela::samegame::Game>(input);
      break;
  }
  return 0;
}
