#include "tests/fifth_game/lights_out.h"

#include <array>
#include <bit>
#include <numeric>
#include <span>

namespace tesela::lights_out {
namespace {

Lights light_of(int cell) {
  return Lights{1} << static_cast<unsigned>(cell);
}

}  // namespace

Expected<void> validate(const Config& config) {
  if (config.size < kSizeMin || config.size > kSizeMax) {
    return refuse(ErrorCode::kInvalidArgument,
                  "A board has 2 to 8 rows, not " + std::to_string(config.size) + ".");
  }
  const int cells = config.size * config.size;
  if (config.presses == 0 || config.presses > cells) {
    return refuse(ErrorCode::kInvalidArgument, "Of such a board 1 to " + std::to_string(cells) +
                                                   " cells are pressed at the start, not " +
                                                   std::to_string(config.presses) + ".");
  }
  if (config.moves_max == 0 || config.moves_max > kMovesMax) {
    return refuse(ErrorCode::kInvalidArgument,
                  "A game has 1 to 250 moves, not " + std::to_string(config.moves_max) + ".");
  }
  return {};
}

Lights pressed(std::uint8_t size, std::uint8_t cell) {
  const int row = cell / size;
  const int column = cell % size;
  Lights changed = light_of(cell);
  if (row > 0) changed |= light_of(cell - size);
  if (row + 1 < size) changed |= light_of(cell + size);
  if (column > 0) changed |= light_of(cell - 1);
  if (column + 1 < size) changed |= light_of(cell + 1);
  return changed;
}

int lights_on(const State& s) {
  return std::popcount(s.lights);
}

std::int64_t points(const State& s) {
  return s.lights == 0 ? s.moves_left + 1 : 0;
}

std::string draw(std::uint8_t size, Lights lights) {
  std::string text;
  for (int cell = 0; cell < size * size; ++cell) {
    text += (lights & light_of(cell)) != 0 ? '#' : '.';
    if (cell % size == size - 1) text += '\n';
  }
  return text;
}

Expected<State> Game::start(const Config& config, Rng& rng) {
  if (auto valid = validate(config); !valid) return std::unexpected(valid.error());
  State s{.size = config.size, .moves_left = config.moves_max};
  std::array<std::uint8_t, std::size_t{kSizeMax} * kSizeMax> all{};
  const auto cells = std::span{all}.first(s.cells());
  while (s.lights == 0) {
    std::iota(cells.begin(), cells.end(), std::uint8_t{0});
    rng.shuffle(cells);
    for (const std::uint8_t cell : cells.first(config.presses)) {
      s.lights ^= pressed(s.size, cell);
    }
  }
  return s;
}

std::optional<Seat> Game::turn(const State& s) {
  if (s.lights == 0 || s.moves_left == 0) return std::nullopt;
  return kOnlySeat;
}

Result Game::standings(const State& s) {
  Result result{.seats = 1};
  result.standings[0].points = points(s);
  return result;
}

std::optional<Result> Game::result(const State& s) {
  if (turn(s)) return std::nullopt;
  return standings(s);
}

Expected<void> Game::judge(const State& s, Seat seat, const Move& move) {
  if (!turn(s)) return refuse(ErrorCode::kGameOver, "The game is over.");
  if (seat != kOnlySeat) return refuse(ErrorCode::kNotYourTurn, "Only seat 0 plays.");
  if (move.cell >= s.cells()) {
    return refuse(ErrorCode::kIllegalMove, "The board has cells 0 to " +
                                               std::to_string(s.cells() - 1) + ", not " +
                                               std::to_string(move.cell) + ".");
  }
  return {};
}

}  // namespace tesela::lights_out
