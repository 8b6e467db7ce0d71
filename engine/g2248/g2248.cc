#include "engine/g2248/g2248.h"

#include <algorithm>
#include <cstddef>

namespace tesela::g2248 {

Outcome outcome(const State& s) {
  if (!has_chain(s.board)) {
    return Outcome::kOver;
  }
  return s.goal_reached ? Outcome::kGoalReached : Outcome::kInPlay;
}

bool score(State& s, std::uint64_t points) {
  s.score = std::min(s.score + points, kScoreMax);
  const bool reached = !s.goal_reached && s.score >= s.goal;
  s.goal_reached = s.goal_reached || reached;
  return reached;
}

Expected<State> Game::start(const Config& config, Rng& rng) {
  if (auto valid = validate(config); !valid) {
    return std::unexpected(std::move(valid).error());
  }
  State s{.board = {.rows = config.rows, .columns = config.columns}, .goal = config.goal};
  do {
    for (Exponent& cell : s.board.used()) {
      cell = static_cast<Exponent>(1 + rng.uniform(kStartExponentMax));
    }
  } while (!has_chain(s.board));
  return s;
}

std::optional<Seat> Game::turn(const State& s) {
  return has_chain(s.board) ? std::optional{kOnlySeat} : std::nullopt;
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

Error Game::why_refused(const State& s, Error refused) {
  if (!turn(s)) {
    return {.code = ErrorCode::kGameOver, .message = "The game is over."};
  }
  return refused;
}

std::string draw(BoardView board) {
  constexpr std::size_t kWidthMin = 5;
  const std::string largest = std::to_string(tile_value(std::ranges::max(board.cells)));
  const std::size_t width = std::max(kWidthMin, largest.size() + 1);
  std::string text;
  for (std::size_t cell = 0; cell < board.cells.size(); ++cell) {
    const Exponent exponent = board.cells[cell];
    const std::string value = exponent == 0 ? "." : std::to_string(tile_value(exponent));
    text.append(width - value.size(), ' ').append(value);
    if ((cell + 1) % board.columns == 0) {
      text.push_back('\n');
    }
  }
  return text;
}

namespace {

template <std::size_t Capacity>
Playout play_on(const State& s, std::uint64_t moves_max, Rng& rng) {
  BoardOf<Capacity> board{.rows = s.board.rows, .columns = s.board.columns};
  std::ranges::copy(s.board.used(), board.cells.begin());
  Playout playout{.end = s};
  while (playout.moves < moves_max && has_chain(board)) {
    const Path chain = random_chain(board, rng);
    const Exponent value = value_of(board, chain.cells());
    score(playout.end, tile_value(value));
    join(board, chain.cells(), {.value = value, .goal_reached = false}, rng, NoStages{});
    ++playout.moves;
  }
  std::ranges::copy(board.used(), playout.end.board.cells.begin());
  return playout;
}

}  // namespace

Playout play_out(const State& s, std::uint64_t moves_max, Rng& rng) {
  return s.board.size() <= kSmallCellsMax ? play_on<kSmallCellsMax>(s, moves_max, rng)
                                          : play_on<kCellsMax>(s, moves_max, rng);
}

}  // namespace tesela::g2248
