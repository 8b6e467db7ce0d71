#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "clients/cli/base/value_text.h"
#include "clients/cli/games/azul/azul_text.h"
#include "clients/cli/games/g2048/g2048_text.h"
#include "clients/cli/simulate/report.h"
#include "clients/cli/simulate/tournament.h"

namespace tesela::cli {
namespace tournament_test {

using testing::HasSubstr;
using testing::Not;

template <GameText Text>
Tournament<typename Text::Game> tournament(const char* bots, std::uint64_t deals) {
  using G = typename Text::Game;
  return {.config = {},
          .bots = bots_of<G>(read_bots(bots).value(), {.nodes = 300}).value(),
          .deals = deals,
          .seed = read_seed("x"),
          .threads = 1};
}

template <GameText Text>
TournamentReport played(const Tournament<typename Text::Game>& of) {
  auto figures = play_tournament<Text>(of, [] {});
  Rng rng{of.seed};
  auto ratings = rate(figures.deals, rng);
  return {.game = Text::Game::kName,
          .seats = Text::Game::seats(of.config),
          .games = 6,
          .seed = of.seed,
          .figures = std::move(figures),
          .ratings = std::move(ratings),
          .missed = std::vector<std::uint64_t>(of.bots.size()),
          .elapsed = std::chrono::seconds{1}};
}

Json without_times(const TournamentReport& report) {
  Json json = Json::parse(table_json(report));
  json.erase("times");
  return json;
}

TEST(Tournament, AnyNumberOfThreadsGivesTheSameTable) {
  auto azul = tournament<AzulText>("random,greedy,uct", 3);
  const Json one = without_times(played<AzulText>(azul));
  for (const unsigned threads : {2U, 4U}) {
    azul.threads = threads;
    EXPECT_EQ(without_times(played<AzulText>(azul)), one);
  }
}

// Greedy draws nothing: against itself, each wins exactly the games that it loses the other way
// round, because both sides get the same deal.
TEST(Tournament, BothSidesGetTheSameDeals) {
  const auto figures =
      play_tournament<AzulText>(tournament<AzulText>("greedy,greedy:nodes=1", 20), [] {});
  ASSERT_EQ(figures.deals.size(), 20U);
  for (const PairScores& deal : figures.deals) {
    EXPECT_EQ(deal.points(0, 1), 1.0);
    EXPECT_EQ(deal.points(1, 0), 1.0);
  }
  EXPECT_EQ(figures.bots[0].json()["points"], figures.bots[1].json()["points"]);
}

TEST(Tournament, AloneTheBotsOfADealAreComparedByTheirPoints) {
  const auto figures = play_tournament<G2048Text>(
      tournament<G2048Text>("random,expectimax-2,random:nodes=1", 8), [] {});
  ASSERT_EQ(figures.deals.size(), 8U);
  for (const PairScores& deal : figures.deals) {
    EXPECT_EQ(deal.points(1, 0), 1.0);
    EXPECT_EQ(deal.points(1, 2), 1.0);
    EXPECT_EQ(deal.met(0, 2), 1.0);
  }
  EXPECT_EQ(figures.bots[1].json()["ranks"].dump(), "[8,0,0]");
}

TEST(TournamentReport, TheTableHasTheStrongestFirst) {
  const auto report = played<AzulText>(tournament<AzulText>("random,greedy,safe", 30));
  const std::string table = table_text(report);
  EXPECT_THAT(table, HasSubstr("azul, 6 games of 2 seats, 30 deals, seed " + to_text(report.seed)));
  EXPECT_LT(table.find("\ngreedy"), table.find("\nsafe"));
  EXPECT_LT(table.find("\nsafe"), table.find("\nrandom"));
  EXPECT_THAT(table, HasSubstr("\n1 greedy "));
  EXPECT_THAT(strongest_first(report.ratings), testing::ElementsAre(1, 2, 0));
}

TEST(TournamentReport, ThePictureHasARowForEachBotAndIsWellFormed) {
  const auto report = played<AzulText>(tournament<AzulText>("random,greedy,safe", 5));
  const std::string svg = ratings_svg(report);
  EXPECT_THAT(svg, testing::StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme:dark"));
  for (const char* name : {">random<", ">greedy<", ">safe<"}) EXPECT_THAT(svg, HasSubstr(name));
  std::size_t circles = 0;
  for (auto at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) {
    ++circles;
  }
  EXPECT_EQ(circles, 3U);
}

TEST(TournamentReport, WithFewDealsItSaysWhyThereAreNoIntervals) {
  const auto few = played<AzulText>(tournament<AzulText>("random,greedy", 2));
  EXPECT_THAT(table_text(few), HasSubstr("No intervals: they need 10 deals; --games 30 plays"));
  EXPECT_TRUE(Json::parse(table_json(few))["bots"][0]["low"].is_null());
  EXPECT_THAT(ratings_svg(few), Not(HasSubstr("intervals")));
  const auto enough = played<AzulText>(tournament<AzulText>("random,greedy", 10));
  EXPECT_THAT(table_text(enough), Not(HasSubstr("No intervals")));
  EXPECT_TRUE(Json::parse(table_json(enough))["bots"][0]["low"].is_number());
  EXPECT_THAT(ratings_svg(enough), HasSubstr("6 games: Elo with 95 % intervals"));
}

TEST(TournamentReport, WithoutMissedMovesNothingIsSaidOfThem) {
  const auto report = played<AzulText>(tournament<AzulText>("random,greedy", 10));
  for (const std::string& text : {table_text(report), ratings_svg(report)}) {
    EXPECT_THAT(text, Not(HasSubstr("missed")));
    EXPECT_THAT(text, Not(HasSubstr("*")));
  }
  EXPECT_EQ(Json::parse(table_json(report))["bots"][0]["missed"], 0);
}

// Above 1 % of its moves: the rating is marked. Up to there the moves are only told.
TEST(TournamentReport, WhereASubstituteMovedItIsToldAndMarked) {
  auto report = played<AzulText>(tournament<AzulText>("random,greedy", 10));
  const std::uint64_t moves = report.figures.bots[1].pace().moves;
  ASSERT_GT(moves, 200U);
  const auto told = [&](std::uint64_t missed) {
    report.missed = {0, missed};
    const Json bot = Json::parse(table_json(report))["bots"][1];
    EXPECT_EQ(bot["missed"], missed);
    EXPECT_EQ(bot["moves"], moves);
    EXPECT_THAT(table_text(report), HasSubstr("  missed "));
    EXPECT_THAT(table_text(report),
                HasSubstr("\ngreedy: " + std::to_string(missed) + " of its " +
                          std::to_string(moves) + " moves did not come in time"));
    return bot["rating_in_doubt"].get<bool>();
  };
  EXPECT_FALSE(told(moves / 100));
  EXPECT_THAT(table_text(report), Not(HasSubstr("*")));
  EXPECT_THAT(ratings_svg(report), Not(HasSubstr("*")));
  EXPECT_TRUE(told(moves / 100 + 1));
  EXPECT_THAT(table_text(report), HasSubstr("* "));
  EXPECT_THAT(missed_text(report), testing::EndsWith("moved; its rating is not its own.\n"));
  EXPECT_THAT(ratings_svg(report), HasSubstr("* a substitute made more than 1 % of its moves"));
}

}  // namespace tournament_test
namespace schedule_test {

using testing::ElementsAre;

TEST(TournamentSchedule, EveryPairInBothOrders) {
  EXPECT_THAT(round_robin(3, 2),
              ElementsAre(ElementsAre(0, 1), ElementsAre(1, 0), ElementsAre(0, 2),
                          ElementsAre(2, 0), ElementsAre(1, 2), ElementsAre(2, 1)));
}

TEST(TournamentSchedule, EveryBotHasEverySeatAsOften) {
  const auto all = round_robin(6, 4);
  EXPECT_EQ(all.size(), 15U * 4U);
  std::map<std::pair<std::uint8_t, std::size_t>, int> seated;
  for (const Seating& seating : all) {
    for (std::size_t seat = 0; seat < seating.size(); ++seat) ++seated[{seating[seat], seat}];
  }
  EXPECT_EQ(seated.size(), 6U * 4U);
  for (const auto& [place, count] : seated) EXPECT_EQ(count, 10);
}

TEST(TournamentSchedule, AloneEachPlaysOnce) {
  EXPECT_THAT(round_robin(3, 1), ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2)));
}

}  // namespace schedule_test
}  // namespace tesela::cli
