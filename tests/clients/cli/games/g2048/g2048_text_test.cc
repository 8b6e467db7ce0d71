#include "clients/cli/games/g2048/g2048_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <string>

#include "clients/cli/base/value_text.h"
#include "clients/cli/simulate/records.h"
#include "clients/cli/simulate/simulation.h"

namespace tesela::cli {
namespace g2048_words_test {

using nlohmann::json;
using testing::HasSubstr;
using Games = Simulation<g2048::Game>;

Games three_games() {
  return {.config = g2048::Config::classic(),
          .bots = bots_of<g2048::Game>(read_bots("random").value(), kDefaultBotBudget).value(),
          .games = 3,
          .moves_max = 0,
          .seed = read_seed("x"),
          .threads = 1};
}

/// What a record of each game has written.
template <class Record>
std::string recorded(const Games& games) {
  std::ostringstream out;
  (void)simulate<G2048Text>(
      games,
      [&out] {
        Observers<g2048::Game> observers;
        observers.push_back(std::make_unique<Record>(out));
        return observers;
      },
      [] {});
  return out.str();
}

std::vector<json> log_of(const Games& games) {
  std::istringstream log{recorded<Log<G2048Text>>(games)};
  std::vector<json> lines;
  for (std::string line; std::getline(log, line);) {
    lines.push_back(json::parse(line));
  }
  return lines;
}

json grid_of(const g2048::State& s) {
  return rows_json(std::span{s.cells}.first(16), 4, g2048::tile_value);
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
      EXPECT_EQ(line["grid"], json(grid_of(s)));
    } else if (line["event"] == "move") {
      const g2048::Move move{direction_named(line["direction"].get<std::string>())};
      s = g2048::Game::apply(s, g2048::kOnlySeat, move, rng, NoStages{}).value();
      EXPECT_EQ(line["grid"], json(grid_of(s)));
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

TEST(Simulation2048, WonGameIsCalledWon) {
  Games simulation = three_games();
  simulation.config.objective = 3;
  simulation.config.stop_at_objective = true;
  const json end = log_of(simulation).back();
  EXPECT_EQ(end["outcome"], "won");
  EXPECT_EQ(end["largest"], 8);
}

TEST(Simulation2048, TranscriptShowsEveryStage) {
  Games simulation = three_games();
  simulation.games = 1;
  const std::string text = recorded<Transcript<G2048Text>>(simulation);
  EXPECT_THAT(text, HasSubstr("game 1, seed "));
  EXPECT_THAT(text, HasSubstr("\nmove 1: "));
  EXPECT_THAT(text, HasSubstr("\nslide\n"));
  EXPECT_THAT(text, HasSubstr("\nmerge +4\n"));
  EXPECT_THAT(text, HasSubstr("\nspawn\n"));
  EXPECT_THAT(text, HasSubstr("\nlost after "));
}

TEST(Simulation2048, SummaryHasScoresMovesTilesAndObjectives) {
  G2048Text::Statistics statistics;
  for (std::uint64_t game = 1; game <= 10; ++game) {
    g2048::State end;
    end.score = game * 100;
    end.cells.front() = game <= 3 ? 5 : 11;
    end.objective_reached = game > 3;
    statistics.add(end, game);
  }
  EXPECT_EQ(statistics.text(),
            "                       mean        min        p10        p50        p90        max\n"
            "score                 550.0        100        100        500        900       1000\n"
            "moves                   5.5          1          1          5          9         10\n"
            "largest tile:  2048 70.0%  32 30.0%\n"
            "reached 2048: 7 of 10\n");
}

}  // namespace g2048_words_test
}  // namespace tesela::cli
