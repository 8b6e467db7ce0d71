#include "clients/cli/rules_2048.h"

#include <bit>
#include <string>

#include "clients/cli/json_2048.h"
#include "engine/g2048/g2048.h"

namespace tesela::cli {
namespace {

using g2048::Direction;
using g2048::State;

std::unexpected<Error> unreadable(std::string message) {
  return refuse(ErrorCode::kInvalidArgument, std::move(message));
}

/// The exponent of a power of two from 2^`least` to 2^31.
Expected<g2048::Exponent> read_exponent(std::uint64_t value, g2048::Exponent least) {
  const auto exponent = static_cast<g2048::Exponent>(std::countr_zero(value));
  if (!std::has_single_bit(value) || exponent < least || exponent > g2048::kExponentMax) {
    return unreadable(std::to_string(value) + " is not a power of two from " +
                      std::to_string(g2048::tile_value(least)) + " to 2^31.");
  }
  return exponent;
}

Expected<State> read_position(const Json& question) {
  const Expected<NumberGrid> grid = read_square_grid(question, "grid");
  if (!grid) return std::unexpected(grid.error());
  if (grid->size() < g2048::kSizeMin || grid->size() > g2048::kSizeMax) {
    return unreadable("A grid has 2 to 8 rows, not " + std::to_string(grid->size()) + ".");
  }
  State s;
  s.config.size = static_cast<std::uint8_t>(grid->size());
  auto cell = s.cells.begin();
  for (const auto& row : *grid) {
    for (const std::uint64_t value : row) {
      const Expected<g2048::Exponent> exponent =
          value == 0 ? g2048::Exponent{0} : read_exponent(value, 1);
      if (!exponent) return std::unexpected(exponent.error());
      *cell++ = *exponent;
    }
  }
  return s;
}

Json answer_direction(const State& s, Direction direction) {
  g2048::Board board{s.config.size, s.cells};
  const std::uint64_t points = board.slide(direction);
  return Json{{"grid", grid_json(board.cells(), s.config.size)},
              {"moved", board.cells() != s.cells},
              {"gain", points}};
}

std::string state_name(const State& s) {
  if (s.objective_reached) return "win";
  return g2048::outcome(s) == g2048::Outcome::kLost ? "lose" : "ok";
}

}  // namespace

Expected<Json> answer_2048_moves(const Json& question) {
  Expected<State> s = read_position(question);
  if (!s) return std::unexpected(s.error());
  if (question.contains("n")) {
    const Expected<std::uint64_t> n = read_number(question, "n");
    if (!n) return std::unexpected(n.error());
    if (*n != s->config.size) return unreadable("'n' is not the number of rows of 'grid'.");
  }
  const Expected<std::uint64_t> objective = read_number(question, "objective");
  if (!objective) return std::unexpected(objective.error());
  const Expected<g2048::Exponent> exponent = read_exponent(*objective, g2048::kObjectiveMin);
  if (!exponent) return std::unexpected(exponent.error());
  s->objective_reached = std::ranges::max(s->cells) >= *exponent;
  Json answer = Json::object();
  for (const Direction direction : g2048::kDirections) {
    answer[std::string{g2048::name(direction)}] = answer_direction(*s, direction);
  }
  answer["state"] = state_name(*s);
  return answer;
}

}  // namespace tesela::cli
