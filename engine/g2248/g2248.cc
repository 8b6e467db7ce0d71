#include "engine/g2248/g2248.h"

#include <algorithm>

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

}  // namespace tesela::g2248
