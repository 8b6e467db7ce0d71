#include "clients/cli/games/g2248/g2248_rules.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/games/g2248/g2248_json.h"
#include "engine/g2248/hints.h"
#include "engine/g2248/moves.h"

namespace tesela::cli {
namespace {

using g2248::Board;
using g2248::Exponent;
using g2248::Path;
using g2248::Stage;
using g2248::StageKind;

bool is_place(const Json& place) {
  return place.is_array() && place.size() == 2 && place[0].is_number_unsigned() &&
         place[1].is_number_unsigned();
}

Expected<Path> read_path(const Json& question, const Board& board) {
  const auto places = question.find("path");
  if (places == question.end() || !places->is_array()) {
    return unreadable("'path' must be a list of cells, each [row, column].");
  }
  if (places->size() > g2248::kCellsMax) {
    return unreadable("A path has at most " + std::to_string(g2248::kCellsMax) + " cells, not " +
                      std::to_string(places->size()) + ".");
  }
  Path path;
  for (const Json& place : *places) {
    if (!is_place(place) || place[0].get<std::uint64_t>() >= board.rows ||
        place[1].get<std::uint64_t>() >= board.columns) {
      return unreadable("The cells of 'path' must be [row, column] of the grid, not " +
                        place.dump() + ".");
    }
    path.push_back(static_cast<g2248::Cell>(place[0].get<unsigned>() * board.columns +
                                            place[1].get<unsigned>()));
  }
  return path;
}

Json grid_json(const Board& board) {
  Json grid = Json::array();
  for (const Exponent tile : board.used()) {
    grid.push_back(g2248::tile_value(tile));
  }
  return grid;
}

Json path_json(const Path& path, const Board& board) {
  Json places = Json::array();
  for (const g2248::Cell cell : path.cells()) {
    places.push_back({cell / board.columns, cell % board.columns});
  }
  return places;
}

/// The stages clear and fall, and what the refill draws from.
void add_stages(const std::vector<Stage>& stages, Json& answer) {
  for (const Stage& stage : stages) {
    if (stage.kind == StageKind::kClear) {
      const g2248::RefillRange range = g2248::refill_range(g2248::largest(stage.board));
      answer["stage_sum"] = grid_json(stage.board);
      answer["refill_exponents"] = {range.low, range.high};
    } else if (stage.kind == StageKind::kFall) {
      answer["stage_gravity"] = grid_json(stage.board);
    }
  }
}

/// What the refill draws is not asked for: any dice will do.
Rng any_dice() {
  return Rng{Seed{}};
}

Expected<Json> answer_hint(const Json& question,
                           std::optional<g2248::Hint> (*find)(g2248::BoardView)) {
  const Expected<Board> board = read_2248_board(question);
  if (!board) return std::unexpected(board.error());
  const std::optional<g2248::Hint> hint = find(*board);
  if (!hint) return Json{{"value", 0}, {"path", Json::array()}};
  return Json{{"value", g2248::tile_value(hint->value)}, {"path", path_json(hint->path, *board)}};
}

}  // namespace

Expected<Json> answer_2248_join(const Json& question) {
  Expected<Board> board = read_2248_board(question);
  if (!board) return std::unexpected(board.error());
  const Expected<Path> path = read_path(question, *board);
  if (!path) return std::unexpected(path.error());
  const Expected<Exponent> value = g2248::check_chain(*board, path->cells());
  if (!value) return std::unexpected(value.error());
  std::vector<Stage> stages;
  Rng rng = any_dice();
  g2248::join(*board, path->cells(), {.value = *value, .goal_reached = false}, rng,
              CollectStages{stages});
  Json answer{{"value", g2248::tile_value(*value)}};
  add_stages(stages, answer);
  return answer;
}

Expected<Json> answer_2248_booster(const Json& question) {
  Expected<Board> board = read_2248_board(question);
  if (!board) return std::unexpected(board.error());
  const g2248::Groups groups{*board};
  Json answer{{"groups", Json::array()}};
  for (std::size_t index = 0; index < groups.size(); ++index) {
    answer["groups"].push_back(groups[index].cells);
  }
  if (groups.size() == 0) {
    answer.update({{"stage_sum", grid_json(*board)},
                   {"stage_gravity", grid_json(*board)},
                   {"refill_exponents", nullptr}});
    return answer;
  }
  if (auto allowed = check_booster(*board, groups); !allowed) {
    return std::unexpected(allowed.error());
  }
  std::vector<Stage> stages;
  Rng rng = any_dice();
  g2248::collapse(*board, groups, rng, CollectStages{stages});
  add_stages(stages, answer);
  return answer;
}

Expected<Json> answer_2248_max_path(const Json& question) {
  return answer_hint(question, [](g2248::BoardView board) { return g2248::max_path(board); });
}

Expected<Json> answer_2248_max_adjacent(const Json& question) {
  return answer_hint(question, [](g2248::BoardView board) { return g2248::max_adjacent(board); });
}

}  // namespace tesela::cli
