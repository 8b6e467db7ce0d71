#include "clients/cli/games/g2048/g2048_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clients/cli/games/g2048/g2048_screen.h"
#include "clients/cli/games/terminal_game.h"
#include "engine/g2048/g2048.h"
#include "server/games/g2048/g2048.h"

namespace tesela::cli {
namespace {

using g2048::Direction;
using g2048::Move;
using g2048::Outcome;
using g2048::Stage;
using g2048::State;
using game::v1::Game2048Config;

/// Rows of whole numbers that are not negative, as many in each row as there are rows.
using NumberGrid = std::vector<std::vector<std::uint64_t>>;
Expected<NumberGrid> read_square_grid(const Json& question, const std::string& field) {
  const auto found = question.find(field);
  if (found == question.end() || !found->is_array()) {
    return unreadable("'" + field + "' must be a list of rows.");
  }
  NumberGrid grid;
  for (const Json& row : *found) {
    if (!row.is_array() || row.size() != found->size()) {
      return unreadable("'" + field +
                        "' must be square: each row a list as long as the list of rows.");
    }
    auto& numbers = grid.emplace_back();
    for (const Json& value : row) {
      if (!value.is_number_unsigned()) {
        return unreadable("The cells of '" + field +
                          "' must be whole numbers that are not negative.");
      }
      numbers.push_back(value.get<std::uint64_t>());
    }
  }
  return grid;
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

/// The cells of the grid, and its size.
Expected<State> read_grid(const Json& question) {
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

/// "grid" (rows of values), "objective", and "n" if it is there, as tests/vectors/README.md says;
/// else the usual game, without points.
Expected<State> read_2048_state(const Json& json) {
  Expected<State> s = read_grid(json);
  if (!s) return s;
  if (json.contains("n")) {
    const Expected<std::uint64_t> n = read_number(json, "n");
    if (!n) return std::unexpected(n.error());
    if (*n != s->config.size) return unreadable("'n' is not the number of rows of 'grid'.");
  }
  const Expected<std::uint64_t> objective = read_number(json, "objective");
  if (!objective) return std::unexpected(objective.error());
  const Expected<g2048::Exponent> exponent = read_exponent(*objective, g2048::kObjectiveMin);
  if (!exponent) return std::unexpected(exponent.error());
  s->config.objective = *exponent;
  s->objective_reached = std::ranges::max(s->cells) >= *exponent;
  return s;
}

Json grid_json(const g2048::Cells& cells, std::uint8_t size) {
  const auto used = std::span{cells}.first(std::size_t{size} * size);
  return rows_json(used, size, g2048::tile_value);
}

Json config_json(const g2048::Config& config) {
  Json weights = Json::array();
  for (const g2048::SpawnWeight& weight : std::span{config.weights}.first(config.weight_count)) {
    weights.push_back(
        {{"value", g2048::tile_value(weight.exponent)}, {"per_mille", weight.per_mille}});
  }
  Json json{
      {"size", config.size}, {"weights", std::move(weights)}, {"start_tiles", config.start_tiles}};
  if (config.start_exponent != g2048::kDrawn) {
    json["start_value"] = g2048::tile_value(config.start_exponent);
  }
  json["objective"] = g2048::tile_value(config.objective);
  json["stop_at_objective"] = config.stop_at_objective;
  return json;
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

/// What each move does to a grid, before the spawn, and the state of the game.
Expected<Json> answer_moves(const Json& question) {
  const Expected<State> s = read_2048_state(question);
  if (!s) return std::unexpected(s.error());
  Json answer = Json::object();
  for (const Direction direction : g2048::kDirections) {
    answer[std::string{g2048::name(direction)}] = answer_direction(*s, direction);
  }
  answer["state"] = state_name(*s);
  return answer;
}

constexpr std::array kQuestions{
    QuestionKind{"moves", answer_moves},
};

std::uint64_t largest_tile(const State& s) {
  return g2048::tile_value(std::ranges::max(s.cells));
}

void read_weights(const std::vector<std::string>& texts, Game2048Config& config) {
  for (const auto& text : texts) {
    std::uint32_t value = 0;
    std::uint32_t per_mille = 0;
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || !CLI::detail::lexical_cast(text.substr(0, colon), value) ||
        !CLI::detail::lexical_cast(text.substr(colon + 1), per_mille)) {
      throw CLI::ValidationError("--spawn", "'" + text + "' is not VALUE:PER_MILLE, such as 2:900");
    }
    auto& weight = *config.add_weights();
    weight.set_value(value);
    weight.set_per_mille(per_mille);
  }
}

constexpr std::array kOptions{
    FieldOption{"--size", "size", "Rows and columns, 2..8 (4)"},
    FieldOption{"--objective", "objective", "The tile to reach (2048)"},
    FieldOption{"--start-tiles", "start_tiles", "Tiles at the start (2)"},
    FieldOption{"--start-value", "start_value", "Their value (drawn)"},
    FieldOption{"--preset", "preset", "A named configuration: classic, amat"},
    FieldOption{"--stop-at-objective", "stop_at_objective",
                "The game ends when the objective is reached"},
};

}  // namespace

void G2048Text::Statistics::add(const State& end, std::uint64_t moves) {
  add_game({.score = end.score,
            .moves = moves,
            .largest = largest_tile(end),
            .aim = g2048::tile_value(end.config.objective),
            .reached = end.objective_reached});
}

std::string G2048Text::draw(const State& s) {
  return g2048::draw(s.cells, s.config.size);
}

std::string G2048Text::say(const State& /*before*/, const Move& move) {
  return std::string{g2048::name(move.direction)};
}

std::string G2048Text::tell(std::span<const Stage> stages, const State& after) {
  constexpr std::array<std::string_view, 3> kNames{"slide", "merge", "spawn"};
  std::string text;
  for (const Stage& stage : stages) {
    text += kNames.at(static_cast<std::size_t>(stage.kind));
    if (stage.points != 0) text += " +" + std::to_string(stage.points);
    text += '\n' + g2048::draw(stage.cells, after.config.size);
  }
  return text;
}

std::string G2048Text::standing(const State& s) {
  return "score " + std::to_string(s.score);
}

std::string G2048Text::outcome(const State& s) {
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

std::int64_t G2048Text::points(const State& s, Seat /*seat*/) {
  return static_cast<std::int64_t>(s.score);
}

Json G2048Text::start_json(const State& s) {
  return {{"config", config_json(s.config)}, {"grid", grid_json(s.cells, s.config.size)}};
}

Json G2048Text::move_json(const State& before, const Move& move, std::span<const Stage> stages,
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

Json G2048Text::choice_json(const State& /*before*/, const Move& move) {
  return {{"direction", g2048::name(move.direction)}};
}

Json G2048Text::end_json(const State& s) {
  return {{"score", s.score}, {"largest", largest_tile(s)}};
}

Expected<State> G2048Text::read_position(const Json& json) {
  if (json.contains("objective")) return read_2048_state(json);
  Json with_objective = json;
  with_objective["objective"] = g2048::tile_value(Game::Config{}.objective);
  return read_2048_state(with_objective);
}

void G2048Text::add_options(CLI::App& app, Game2048Config& config) {
  add_field_options(app, config, kOptions);
  app.add_option_function<std::vector<std::string>>(
         "--spawn",
         [&config](const std::vector<std::string>& texts) { read_weights(texts, config); },
         "The values of new tiles, in per mille (2:900 4:100)")
      ->type_name("VALUE:PER_MILLE");
}

constinit const TerminalGame kTerminalG2048 =
    terminal_game<G2048Text, games::G2048Codec, G2048Screen>(
        {.new_game = "A new game of 2048",
         .position = R"("grid" and, if it is not 2048, "objective")",
         .questions = kQuestions,
         .questions_help = R"(
kind "moves" (2048): "grid" (n rows of n values, 0 is empty) and "objective" are answered with
"left", "right", "up" and "down", each with "grid" (before the spawn), "moved" and "gain", and with
"state": win, ok or lose.
)"});

}  // namespace tesela::cli
