#include "clients/cli/games/azul/azul_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tesela::cli {
namespace azul_words_test {

using testing::HasSubstr;

/// Two players; factory 0 holds two blue, a red and a white tile.
azul::State position() {
  Rng rng{Seed{}};
  azul::State s = azul::Game::start({.players = 2}, rng).value();
  s.table.sources[0] = azul::Tiles{{2, 0, 1, 0, 1}};
  s.turn = Seat{1};
  return s;
}

const azul::Move kTwoBlue{.source = 0, .colour = azul::Colour::kBlue, .target = 0};

TEST(AzulText, APlayIsToldInWordsAndTheTableStandsBelow) {
  Rng rng{Seed{}};
  std::vector<azul::Stage> stages;
  const auto after =
      azul::Game::apply(position(), Seat{1}, kTwoBlue, rng, CollectStages{stages}).value();
  EXPECT_THAT(AzulText::say(position(), kTwoBlue),
              HasSubstr("seat 1 takes 2 blue tiles from factory display 0"));
  const std::string told = AzulText::tell(stages, after);
  EXPECT_THAT(told, testing::StartsWith("take, seat 1: "));
  EXPECT_THAT(told, HasSubstr("\nplace, seat 1: "));
  EXPECT_THAT(told, HasSubstr("\noverflow, seat 1: "));
  EXPECT_THAT(told, testing::EndsWith(AzulText::draw(after)));
  EXPECT_EQ(AzulText::standing(after), "scores 0 : 0");
}

TEST(AzulText, TheLogHasTheMoveAndTheTableAsTheVectorsWriteThem) {
  Rng rng{Seed{}};
  const auto after = azul::Game::apply(position(), Seat{1}, kTwoBlue, rng, NoStages{}).value();
  const Json json = AzulText::move_json(position(), kTwoBlue, {}, after);
  EXPECT_EQ(json["seat"], 1);
  EXPECT_EQ(json["played"], Json::parse("[0, 0, 0]"));
  const Json& state = json["state"];
  EXPECT_EQ(state["factories"][0], Json::parse("[0, 0, 0, 0, 0]"));
  EXPECT_EQ(state["center"], Json::parse("[0, 0, 1, 0, 1]"));
  EXPECT_EQ(state["token_in_center"], true);
  EXPECT_EQ(state["next_first"], -1);
  EXPECT_EQ(state["current"], 0);
  EXPECT_EQ(state["boards"][1]["lines"][0], Json::parse("[0, 1]"));
  EXPECT_EQ(state["boards"][1]["lines"][1], Json::parse("[-1, 0]"));
  EXPECT_EQ(state["boards"][1]["floor"], Json::parse("[0]"));
  EXPECT_EQ(state["boards"][1]["wall"].size(), 5U);
}

TEST(AzulText, TheCentreIsTheSourceMinusOne) {
  azul::State s = position();
  s.table.centre() = azul::Tiles{{0, 1, 0, 0, 0}};
  const azul::Move move{
      .source = azul::kCentre, .colour = azul::Colour::kYellow, .target = azul::kFloor};
  Rng rng{Seed{}};
  const auto after = azul::Game::apply(s, Seat{1}, move, rng, NoStages{}).value();
  const Json json = AzulText::move_json(s, move, {}, after);
  EXPECT_EQ(json["played"], Json::parse("[-1, 1, 5]"));
  EXPECT_EQ(json["state"]["next_first"], 1);
  EXPECT_EQ(json["state"]["boards"][1]["floor"], Json::parse("[5, 1]"));
}

TEST(AzulText, SummaryHasTheWinnersAndAllScores) {
  AzulText::Statistics statistics;
  azul::State s = position();
  s.table.boards[0].score = 30;
  s.table.boards[1].score = 10;
  statistics.add(s, 60);
  EXPECT_THAT(statistics.text(), HasSubstr("winner's score         30.0 "));
  EXPECT_THAT(statistics.text(), HasSubstr("all scores             20.0 "));
  EXPECT_THAT(statistics.text(), HasSubstr("outcome:  stopped 100.0%\n"));
}

TEST(AzulText, RoundsWithoutATileForAWallAreInThePositionAndEndTheGame) {
  azul::State s = position();
  EXPECT_FALSE(AzulText::start_json(s)["state"].contains("untiled_rounds"));
  s.untiled_rounds = 2;
  const Json json = AzulText::start_json(s);
  EXPECT_EQ(json["config"]["untiled_rounds_max"], 3);
  EXPECT_EQ(json["state"]["untiled_rounds"], 2);
  EXPECT_EQ(AzulText::read_position(json)->untiled_rounds, 2);
  s.untiled_rounds = 3;
  s.over = true;
  EXPECT_EQ(AzulText::outcome(s), "no tiling");
}

}  // namespace azul_words_test
}  // namespace tesela::cli
