// What holds for the simulations of all games.
#include "clients/cli/simulation/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "clients/cli/seed_text.h"
#include "clients/cli/simulation/azul_words.h"
#include "clients/cli/simulation/g2048_words.h"
#include "clients/cli/simulation/g2248_words.h"
#include "clients/cli/simulation/records.h"
#include "clients/cli/simulation/samegame_words.h"

namespace tesela::cli {
namespace {

template <class Words>
class SimulationTest : public testing::Test {
 public:
  using G = typename Words::Game;

  static Simulation<G> three_games() {
    return {.config = {}, .games = 3, .moves_max = 0, .seed = read_seed("x")};
  }

  /// The summary of games that `observer` watches.
  static std::string watched(const Simulation<G>& games, std::unique_ptr<Observer<G>> observer) {
    Observers<G> observers;
    observers.push_back(std::move(observer));
    return simulate<Words>(games, observers).text();
  }

  static std::vector<Json> log_of(const Simulation<G>& games) {
    std::stringstream out;
    (void)watched(games, std::make_unique<Log<Words>>(out));
    std::vector<Json> lines;
    for (std::string line; std::getline(out, line);) lines.push_back(Json::parse(line));
    return lines;
  }
};

using AllWords = testing::Types<G2048Words, G2248Words, SameGameWords, AzulWords>;
TYPED_TEST_SUITE(SimulationTest, AllWords);

/// Plays every game again from its seed and its moves.
template <class G>
class PlayedAgain final : public Observer<G> {
 public:
  explicit PlayedAgain(typename G::Config config) : config_{std::move(config)} {}

  void started(std::uint64_t game, const Seed& seed, const typename G::State& s) override {
    rng_ = Rng{seed};
    s_ = G::start(config_, rng_).value();
    EXPECT_EQ(s_, s);
    EXPECT_EQ(game, ++games_);
    moves_ = 0;
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

 private:
  typename G::Config config_;
  Rng rng_{Seed{}};
  typename G::State s_{};
  std::uint64_t games_{0};
  std::uint64_t moves_{0};
};

TYPED_TEST(SimulationTest, TheSeedAndTheMovesGiveTheGameAgain) {
  using G = typename TypeParam::Game;
  const auto games = TestFixture::three_games();
  (void)TestFixture::watched(games, std::make_unique<PlayedAgain<G>>(games.config));
}

TYPED_TEST(SimulationTest, WatchingChangesNothing) {
  std::ostringstream out;
  const auto games = TestFixture::three_games();
  EXPECT_EQ(simulate<TypeParam>(games, {}).text(),
            TestFixture::watched(games, std::make_unique<Transcript<TypeParam>>(out)));
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
  (void)TestFixture::watched(games, std::make_unique<Transcript<TypeParam>>(out));
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
  using Shown = Screen<TypeParam>;
  constexpr std::chrono::milliseconds kAtOnce{0};
  std::ostringstream terminal;
  (void)TestFixture::watched(games, std::make_unique<Shown>(terminal, kAtOnce, true));
  EXPECT_THAT(terminal.str(), testing::HasSubstr("\x1b[H"));
  std::ostringstream file;
  (void)TestFixture::watched(games, std::make_unique<Shown>(file, kAtOnce, false));
  EXPECT_THAT(file.str(), testing::Not(testing::HasSubstr("\x1b")));
  EXPECT_THAT(file.str(), testing::HasSubstr("game 3  move 2 "));
}

TEST(UniformMove, EveryLegalMoveComes) {
  Rng rng{read_seed("x")};
  const auto s = azul::Game::start({}, rng).value();
  std::size_t legal = 0;
  azul::Game::legal_moves(s, s.turn, [&](const auto&) { ++legal; });
  std::set<std::tuple<int, int, int>> seen;
  for (std::size_t draw = 0; draw < 40 * legal; ++draw) {
    const azul::Move move = uniform_move<azul::Game>(s, s.turn, rng);
    ASSERT_TRUE(azul::Game::apply(s, s.turn, move, rng, NoStages{}));
    seen.insert({move.source, static_cast<int>(move.colour), move.target});
  }
  EXPECT_EQ(seen.size(), legal);
}

}  // namespace
}  // namespace tesela::cli
