#include "clients/cli/games/g2048/g2048_text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "clients/cli/games/g2048/g2048_json.h"
#include "engine/g2048/text.h"

namespace tesela::cli {
namespace {

using g2048::Move;
using g2048::Outcome;
using g2048::Stage;
using g2048::State;

std::uint64_t largest_tile(const State& s) {
  return g2048::tile_value(std::ranges::max(s.cells));
}

}  // namespace

void G2048Words::Tally::add(const State& end, std::uint64_t moves) {
  add_game({.score = end.score,
            .moves = moves,
            .largest = largest_tile(end),
            .aim = g2048::tile_value(end.config.objective),
            .reached = end.objective_reached});
}

std::string G2048Words::draw(const State& s) {
  return g2048::draw(s.cells, s.config.size);
}

std::string G2048Words::say(const State& /*before*/, const Move& move) {
  return std::string{g2048::name(move.direction)};
}

std::string G2048Words::tell(std::span<const Stage> stages, const State& after) {
  constexpr std::array<std::string_view, 3> kNames{"slide", "merge", "spawn"};
  std::string text;
  for (const Stage& stage : stages) {
    text += kNames.at(static_cast<std::size_t>(stage.kind));
    if (stage.points != 0) text += " +" + std::to_string(stage.points);
    text += '\n' + g2048::draw(stage.cells, after.config.size);
  }
  return text;
}

std::string G2048Words::standing(const State& s) {
  return "score " + std::to_string(s.score);
}

std::string G2048Words::outcome(const State& s) {
  switch (g2048::outcome(s)) {
    case Outcome::kWon:
      return "won";
    case Outcome::kLost:
      return "lost";
    case Outcome::kInPlay:
    case Outcome::kObjectiveReached:
      break;
  }
  return "stopped";
}

std::int64_t G2048Words::points(const State& s, Seat /*seat*/) {
  return static_cast<std::int64_t>(s.score);
}

Json G2048Words::start_json(const State& s) {
  return {{"config", config_json(s.config)}, {"grid", grid_json(s.cells, s.config.size)}};
}

Json G2048Words::move_json(const State& before, const Move& move, std::span<const Stage> stages,
                           const State& after) {
  const Stage& spawn = stages.back();
  Json json = choice_json(before, move);
  json.update({{"spawn",
                {{"row", spawn.spawned / after.config.size},
                 {"column", spawn.spawned % after.config.size},
                 {"value", g2048::tile_value(after.cells[spawn.spawned])}}},
               {"grid", grid_json(after.cells, after.config.size)},
               {"score", after.score}});
  return json;
}

Json G2048Words::choice_json(const State& /*before*/, const Move& move) {
  return {{"direction", g2048::name(move.direction)}};
}

Json G2048Words::end_json(const State& s) {
  return {{"score", s.score}, {"largest", largest_tile(s)}};
}

Expected<State> G2048Words::read_position(const Json& json) {
  if (json.contains("objective")) return read_2048_state(json);
  Json with_objective = json;
  with_objective["objective"] = g2048::tile_value(Game::Config{}.objective);
  return read_2048_state(with_objective);
}

}  // namespace tesela::cli
