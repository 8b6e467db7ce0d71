#include "engine/g2048/g2048.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace tesela::g2048 {

namespace {

bool can_move(const State& s) {
  // A tile beside an empty cell can slide, which spares most positions the look at every line.
  const std::ptrdiff_t count = std::ptrdiff_t{s.config.size} * s.config.size;
  const auto empty = std::count(s.cells.begin(), s.cells.begin() + count, Exponent{0});
  if (empty > 0) {
    return empty < count;
  }
  const Board board{s.config.size, s.cells};
  return std::ranges::any_of(kDirections, [&](Direction d) { return board.changes(d); });
}

bool is_direction(Direction direction) {
  return std::ranges::find(kDirections, direction) != kDirections.end();
}

}  // namespace

void MoveStages::add(Phase phase, const Motion& motion) {
  const auto first = static_cast<std::size_t>(phase);
  phases_[first].motions.push_back(motion);
  // A later phase begins where this one ends.
  for (Stage& stage : std::span{phases_}.subspan(first)) {
    Exponent& from = stage.cells[motion.from];
    if (!motion.merged) {
      stage.cells[motion.to] = from;
      from = 0;
    } else if (motion.from == motion.to) {
      ++from;
    } else {
      from = 0;
    }
  }
}

Outcome outcome(const State& s) {
  return outcome(s, is_won(s) || can_move(s));
}

Outcome outcome(const State& s, bool can_move) {
  if (is_won(s)) {
    return Outcome::kWon;
  }
  if (!can_move) {
    return Outcome::kLost;
  }
  return s.objective_reached ? Outcome::kObjectiveReached : Outcome::kInPlay;
}

Expected<State> Game::start(const Config& config, Rng& rng) {
  if (auto valid = validate(config); !valid) {
    return std::unexpected(std::move(valid).error());
  }
  Board board{config.size, Cells{}};
  for (int tile = 0; tile < config.start_tiles; ++tile) {
    spawn(board, config, config.start_exponent, rng);
  }
  return State{.config = config,
               .cells = board.cells(),
               .score = 0,
               .objective_reached = board.largest() >= config.objective};
}

std::optional<Seat> Game::turn(const State& s) {
  const Outcome now = outcome(s);
  const bool over = now == Outcome::kWon || now == Outcome::kLost;
  return over ? std::nullopt : std::optional{kOnlySeat};
}

Result Game::standings(const State& s) {
  Result standings{.seats = 1, .standings = {}};
  standings.standings[0] = {.points = static_cast<std::int64_t>(s.score), .rank = 1};
  return standings;
}

std::optional<Result> Game::result(const State& s) {
  if (turn(s)) {
    return std::nullopt;
  }
  return standings(s);
}

bool Game::may_move(const State& s, Seat seat, const Move& move) {
  return seat == kOnlySeat && !is_won(s) && is_direction(move.direction);
}

std::unexpected<Error> Game::refused(const State& s, Seat seat, const Move& move) {
  if (!turn(s)) {
    return refuse(ErrorCode::kGameOver, "The game is over.");
  }
  if (seat != kOnlySeat) {
    return refuse(ErrorCode::kNotYourTurn, "2048 is played from seat 0 alone.");
  }
  if (!is_direction(move.direction)) {
    return refuse(ErrorCode::kIllegalMove, "A move goes left, right, up or down.");
  }
  return refuse(ErrorCode::kIllegalMove,
                "No tile moves or merges when sliding " + std::string{name(move.direction)} + ".");
}

std::string draw(const Cells& cells, std::uint8_t size) {
  constexpr std::size_t kWidthMin = 5;
  const std::string largest = std::to_string(tile_value(std::ranges::max(cells)));
  const std::size_t width = std::max(kWidthMin, largest.size() + 1);
  std::string text;
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      const Exponent exponent = cells[row * size + column];
      const std::string value = exponent == 0 ? "." : std::to_string(tile_value(exponent));
      text.append(width - value.size(), ' ').append(value);
    }
    text.push_back('\n');
  }
  return text;
}

}  // namespace tesela::g2048
