#include "tests/fifth_game/lights_out_text.h"

#include <array>

#include "clients/cli/games/terminal_game.h"
#include "clients/cli/screen/any_grid_screen.h"
#include "tests/fifth_game/lights_out_codec.h"

namespace tesela::cli {
namespace {

using lights_out::Move;
using lights_out::Stage;
using lights_out::State;

constexpr std::array kLightsOutOptions{
    FieldOption{"--size", "size", "Rows and columns, 2..8 (5)"},
    FieldOption{"--presses", "presses", "Cells that are pressed at the start (6)"},
    FieldOption{"--moves-max", "moves_max", "Moves until the game is over (50)"},
};

Json board_json(const State& s) {
  Json rows = Json::array();
  const std::string drawn = lights_out::draw(s.size, s.lights);
  for (std::size_t at = 0; at < drawn.size(); at += s.size + std::size_t{1}) {
    rows.push_back(drawn.substr(at, s.size));
  }
  return rows;
}

}  // namespace

void LightsOutText::Statistics::add(const State& end, std::uint64_t moves) {
  points_.add(lights_out::points(end));
  moves_.add(static_cast<std::int64_t>(moves));
}

std::string LightsOutText::Statistics::text() const {
  return distribution_head() + points_.line() + moves_.line();
}

Json LightsOutText::Statistics::json() const {
  return {{"points", points_.json()}, {"moves", moves_.json()}};
}

std::string LightsOutText::draw(const State& s) {
  return lights_out::draw(s.size, s.lights);
}

std::string LightsOutText::say(const State& before, const Move& move) {
  return "row " + std::to_string(move.cell / before.size + 1) + " column " +
         std::to_string(move.cell % before.size + 1);
}

std::string LightsOutText::tell(std::span<const Stage> stages, const State& /*after*/) {
  std::string text;
  for (const Stage& stage : stages) text += "press\n" + lights_out::draw(stage.size, stage.lights);
  return text;
}

std::string LightsOutText::standing(const State& s) {
  return std::to_string(lights_out::lights_on(s)) + " lights on, " + std::to_string(s.moves_left) +
         " moves left";
}

std::string LightsOutText::outcome(const State& s) {
  if (s.lights == 0) return "won";
  return s.moves_left == 0 ? "lost" : "stopped";
}

std::int64_t LightsOutText::points(const State& s, Seat /*seat*/) {
  return lights_out::points(s);
}

Json LightsOutText::start_json(const State& s) {
  return {{"board", board_json(s)}, {"moves", s.moves_left}};
}

Json LightsOutText::move_json(const State& before, const Move& move,
                              std::span<const Stage> /*stages*/, const State& after) {
  Json json = choice_json(before, move);
  json["board"] = board_json(after);
  return json;
}

Json LightsOutText::choice_json(const State& before, const Move& move) {
  return {{"cell", place_json(move.cell, before.size)}};
}

Json LightsOutText::end_json(const State& s) {
  return {{"points", lights_out::points(s)}};
}

Expected<State> LightsOutText::read_position(const Json& json) {
  const auto moves = read_number(json, "moves");
  if (!moves) return std::unexpected(moves.error());
  const Json board = json.value("board", Json::array());
  if (*moves > lights_out::kMovesMax || board.size() < lights_out::kSizeMin ||
      board.size() > lights_out::kSizeMax) {
    return unreadable("A position has 2 to 8 rows and at most 250 moves.");
  }
  State s{.size = static_cast<std::uint8_t>(board.size()),
          .moves_left = static_cast<std::uint8_t>(*moves)};
  unsigned cell = 0;
  for (const Json& row : board) {
    if (!row.is_string() || row.get<std::string>().size() != s.size) {
      return unreadable("A row is a text with as many characters as there are rows.");
    }
    for (const char light : row.get<std::string>()) {
      s.lights |= lights_out::Lights{light == '#' ? 1U : 0U} << cell++;
    }
  }
  return s;
}

void LightsOutText::add_options(CLI::App& app, fifth_game::v1::LightsOutConfig& config) {
  add_field_options(app, config, kLightsOutOptions);
}

constinit const TerminalGame kTerminalLightsOut =
    terminal_game<LightsOutText, games::LightsOutCodec, AnyGridScreen>(
        {.new_game = "A new game of Lights Out",
         .position = R"("board" and "moves")",
         .questions = {},
         .questions_help = ""});

}  // namespace tesela::cli
