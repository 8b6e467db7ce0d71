#include "clients/cli/games/g2248/g2248_text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "clients/cli/games/g2248/g2248_json.h"
#include "clients/cli/simulate/grid_json.h"
#include "engine/g2248/text.h"

namespace tesela::cli {
namespace {

using g2248::Board;
using g2248::Move;
using g2248::MoveKind;
using g2248::Stage;
using g2248::State;

std::uint64_t largest_tile(const Board& board) {
  return g2248::tile_value(std::ranges::max(board.used()));
}

Json grid_of(const Board& board) {
  return rows_json(board.used(), board.columns, g2248::tile_value);
}

}  // namespace

void G2248Words::Tally::add(const State& end, std::uint64_t moves) {
  add_game({.score = end.score,
            .moves = moves,
            .largest = largest_tile(end.board),
            .aim = end.goal,
            .reached = end.goal_reached});
}

std::string G2248Words::draw(const State& s) {
  return g2248::draw(s.board);
}

std::string G2248Words::say(const State& before, const Move& move) {
  if (move.kind == MoveKind::kBooster) return "booster";
  std::string text = "chain";
  for (const g2248::Cell cell : move.chain.cells()) {
    text += " " + std::to_string(cell / before.board.columns) + "," +
            std::to_string(cell % before.board.columns);
  }
  return text;
}

std::string G2248Words::tell(std::span<const Stage> stages, const State& /*after*/) {
  constexpr std::array<std::string_view, 4> kNames{"sum", "clear", "fall", "refill"};
  std::string text;
  for (const Stage& stage : stages) {
    text += kNames.at(static_cast<std::size_t>(stage.kind));
    if (stage.points != 0) text += " +" + std::to_string(stage.points);
    if (stage.goal_reached) text += ", the goal is reached";
    text += '\n' + g2248::draw(stage.board);
  }
  return text;
}

std::string G2248Words::standing(const State& s) {
  return "score " + std::to_string(s.score);
}

std::string G2248Words::outcome(const State& s) {
  return g2248::outcome(s) == g2248::Outcome::kOver ? "over" : "stopped";
}

std::int64_t G2248Words::points(const State& s, Seat /*seat*/) {
  return static_cast<std::int64_t>(s.score);
}

Json G2248Words::start_json(const State& s) {
  return {{"config", {{"rows", s.board.rows}, {"columns", s.board.columns}, {"goal", s.goal}}},
          {"grid", grid_of(s.board)}};
}

Json G2248Words::move_json(const State& before, const Move& move, std::span<const Stage> stages,
                           const State& after) {
  Json json = choice_json(before, move);
  json["refilled"] = Json::array();
  for (const g2248::Cell cell : stages.back().refilled) {
    json["refilled"].push_back(place_json(cell, after.board.columns));
  }
  json["grid"] = grid_of(after.board);
  json["score"] = after.score;
  return json;
}

Json G2248Words::choice_json(const State& before, const Move& move) {
  if (move.kind == MoveKind::kBooster) return {{"booster", true}};
  Json chain = Json::array();
  for (const g2248::Cell cell : move.chain.cells()) {
    chain.push_back(place_json(cell, before.board.columns));
  }
  return {{"chain", std::move(chain)}};
}

Json G2248Words::end_json(const State& s) {
  return {{"score", s.score}, {"largest", largest_tile(s.board)}};
}

Expected<State> G2248Words::read_position(const Json& json) {
  return read_2248_state(json);
}

}  // namespace tesela::cli
