#include "clients/cli/games/azul/azul_text.h"

#include <algorithm>

#include "clients/cli/games/azul/azul_json.h"
#include "engine/azul/text.h"

namespace tesela::cli {
namespace {

using azul::Move;
using azul::Outcome;
using azul::Stage;
using azul::State;

std::span<const azul::Board> boards_of(const State& s) {
  return std::span{s.table.boards}.first(s.table.players);
}

Json scores_json(const State& s) {
  Json scores = Json::array();
  for (const azul::Board& board : boards_of(s)) scores.push_back(board.score);
  return scores;
}

}  // namespace

void AzulWords::Tally::add(const State& end, std::uint64_t moves) {
  std::int64_t most = 0;
  for (const azul::Board& board : boards_of(end)) {
    score_.add(board.score);
    most = std::max<std::int64_t>(most, board.score);
  }
  winner_.add(most);
  moves_.add(static_cast<std::int64_t>(moves));
  rounds_.add(end.round);
  outcomes_.add(0, outcome(end));
}

std::string AzulWords::Tally::text() const {
  return distribution_head() + winner_.line() + score_.line() + moves_.line() + rounds_.line() +
         outcomes_.line();
}

Json AzulWords::Tally::json() const {
  return {{"winners_score", winner_.json()},
          {"all_scores", score_.json()},
          {"moves", moves_.json()},
          {"rounds", rounds_.json()},
          {"outcome", outcomes_.json()}};
}

std::string AzulWords::draw(const State& s) {
  return azul::headline(s) + "\n" + azul::draw(s.table);
}

std::string AzulWords::say(const State& before, const Move& move) {
  return azul::say(before, move);
}

/// Every stage in a line, and then the table once.
std::string AzulWords::tell(std::span<const Stage> stages, const State& after) {
  std::string text;
  for (const Stage& stage : stages) text += azul::say(stage) + "\n";
  return text + draw(after);
}

std::string AzulWords::standing(const State& s) {
  std::string text = "scores";
  for (const azul::Board& board : boards_of(s)) {
    text += (text == "scores" ? " " : " : ") + std::to_string(board.score);
  }
  return text;
}

std::string AzulWords::outcome(const State& s) {
  switch (azul::outcome(s)) {
    case Outcome::kRowComplete:
      return "row complete";
    case Outcome::kNoTiles:
      return "no tiles";
    case Outcome::kNoTiling:
      return "no tiling";
    case Outcome::kInPlay:
      break;
  }
  return "stopped";
}

std::int64_t AzulWords::points(const State& s, Seat seat) {
  return s.table.boards[seat.value].score;
}

Json AzulWords::start_json(const State& s) {
  return {{"config", {{"players", s.table.players}, {"untiled_rounds_max", s.untiled_rounds_max}}},
          {"state", azul_state_json(s)}};
}

Json AzulWords::move_json(const State& before, const Move& chosen,
                          std::span<const Stage> /*stages*/, const State& after) {
  Json json = choice_json(before, chosen);
  json.update({{"round", after.round}, {"state", azul_state_json(after)}});
  return json;
}

Json AzulWords::choice_json(const State& before, const Move& chosen) {
  return {{"seat", before.turn.value}, {"played", azul_move_json(chosen)}};
}

Json AzulWords::end_json(const State& s) {
  Json ranks = Json::array();
  if (const auto result = Game::result(s)) {
    for (std::size_t seat = 0; seat < result->seats; ++seat) {
      ranks.push_back(result->standings[seat].rank);
    }
  }
  return {{"scores", scores_json(s)}, {"ranks", ranks}};
}

/// The state, or an object that has it as its "state".
Expected<State> AzulWords::read_position(const Json& json) {
  JsonReading reading;
  const State s = read_azul_state(json.contains("state") ? json["state"] : json, reading);
  if (reading.failed()) return reading.error();
  return s;
}

}  // namespace tesela::cli
