#include "clients/cli/simulate/seat_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clients/cli/base/value_text.h"

namespace tesela::cli {
namespace seat_figures_test {

using testing::ElementsAre;

TEST(SeatFigures, AGameThatWasStoppedIsATieOfAll) {
  EXPECT_THAT(ranks_of(std::nullopt, 3), ElementsAre(1, 1, 1));
  Result result{.seats = 3};
  result.standings = {{{.rank = 2}, {.rank = 1}, {.rank = 2}}};
  const auto ranks = ranks_of(result, 3);
  EXPECT_THAT(ranks, ElementsAre(2, 1, 2));
  EXPECT_EQ(tied_with(ranks, 0), 2);
  EXPECT_EQ(tied_with(ranks, 1), 1);
}

TEST(SeatFigures, ASharedWinCountsInPart) {
  SeatFigures bot{"uct", 2};
  bot.add({.points = 50, .rank = 1, .tied = 1, .pace = {std::chrono::milliseconds{30}, 10}});
  bot.add({.points = 40, .rank = 1, .tied = 2, .pace = {std::chrono::milliseconds{10}, 10}});
  bot.add({.points = 30, .rank = 2, .tied = 1, .pace = {}});
  EXPECT_EQ(bot.json().dump(),
            R"({"bot":"uct","wins":0.5,"ranks":[2,1],"points":{"mean":40.0,"min":30,"p10":30,)"
            R"("p50":40,"p90":50,"max":50}})");
  EXPECT_DOUBLE_EQ(bot.pace().ms_per_move(), 2.0);
  EXPECT_EQ(bot.line(), "  50.0%      2      1      40.0      30      40      50      2.0000\n");
  EXPECT_EQ(figures_head(2).size(), bot.line().size());
}

TEST(SeatFigures, AloneNobodyWins) {
  SeatFigures bot{"uct", 1};
  bot.add({.points = 50});
  EXPECT_EQ(bot.line(), "      50.0      50      50      50      0.0000\n");
  EXPECT_EQ(figures_head(1).size(), bot.line().size());
}

TEST(SeatFigures, BotsAreNamedOnceWhenTheyAreAllTheSame) {
  EXPECT_EQ(names_of({SeatFigures{"uct", 2}, SeatFigures{"uct", 2}}), "uct");
  EXPECT_EQ(names_of({SeatFigures{"uct", 2}, SeatFigures{"safe", 2}}), "uct, safe");
}

TEST(SeatFigures, TheTimesOfASummaryStandApart) {
  std::vector<SeatFigures> seats{SeatFigures{"random", 1}};
  seats[0].add({.points = 7, .rank = 1, .tied = 1, .pace = {std::chrono::milliseconds{3}, 3}});
  const Json json = Json::parse(
      summary_json({.game = "2048", .bots = "random", .games = 1, .seed = read_seed("x")},
                   Json{{"moves", 3}}, seats, std::chrono::seconds{2}));
  EXPECT_EQ(json["game"], "2048");
  EXPECT_EQ(json["seed"], to_text(read_seed("x")));
  EXPECT_EQ(json["figures"]["moves"], 3);
  EXPECT_EQ(json["seats"][0]["points"]["p50"], 7);
  EXPECT_EQ(json["times"].dump(), R"({"seconds":2.0,"games_per_second":0.5,"ms_per_move":[1.0]})");
}

}  // namespace seat_figures_test
}  // namespace tesela::cli
