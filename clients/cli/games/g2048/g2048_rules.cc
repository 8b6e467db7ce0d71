#include "clients/cli/games/g2048/g2048_rules.h"

#include <string>

#include "clients/cli/games/g2048/g2048_json.h"
#include "engine/g2048/g2048.h"

namespace tesela::cli {
namespace {

using g2048::Direction;
using g2048::State;

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
  const Expected<State> s = read_2048_state(question);
  if (!s) return std::unexpected(s.error());
  Json answer = Json::object();
  for (const Direction direction : g2048::kDirections) {
    answer[std::string{g2048::name(direction)}] = answer_direction(*s, direction);
  }
  answer["state"] = state_name(*s);
  return answer;
}

}  // namespace tesela::cli
