// What holds for the simulations of all games.
#include "clients/cli/simulate/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <texts_of_games.h>

#include <sstream>
#include <string>
#include <vector>

#include "clients/cli/base/value_text.h"
#include "clients/cli/simulate/records.h"

namespace tesela::cli {
namespace simulation_test {

template <class Text>
class SimulationTest : public testing::Test {
 public:
  using G = typename Text::Game;

  static Simulation<G> three_games(const std::string& bot = "random") {
    const std::vector<BotText> texts(G::seats({}), read_bot(bot).value());
    return {.config = {},
            .bots = bots_of<G>(texts, {.nodes = 200}).value(),
            .games = 3,
            .moves_max = 0,
            .seed = read_seed("x"),
            .threads = 1};
  }

  /// The summary of games that are watched by what `make` makes.
  static std::string watched(const Simulation<G>& games, const ObserverSource<G>& make) {
    const auto figures = simulate<Text>(games, make, [] {});
    return figures.game.text() + figures.game.json().dump() + json_of(figures.seats);
  }

  static std::string json_of(const std::vector<SeatFigures>& seats) {
    std::string text;
    for (const SeatFigures& seat : seats) text += seat.json().dump();
    return text;
  }

  template <class Made, class... Arguments>
  static ObserverSource<G> each(Arguments&... arguments) {
    return [&arguments...] {
      Observers<G> observers;
      observers.push_back(std::make_unique<Made>(arguments...));
      return observers;
    };
  }

  static ObserverSource<G> nobody() {
    return [] { return Observers<G>{}; };
  }

  static std::vector<Json> log_of(const Simulation<G>& games) {
    std::stringstream out;
    (void)watched(games, each<Log<Text>>(out));
    std::vector<Json> lines;
    for (std::string line; std::getline(out, line);) lines.push_back(Json::parse(line));
    return lines;
  }
};

template <class, class... Types>
using TypesAfter = testing::Types<Types...>;
using AllTexts = TypesAfter<void
#define TESELA_GAME(game) , game##Text
#include "server/games/games.def"
#undef TESELA_GAME
                            >;
TYPED_TEST_SUITE(SimulationTest, AllTexts);

/// Plays every game again from its seed and its moves.
template <class G>
class PlayedAgain final : public Observer<G> {
 public:
  PlayedAgain(const typename G::Config& config, std::uint64_t& handed_over)
      : config_{config}, handed_over_{handed_over} {}

  void started(std::uint64_t game, const Seed& seed, const typename G::State& s) override {
    rng_ = Rng{seed};
    s_ = G::start(config_, rng_).value();
    EXPECT_EQ(s_, s);
    game_ = game;
  }
  void moved(std::uint64_t number, const typename G::State& before, const typename G::Move& move,
             std::span<const typename G::Stage> stages, const typename G::State& after) override {
    EXPECT_EQ(s_, before);
    std::vector<typename G::Stage> again;
    s_ = G::apply(s_, G::turn(s_).value(), move, rng_, CollectStages{again}).value();
    EXPECT_EQ(s_, after);
    EXPECT_THAT(again, testing::ElementsAreArray(stages));
    EXPECT_EQ(number, ++moves_);
  }
  void ended(std::uint64_t moves, const typename G::State& s) override {
    EXPECT_EQ(moves, moves_);
    EXPECT_EQ(s, s_);
    EXPECT_FALSE(G::turn(s).has_value());
  }
  void flush() override { EXPECT_EQ(game_, ++handed_over_); }

 private:
  typename G::Config config_;
  std::uint64_t& handed_over_;
  Rng rng_{Seed{}};
  typename G::State s_{};
  std::uint64_t game_{0};
  std::uint64_t moves_{0};
};

TYPED_TEST(SimulationTest, TheSeedAndTheMovesGiveTheGameAgain) {
  using G = typename TypeParam::Game;
  const auto games = TestFixture::three_games();
  std::uint64_t handed_over = 0;
  (void)TestFixture::watched(games,
                             TestFixture::template each<PlayedAgain<G>>(games.config, handed_over));
  EXPECT_EQ(handed_over, 3U);
}

/// The strongest bot of a game that leaves something to chance.
template <class G>
std::string searcher() {
  return std::string{strategies<G>().back().description.name};
}

TYPED_TEST(SimulationTest, AnyNumberOfThreadsGivesTheSameFiguresAndRecords) {
  using G = typename TypeParam::Game;
  auto games = TestFixture::three_games(searcher<G>());
  games.games = 5;
  std::ostringstream one;
  const std::string figures = TestFixture::watched(games, [&] {
    auto observers = TestFixture::template each<Transcript<TypeParam>>(one)();
    observers.push_back(std::make_unique<Log<TypeParam>>(one));
    return observers;
  });
  games.threads = 3;
  std::ostringstream several;
  EXPECT_EQ(TestFixture::watched(games,
                                 [&] {
                                   auto observers =
                                       TestFixture::template each<Transcript<TypeParam>>(several)();
                                   observers.push_back(std::make_unique<Log<TypeParam>>(several));
                                   return observers;
                                 }),
            figures);
  EXPECT_EQ(several.str(), one.str());
}

TYPED_TEST(SimulationTest, WatchingChangesNothing) {
  std::ostringstream out;
  const auto games = TestFixture::three_games();
  EXPECT_EQ(TestFixture::watched(games, TestFixture::nobody()),
            TestFixture::watched(games, TestFixture::template each<Transcript<TypeParam>>(out)));
}

TYPED_TEST(SimulationTest, EveryLineOfTheLogHasTheGameAndTheMove) {
  std::uint64_t game = 0;
  std::uint64_t move = 0;
  for (const Json& line : TestFixture::log_of(TestFixture::three_games())) {
    if (line["event"] == "start") {
      EXPECT_TRUE(line.contains("config") && line.contains("seed"));
      ++game;
      move = 0;
    } else if (line["event"] == "move") {
      EXPECT_EQ(line["move"], ++move);
    } else {
      EXPECT_EQ(line["event"], "end");
      EXPECT_EQ(line["moves"], move);
      EXPECT_NE(line["outcome"], "stopped");
    }
    EXPECT_EQ(line["game"], game);
  }
  EXPECT_EQ(game, 3U);
}

TYPED_TEST(SimulationTest, GameIsStoppedAfterSoManyMoves) {
  auto games = TestFixture::three_games();
  games.moves_max = 2;
  const Json end = TestFixture::log_of(games).back();
  EXPECT_EQ(end["moves"], 2);
  EXPECT_EQ(end["outcome"], "stopped");
}

TYPED_TEST(SimulationTest, TranscriptHasEveryMoveAndTheEnd) {
  auto games = TestFixture::three_games();
  games.games = 1;
  std::ostringstream out;
  (void)TestFixture::watched(games, TestFixture::template each<Transcript<TypeParam>>(out));
  const auto moves = TestFixture::log_of(games).back()["moves"].template get<int>();
  EXPECT_THAT(out.str(), testing::StartsWith("game 1, seed "));
  for (int move = 1; move <= moves; ++move) {
    EXPECT_THAT(out.str(), testing::HasSubstr("\nmove " + std::to_string(move) + ": "));
  }
  EXPECT_THAT(out.str(), testing::HasSubstr(" after " + std::to_string(moves) + " moves, "));
}

TYPED_TEST(SimulationTest, ScreenReplacesThePositionOnATerminalAlone) {
  auto games = TestFixture::three_games();
  games.moves_max = 2;
  using Shown = LiveBoard<TypeParam>;
  constexpr std::chrono::milliseconds kAtOnce{0};
  const auto shown_on = [&](std::ostringstream& out, bool in_place) {
    (void)TestFixture::watched(games, [&out, in_place, kAtOnce] {
      Observers<typename TypeParam::Game> observers;
      observers.push_back(std::make_unique<Shown>(out, kAtOnce, in_place));
      return observers;
    });
  };
  std::ostringstream terminal;
  shown_on(terminal, true);
  EXPECT_THAT(terminal.str(), testing::HasSubstr("\x1b[H"));
  std::ostringstream file;
  shown_on(file, false);
  EXPECT_THAT(file.str(), testing::Not(testing::HasSubstr("\x1b")));
  EXPECT_THAT(file.str(), testing::HasSubstr("game 3  move 2 "));
}

/// Two seats that play as many games as they can be told apart by.
TEST(Simulation, EverySeatHasItsOwnBotAndItsOwnFigures) {
  const auto texts = read_bots("greedy,random").value();
  const Simulation<azul::Game> games{.config = {.players = 2},
                                     .bots = bots_of<azul::Game>(texts, {}).value(),
                                     .games = 40,
                                     .moves_max = 0,
                                     .seed = read_seed("x"),
                                     .threads = 1};
  const auto figures = simulate<AzulText>(games, [] { return Observers<azul::Game>{}; }, [] {});
  const Json greedy = figures.seats[0].json();
  const Json random = figures.seats[1].json();
  EXPECT_EQ(greedy["bot"], "greedy");
  EXPECT_GT(greedy["wins"], 0.8);
  EXPECT_NEAR(greedy["wins"].get<double>() + random["wins"].get<double>(), 1.0, 1e-9);
  EXPECT_EQ(greedy["ranks"][0].get<int>() + greedy["ranks"][1].get<int>(), 40);
  EXPECT_GT(greedy["points"]["mean"], random["points"]["mean"]);
  EXPECT_GT(figures.seats[0].pace().moves, 40U * 15U);
}

}  // namespace simulation_test
}  // namespace tesela::cli
