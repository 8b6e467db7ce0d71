#include "clients/cli/simulation_2048.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "clients/cli/json_2048.h"
#include "clients/cli/seed_text.h"
#include "clients/cli/simulation_records_2048.h"
#include "clients/cli/simulation_summary_2048.h"

namespace tesela::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Simulation2048 three_games() {
  return {.config = g2048::Config::classic(), .games = 3, .moves_max = 0, .seed = read_seed("x")};
}

std::vector<Simulated2048> watched(const Simulation2048& simulation,
                                   std::unique_ptr<Observer2048> observer) {
  std::vector<std::unique_ptr<Observer2048>> observers;
  observers.push_back(std::move(observer));
  return simulate(simulation, observers);
}

std::vector<json> log_of(const Simulation2048& simulation) {
  std::stringstream out;
  (void)watched(simulation, make_log(out));
  std::vector<json> lines;
  for (std::string line; std::getline(out, line);) {
    lines.push_back(json::parse(line));
  }
  return lines;
}

TEST(Simulation2048, WatchingChangesNothing) {
  const std::vector<Simulated2048> unseen = simulate(three_games(), {});
  std::ostringstream out;
  const std::vector<Simulated2048> seen = watched(three_games(), make_transcript(out));
  ASSERT_EQ(unseen.size(), 3U);
  for (std::size_t game = 0; game < unseen.size(); ++game) {
    EXPECT_EQ(unseen[game].score, seen[game].score);
    EXPECT_EQ(unseen[game].moves, seen[game].moves);
    EXPECT_EQ(unseen[game].largest, seen[game].largest);
  }
}

g2048::Direction direction_named(const std::string& name) {
  return *std::ranges::find_if(g2048::kDirections,
                               [&](g2048::Direction d) { return g2048::name(d) == name; });
}

TEST(Simulation2048, LoggedGameIsPlayedAgainFromItsSeedAndItsMoves) {
  Rng rng{Seed{}};
  g2048::State s;
  int games = 0;
  for (const json& line : log_of(three_games())) {
    if (line["event"] == "start") {
      rng = Rng{read_seed(line["seed"].get<std::string>())};
      s = g2048::Game::start(three_games().config, rng).value();
      EXPECT_EQ(line["game"], ++games);
      EXPECT_EQ(line["grid"], json(grid_json(s.cells, 4)));
    } else if (line["event"] == "move") {
      const g2048::Move move{direction_named(line["direction"].get<std::string>())};
      s = g2048::Game::apply(s, g2048::kOnlySeat, move, rng, NoStages{}).value();
      EXPECT_EQ(line["grid"], json(grid_json(s.cells, 4)));
      EXPECT_EQ(line["score"], s.score);
      const json& spawn = line["spawn"];
      const auto row = spawn["row"].get<std::size_t>();
      const auto column = spawn["column"].get<std::size_t>();
      EXPECT_EQ(line["grid"].at(row).at(column), spawn["value"]);
    } else {
      EXPECT_EQ(line["outcome"], "lost");
      EXPECT_EQ(line["score"], s.score);
      EXPECT_FALSE(g2048::Game::turn(s).has_value());
    }
  }
  EXPECT_EQ(games, 3);
}

TEST(Simulation2048, GameIsStoppedAfterSoManyMoves) {
  Simulation2048 simulation = three_games();
  simulation.moves_max = 5;
  const json end = log_of(simulation).back();
  EXPECT_EQ(end["moves"], 5);
  EXPECT_EQ(end["outcome"], "stopped");
}

TEST(Simulation2048, WonGameIsCalledWon) {
  Simulation2048 simulation = three_games();
  simulation.config.objective = 3;
  simulation.config.stop_at_objective = true;
  const json end = log_of(simulation).back();
  EXPECT_EQ(end["outcome"], "won");
  EXPECT_EQ(end["largest"], 8);
}

TEST(Simulation2048, TranscriptShowsEveryStage) {
  Simulation2048 simulation = three_games();
  simulation.games = 1;
  std::ostringstream out;
  (void)watched(simulation, make_transcript(out));
  EXPECT_THAT(out.str(), HasSubstr("game 1, seed "));
  EXPECT_THAT(out.str(), HasSubstr("\nmove 1: "));
  EXPECT_THAT(out.str(), HasSubstr("\nslide\n"));
  EXPECT_THAT(out.str(), HasSubstr("\nmerge +4\n"));
  EXPECT_THAT(out.str(), HasSubstr("\nspawn\n"));
  EXPECT_THAT(out.str(), HasSubstr("\nlost after "));
}

TEST(Simulation2048, ScreenReplacesTheBoardOnATerminalAlone) {
  Simulation2048 simulation = three_games();
  simulation.moves_max = 2;
  std::ostringstream terminal;
  (void)watched(simulation, make_screen(terminal, std::chrono::milliseconds{0}, true));
  EXPECT_THAT(terminal.str(), HasSubstr("\x1b[H"));
  std::ostringstream file;
  (void)watched(simulation, make_screen(file, std::chrono::milliseconds{0}, false));
  EXPECT_THAT(file.str(), testing::Not(HasSubstr("\x1b")));
  EXPECT_THAT(file.str(), HasSubstr("game 3  move 2 "));
}

TEST(Simulation2048Summary, MeanQuantilesAndTiles) {
  std::vector<Simulated2048> results;
  for (std::uint64_t game = 1; game <= 10; ++game) {
    results.push_back({.score = game * 100,
                       .moves = game,
                       .largest = static_cast<g2048::Exponent>(game <= 3 ? 5 : 11),
                       .objective_reached = game > 3});
  }
  const std::string text = summary(three_games(), results, std::chrono::seconds{2});
  EXPECT_THAT(text,
              HasSubstr("2048, 10 games played by random, seed " + to_text(three_games().seed)));
  EXPECT_THAT(text,
              testing::ContainsRegex(
                  "score +550\\.0 +100 +100 +500 +900 +1000\nmoves +5\\.5 +1 +1 +5 +9 +10\n"));
  EXPECT_THAT(text, HasSubstr("largest tile:  2048 70.0%  32 30.0%\nreached 2048: 7 of 10\n"));
  EXPECT_THAT(text, HasSubstr("games/s 5.0, in 2.00 s\n"));
}

}  // namespace
}  // namespace tesela::cli
