#include "clients/cli/games/azul/azul_text.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "clients/cli/games/azul/azul_json.h"
#include "clients/cli/games/azul/azul_screen.h"
#include "clients/cli/games/terminal_game.h"
#include "engine/azul/text.h"
#include "server/games/azul/azul.h"

namespace tesela::cli {
namespace {

using azul::kRows;
using azul::Move;
using azul::Outcome;
using azul::Stage;
using azul::State;
using azul::Telling;

const NoStages kUntold;

/// More than any game has.
constexpr std::size_t kRoundsMax = 1'000;
constexpr std::size_t kMovesMax = 1'000;  // a round

/// Plays a move, without ending the round. An illegal move is an error of `reader`.
void play(State& s, const Move& move, JsonReader& reader) {
  if (reader.failed()) return;
  if (!azul::choices(s).has(move)) {
    Rng untouched{Seed{}};  // a move that is refused draws nothing
    reader.refuse(azul::Game::apply(s, s.turn, move, untouched, NoStages{}).error().message);
    return;
  }
  Telling tell{s.table, kUntold};
  azul::take_turn(s.table, s.turn, move, tell);
  s.turn.value = static_cast<std::uint8_t>((s.turn.value + 1) % s.table.players);
}

Json winners_json(const Result& result) {
  Json winners = Json::array();
  for (std::size_t seat = 0; seat < result.seats; ++seat) {
    if (result.standings[seat].rank == 1) winners.push_back(seat);
  }
  return winners;
}

/// Reads the tiles of a new round into `s`.
void read_deal(const Json& round, State& s, JsonReader& reader) {
  read_azul_factories(reader.field(round, "factories"), s.table, reader);
  s.table.bag = read_azul_tiles(reader.field(round, "bag_after_deal"), "bag_after_deal", reader);
  s.table.lid = read_azul_tiles(reader.field(round, "lid_after_deal"), "lid_after_deal", reader);
  s.starter.value = static_cast<std::uint8_t>(
      reader.number(reader.field(round, "start_player"), "start_player", 0, s.table.players - 1));
  s.turn = s.starter;
  s.table.next_starter = azul::kNobody;
}

/// Plays a round and ends it, without the next deal. Returns the table after it.
Json play_round(const Json& round, State& s, JsonReader& reader) {
  read_deal(round, s, reader);
  for (const Json& move : reader.list(reader.field(round, "moves"), "moves", 1, kMovesMax)) {
    play(s, read_azul_move(move, reader), reader);
  }
  if (!azul::round_over(s.table)) reader.refuse("The moves of a round do not take all tiles.");
  Telling tell{s.table, kUntold};
  azul::end_round(s.table, tell);
  const bool nobody = s.table.marker_in_centre();
  Json after = azul_after_json(s.table);
  after["bag"] = azul_tiles_json(s.table.bag);
  after["next_start"] = (nobody ? s.starter : s.table.next_starter).value;
  after["nobody_took_centre"] = nobody;
  return Json{{"after", std::move(after)}};
}

/// Gives the bonuses. Returns how each player ended.
Json finish(State& s) {
  const azul::Table before = s.table;
  Telling tell{s.table, kUntold};
  azul::finish(s, tell);
  Json players = Json::array();
  for (std::size_t seat = 0; seat < s.table.players; ++seat) {
    Json& player = players.emplace_back(Json{{"round_score", before.boards[seat].score}});
    player.update(azul_bonus_json(before.boards[seat].wall));
    player["total"] = s.table.boards[seat].score;
  }
  return players;
}

/// All legal moves of a position, the centre's first.
Expected<Json> answer_legal(const Json& question) {
  JsonReader reader;
  const State s = read_azul_state(reader.field(question, "state"), reader);
  if (reader.failed()) return reader.error();
  std::vector<Move> moves;
  azul::choices(s).each([&](const Move& move) { moves.push_back(move); });
  // By the numbers of the sources here, the centre comes first.
  std::ranges::rotate(moves, std::ranges::find(moves, azul::kCentre, &Move::source));
  Json list = Json::array();
  for (const Move& move : moves) list.push_back(azul_move_json(move));
  return Json{{"moves", std::move(list)}};
}

/// The position after a move; when it was the round's last, before tiling.
Expected<Json> answer_apply(const Json& question) {
  JsonReader reader;
  State s = read_azul_state(reader.field(question, "state"), reader);
  play(s, read_azul_move(reader.field(question, "move"), reader), reader);
  if (reader.failed()) return reader.error();
  return Json{{"next", azul_state_json(s)}};
}

/// Tiling and penalties of a whole table, without bonuses and without the next deal.
Expected<Json> answer_round_end(const Json& question) {
  JsonReader reader;
  azul::Table table = read_azul_state(reader.field(question, "state"), reader).table;
  if (reader.failed()) return reader.error();
  Telling tell{table, kUntold};
  azul::end_round(table, tell);
  Json after = azul_after_json(table);
  after["row_completed"] = azul::has_complete_row(table);
  return Json{{"after", std::move(after)}};
}

/// What full pattern lines score on a wall.
Expected<Json> answer_tiling(const Json& question) {
  JsonReader reader;
  azul::Table table;
  table.players = azul::kPlayersMin;
  azul::Board& board = table.boards[0];
  board.wall = read_azul_wall(reader.field(question, "wall"), "wall", reader);
  const auto full = reader.list(reader.field(question, "full_lines"), "full_lines", kRows, kRows);
  for (unsigned row = 0; row < kRows; ++row) {
    const int colour = reader.number(reader.item(full, row), "full_lines", -1,
                                     static_cast<int>(azul::kColourCount) - 1);
    if (colour >= 0) {
      board.lines[row] = {.holds = static_cast<azul::Piece>(colour + 1),
                          .count = static_cast<std::uint8_t>(azul::line_size(row))};
    }
  }
  if (reader.failed()) return reader.error();
  std::vector<azul::Stage> stages;
  const CollectStages collect{stages};
  Telling tell{table, collect};
  azul::end_round(table, tell);
  std::array<int, kRows> points{};
  for (const azul::Stage& stage : stages) points[stage.tiled / kRows] = stage.points;
  return Json{{"points_per_line", points},
              {"points", board.score},
              {"wall_after", azul_wall_json(board.wall)}};
}

/// The bonus of a wall at the end of the game.
Expected<Json> answer_bonus(const Json& question) {
  JsonReader reader;
  const azul::Wall wall = read_azul_wall(reader.field(question, "wall"), "wall", reader);
  if (reader.failed()) return reader.error();
  return azul_bonus_json(wall);
}

/// The sizes of a deal, whatever is drawn.
Expected<Json> answer_refill(const Json& question) {
  JsonReader reader;
  azul::Table table;
  table.players = static_cast<std::uint8_t>(reader.number(
      reader.field(question, "players"), "players", azul::kPlayersMin, azul::kPlayersMax));
  table.bag = read_azul_tiles(reader.field(question, "bag"), "bag", reader);
  table.lid = read_azul_tiles(reader.field(question, "lid"), "lid", reader);
  if (reader.failed()) return reader.error();
  const azul::Tiles bag = table.bag;
  Rng rng{Seed{}};
  Telling tell{table, kUntold};
  azul::deal(table, rng, tell);
  azul::Tiles dealt;
  Json sizes = Json::array();
  for (const azul::Tiles& factory : table.factories()) {
    dealt += factory;
    sizes.push_back(factory.total());
  }
  const bool all = std::ranges::all_of(azul::kColours, [&](azul::Colour colour) {
    return dealt.count(colour) >= bag.count(colour);
  });
  return Json{{"factory_sizes", std::move(sizes)},
              {"bag_total_after", table.bag.total()},
              {"lid_total_after", table.lid.total()},
              {"all_old_bag_tiles_dealt", all}};
}

/// The winners by these points and complete rows.
Expected<Json> answer_winner(const Json& question) {
  constexpr int kPointsMax = 1'000'000;
  JsonReader reader;
  const auto scores = reader.list(reader.field(question, "final_scores"), "final_scores",
                                  azul::kPlayersMin, azul::kPlayersMax);
  const auto rows = reader.list(reader.field(question, "complete_rows"), "complete_rows",
                                scores.size(), scores.size());
  std::vector<azul::Finish> seats(scores.size());
  for (std::size_t seat = 0; seat < seats.size(); ++seat) {
    const int points = reader.number(scores[seat], "final_scores", 0, kPointsMax);
    const int complete = reader.number(reader.item(rows, seat), "complete_rows", 0, int{kRows});
    seats[seat] = {.points = points, .complete_rows = static_cast<std::uint8_t>(complete)};
  }
  if (reader.failed()) return reader.error();
  return Json{{"winners", winners_json(azul::rank(seats))}};
}

/// A whole game with the tiles that the question deals.
Expected<Json> answer_game(const Json& question) {
  JsonReader reader;
  State s;
  s.table.players = static_cast<std::uint8_t>(reader.number(
      reader.field(question, "players"), "players", azul::kPlayersMin, azul::kPlayersMax));
  Json rounds = Json::array();
  for (const Json& round : reader.list(reader.field(question, "rounds"), "rounds", 1, kRoundsMax)) {
    if (azul::has_complete_row(s.table)) reader.refuse("A round is played after the end.");
    rounds.push_back(play_round(round, s, reader));
    if (reader.failed()) return reader.error();
  }
  if (reader.failed()) return reader.error();
  Json players = finish(s);
  return Json{{"rounds", std::move(rounds)},
              {"final", std::move(players)},
              {"winners", winners_json(azul::Game::result(s).value())}};
}

constexpr std::array kQuestions{
    QuestionKind{"legal", answer_legal},         QuestionKind{"apply", answer_apply},
    QuestionKind{"round_end", answer_round_end}, QuestionKind{"tiling", answer_tiling},
    QuestionKind{"bonus", answer_bonus},         QuestionKind{"refill", answer_refill},
    QuestionKind{"winner", answer_winner},       QuestionKind{"game", answer_game},
};

std::span<const azul::Board> boards_of(const State& s) {
  return std::span{s.table.boards}.first(s.table.players);
}

Json scores_json(const State& s) {
  Json scores = Json::array();
  for (const azul::Board& board : boards_of(s)) scores.push_back(board.score);
  return scores;
}

constexpr std::array kOptions{
    FieldOption{"--players,--seats", "players", "How many play, 2..4 (2)"},
};

}  // namespace

void AzulText::Statistics::add(const State& end, std::uint64_t moves) {
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

std::string AzulText::Statistics::text() const {
  return distribution_head() + winner_.line() + score_.line() + moves_.line() + rounds_.line() +
         outcomes_.line();
}

Json AzulText::Statistics::json() const {
  return {{"winners_score", winner_.json()},
          {"all_scores", score_.json()},
          {"moves", moves_.json()},
          {"rounds", rounds_.json()},
          {"outcome", outcomes_.json()}};
}

std::string AzulText::draw(const State& s) {
  return azul::headline(s) + "\n" + azul::draw(s.table);
}

std::string AzulText::say(const State& before, const Move& move) {
  return azul::say(before, move);
}

/// Every stage in a line, and then the table once.
std::string AzulText::tell(std::span<const Stage> stages, const State& after) {
  std::string text;
  for (const Stage& stage : stages) text += azul::say(stage) + "\n";
  return text + draw(after);
}

std::string AzulText::standing(const State& s) {
  std::string text = "scores";
  for (const azul::Board& board : boards_of(s)) {
    text += (text == "scores" ? " " : " : ") + std::to_string(board.score);
  }
  return text;
}

std::string AzulText::outcome(const State& s) {
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

std::int64_t AzulText::points(const State& s, Seat seat) {
  return s.table.boards[seat.value].score;
}

Json AzulText::start_json(const State& s) {
  return {{"config", {{"players", s.table.players}, {"untiled_rounds_max", s.untiled_rounds_max}}},
          {"state", azul_state_json(s)}};
}

Json AzulText::move_json(const State& before, const Move& chosen, std::span<const Stage> /*stages*/,
                         const State& after) {
  Json json = choice_json(before, chosen);
  json.update({{"round", after.round}, {"state", azul_state_json(after)}});
  return json;
}

Json AzulText::choice_json(const State& before, const Move& chosen) {
  return {{"seat", before.turn.value}, {"played", azul_move_json(chosen)}};
}

Json AzulText::end_json(const State& s) {
  Json ranks = Json::array();
  if (const auto result = Game::result(s)) {
    for (std::size_t seat = 0; seat < result->seats; ++seat) {
      ranks.push_back(result->standings[seat].rank);
    }
  }
  return {{"scores", scores_json(s)}, {"ranks", ranks}};
}

/// The state, or an object that has it as its "state".
Expected<State> AzulText::read_position(const Json& json) {
  JsonReader reader;
  const State s = read_azul_state(json.contains("state") ? json["state"] : json, reader);
  if (reader.failed()) return reader.error();
  return s;
}

void AzulText::add_options(CLI::App& app, game::v1::AzulConfig& config) {
  add_field_options(app, config, kOptions);
}

constinit const TerminalGame kTerminalAzul = terminal_game<AzulText, games::AzulCodec, AzulScreen>(
    {.new_game = "A new game of Azul, which waits for the others",
     .position = R"(the state, with "untiled_rounds" where the last rounds put no tile on a wall)",
     .questions = kQuestions,
     .questions_help = R"(
kinds of Azul: "legal" ("state") is answered with "moves"; "apply" ("state", "move") with "next",
before tiling if it ends the round; "round_end" ("state") with "after"; "tiling" ("wall",
"full_lines") with "points_per_line", "points" and "wall_after"; "bonus" ("wall") with "rows",
"cols", "colors" and "bonus"; "refill" ("players", "bag", "lid") with "factory_sizes" and the totals
left; "winner" ("final_scores", "complete_rows") with "winners"; "game" ("players", "rounds" with
their deals and moves) with "rounds", "final" and "winners".
)"});

}  // namespace tesela::cli
