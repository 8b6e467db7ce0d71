#include "clients/cli/games/g2248/g2248_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/games/g2248/g2248_screen.h"
#include "clients/cli/games/terminal_game.h"
#include "engine/g2248/g2248.h"
#include "engine/g2248/hints.h"
#include "engine/g2248/moves.h"
#include "server/games/g2248/g2248.h"

namespace tesela::cli {
namespace {

using g2248::Board;
using g2248::Exponent;
using g2248::Move;
using g2248::MoveKind;
using g2248::Path;
using g2248::Stage;
using g2248::StageKind;
using g2248::State;

Expected<Exponent> read_tile(const Json& value) {
  if (!value.is_number_unsigned()) {
    return unreadable("The cells of 'grid' must be whole numbers that are not negative.");
  }
  const auto number = value.get<std::uint64_t>();
  if (number == 0) return Exponent{0};
  if (number < 2 || !std::has_single_bit(number) || number > g2248::tile_value(60)) {
    return unreadable(std::to_string(number) + " is not a power of two from 2 to 2^60.");
  }
  return static_cast<Exponent>(std::countr_zero(number));
}

/// "grid" (flat, row by row) and "cols": any number of rows and columns, as long as the cells are
/// not too many.
Expected<Board> read_2248_board(const Json& question) {
  const Expected<std::uint64_t> columns = read_number(question, "cols");
  if (!columns) return std::unexpected(columns.error());
  const auto grid = question.find("grid");
  if (grid == question.end() || !grid->is_array()) {
    return unreadable("'grid' must be a list of cells.");
  }
  const std::size_t cells = grid->size();
  if (cells < 1 || cells > g2248::kCellsMax) {
    return unreadable("A grid has 1 to " + std::to_string(g2248::kCellsMax) + " cells, not " +
                      std::to_string(cells) + ".");
  }
  if (*columns < 1 || *columns > cells || cells % *columns != 0) {
    return unreadable("'grid' must be rows of 'cols' cells, and " + std::to_string(cells) +
                      " cells are no rows of " + std::to_string(*columns) + ".");
  }
  Board board;
  board.rows = static_cast<std::uint8_t>(cells / *columns);
  board.columns = static_cast<std::uint8_t>(*columns);
  auto cell = board.cells.begin();
  for (const Json& value : *grid) {
    const Expected<Exponent> tile = read_tile(value);
    if (!tile) return std::unexpected(tile.error());
    *cell++ = *tile;
  }
  return board;
}

/// The same board in the usual game, without points.
Expected<State> read_2248_state(const Json& json) {
  const Expected<Board> board = read_2248_board(json);
  if (!board) return std::unexpected(board.error());
  return g2248::State{.board = *board, .goal = g2248::Config{}.goal};
}

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

/// The stages clear and fall, and the range of the refill.
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

/// The answers end before the refill, so any dice will do.
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

/// The grid after a chain, before the refill.
Expected<Json> answer_join(const Json& question) {
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

/// The grid after the booster, before the refill; unchanged without a group.
Expected<Json> answer_booster(const Json& question) {
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

Expected<Json> answer_max_path(const Json& question) {
  return answer_hint(question, [](g2248::BoardView board) { return g2248::max_path(board); });
}

Expected<Json> answer_max_adjacent(const Json& question) {
  return answer_hint(question, [](g2248::BoardView board) { return g2248::max_adjacent(board); });
}

constexpr std::array kQuestions{
    QuestionKind{"join", answer_join},
    QuestionKind{"booster", answer_booster},
    QuestionKind{"max_path", answer_max_path},
    QuestionKind{"max_adjacent", answer_max_adjacent},
};

std::uint64_t largest_tile(const Board& board) {
  return g2248::tile_value(std::ranges::max(board.used()));
}

Json grid_of(const Board& board) {
  return rows_json(board.used(), board.columns, g2248::tile_value);
}

constexpr std::array kOptions{
    FieldOption{"--rows", "rows", "Rows, 3..12 (8)"},
    FieldOption{"--columns", "columns", "Columns, 3..10 (5)"},
    FieldOption{"--goal", "goal", "The score to reach (2248)"},
};

}  // namespace

void G2248Text::Statistics::add(const State& end, std::uint64_t moves) {
  add_game({.score = end.score,
            .moves = moves,
            .largest = largest_tile(end.board),
            .aim = end.goal,
            .reached = end.goal_reached});
}

std::string G2248Text::draw(const State& s) {
  return g2248::draw(s.board);
}

std::string G2248Text::say(const State& before, const Move& move) {
  if (move.kind == MoveKind::kBooster) return "booster";
  std::string text = "chain";
  for (const g2248::Cell cell : move.chain.cells()) {
    text += " " + std::to_string(cell / before.board.columns) + "," +
            std::to_string(cell % before.board.columns);
  }
  return text;
}

std::string G2248Text::tell(std::span<const Stage> stages, const State& /*after*/) {
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

std::string G2248Text::standing(const State& s) {
  return "score " + std::to_string(s.score);
}

std::string G2248Text::outcome(const State& s) {
  return g2248::outcome(s) == g2248::Outcome::kOver ? "over" : "stopped";
}

std::int64_t G2248Text::points(const State& s, Seat /*seat*/) {
  return static_cast<std::int64_t>(s.score);
}

Json G2248Text::start_json(const State& s) {
  return {{"config", {{"rows", s.board.rows}, {"columns", s.board.columns}, {"goal", s.goal}}},
          {"grid", grid_of(s.board)}};
}

Json G2248Text::move_json(const State& before, const Move& move, std::span<const Stage> stages,
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

Json G2248Text::choice_json(const State& before, const Move& move) {
  if (move.kind == MoveKind::kBooster) return {{"booster", true}};
  Json chain = Json::array();
  for (const g2248::Cell cell : move.chain.cells()) {
    chain.push_back(place_json(cell, before.board.columns));
  }
  return {{"chain", std::move(chain)}};
}

Json G2248Text::end_json(const State& s) {
  return {{"score", s.score}, {"largest", largest_tile(s.board)}};
}

Expected<State> G2248Text::read_position(const Json& json) {
  return read_2248_state(json);
}

void G2248Text::add_options(CLI::App& app, game::v1::Game2248Config& config) {
  add_field_options(app, config, kOptions);
}

constinit const TerminalGame kTerminalG2248 =
    terminal_game<G2248Text, games::G2248Codec, G2248Screen>({.new_game = "A new game of 2248",
                                                              .position = R"("grid" and "cols")",
                                                              .questions = kQuestions,
                                                              .questions_help = R"(
kinds "join", "booster", "max_path" and "max_adjacent" (2248): "grid" (flat, row by row, 0 is empty)
and "cols"; "join" also "path" ([row, column] each). The first two are answered with "value" or
"groups" (flat cells) and with "stage_sum" (cleared), "stage_gravity" (fallen) and
"refill_exponents" (the range that is drawn from, null without a group). The hints are answered with
"value" and "path", 0 and [] when there is none.
)"});

}  // namespace tesela::cli
