// R-LO-1..5: the rules case by case, a whole game as a text, what every game inherits (the random
// simulation, the strategy), and what is written and read.
#include "tests/fifth_game/lights_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "engine/strategy/registry.h"
#include "server/games/entry.h"
#include "server/games/games.h"
#include "tests/engine/golden.h"
#include "tests/engine/random_simulation.h"
#include "tests/engine/seeds.h"
#include "tests/fifth_game/lights_out_codec.h"
#include "tests/server/games/parsed.h"

namespace tesela::lights_out {
namespace {

struct SimulatedLightsOut {
  using Game = lights_out::Game;

  static Config config(Rng& rng) {
    const auto size = static_cast<std::uint8_t>(kSizeMin + rng.uniform(kSizeMax - kSizeMin + 1U));
    return {.size = size,
            .presses = static_cast<std::uint8_t>(1 + rng.uniform(size * std::uint32_t{size})),
            .moves_max = static_cast<std::uint8_t>(1 + rng.uniform(kMovesMax))};
  }

  static std::vector<Move> moves(const State& s) {
    std::vector<Move> moves;
    for (std::uint8_t cell = 0; cell < s.cells() + 3; ++cell) moves.push_back({cell});
    moves.push_back({0xff});
    return moves;
  }

  static bool shows(const Stage& stage, const State& s) {
    return stage.size == s.size && stage.lights == s.lights;
  }
};

TEST(LightsOutSimulation, RandomGames) {
  test::random_simulation<SimulatedLightsOut>(
      {.games = 1000, .moves_max = kMovesMax, .probed_every = 7});
}

/// A board of 3 × 3.
State board(std::string_view drawn, std::uint8_t moves_left = 9) {
  State s{.size = 3, .moves_left = moves_left};
  unsigned cell = 0;
  for (const char light : drawn) {
    if (light == '#' || light == '.') s.lights |= Lights{light == '#' ? 1U : 0U} << cell++;
  }
  return s;
}

Expected<State> press(const State& s, std::uint8_t cell) {
  Rng rng = test::dice(1);
  return Game::apply(s, kOnlySeat, Move{cell}, rng, NoStages{});
}

/// R-LO-1, R-LO-2, R-LO-4.
TEST(LightsOutStart, RefusesWhatIsNoBoard) {
  Rng rng = test::dice(1);
  for (const Config& config :
       {Config{.size = 1}, Config{.size = 9}, Config{.presses = 0}, Config{.presses = 26},
        Config{.moves_max = 0}, Config{.moves_max = 251}}) {
    const auto refused = Game::start(config, rng);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  }
}

/// R-LO-2.
TEST(LightsOutStart, OnePressLightsAPlus) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng = test::dice(seed);
    const State s = Game::start({.size = 4, .presses = 1}, rng).value();
    EXPECT_THAT(lights_on(s), testing::AllOf(testing::Ge(3), testing::Le(5)));
  }
}

/// R-LO-3.
TEST(LightsOutMove, ChangesACellAndItsNeighbours) {
  EXPECT_EQ(draw(3, press(board("... ... ..#"), 4)->lights), ".#.\n###\n.##\n");
  EXPECT_EQ(draw(3, press(board("... ... ..#"), 8)->lights), "...\n..#\n.#.\n");
}

/// R-LO-4, R-LO-5.
TEST(LightsOutEnd, AllLightsOffIsWorthTheMovesLeftAndOne) {
  const State won = press(board("##. #.. ...", 3), 0).value();
  EXPECT_EQ(Game::result(won)->standings[0].points, 3);
  EXPECT_FALSE(Game::turn(won));
  const State lost = press(board("##. #.. ..#", 1), 0).value();
  EXPECT_EQ(Game::result(lost)->standings[0].points, 0);
  EXPECT_EQ(press(lost, 0).error().code, ErrorCode::kGameOver);
}

std::string play_through(const Config& config, std::uint64_t seed) {
  std::ostringstream out;
  out << "size " << int{config.size} << "\npresses " << int{config.presses} << "\nmoves_max "
      << int{config.moves_max} << "\nseed " << test::hex(test::seed_of(seed)) << "\n\n";
  Rng rng = test::dice(seed);
  Rng choices = test::dice(~seed);
  State s = Game::start(config, rng).value();
  for (int number = 1; Game::turn(s); ++number) {
    out << draw(s.size, s.lights) << int{s.moves_left} << " moves left\n\n";
    const Move move{static_cast<std::uint8_t>(choices.uniform(s.cells()))};
    out << "move " << number << ": " << move.cell / s.size << ',' << move.cell % s.size << '\n';
    s = Game::apply(s, kOnlySeat, move, rng, NoStages{}).value();
  }
  out << draw(s.size, s.lights) << points(s) << " points\n";
  return out.str();
}

/// R-LO-2..5, move by move.
TEST(LightsOutPlaythrough, IsAsItWasWritten) {
  test::expect_golden_file("tests/fifth_game/playthrough.txt",
                           play_through({.size = 2, .presses = 2, .moves_max = 40}, 3));
}

TEST(LightsOutStrategy, EveryGameHasRandom) {
  const auto strategy = make_strategy<Game>("random").value();
  Rng rng = test::dice(5);
  const State s = Game::start({}, rng).value();
  const auto choice = strategy->choose(s, kOnlySeat, rng, {.nodes = 1});
  EXPECT_TRUE(press(s, choice.move.cell));
  EXPECT_EQ(make_strategy<Game>("uct").error().message,
            "There is no strategy uct for lights_out; there are random.");
}

TEST(LightsOutCodec, AMatchIsPlayedAndShownAsAGrid) {
  const games::GameEntry entry = games::make_entry<games::LightsOutCodec>();
  EXPECT_EQ(entry.name, "lights_out");
  ASSERT_EQ(entry.strategies().size(), 1U);
  const auto config = entry.configure(nullptr).value();
  auto match = entry.start(config.bytes, test::seed_of(7)).value();
  using fifth_game::v1::LightsOutEvent;
  using fifth_game::v1::LightsOutView;
  auto frame = test::parsed<play::v1::ServerFrame>(match->snapshot(Version{1}, 0, {}, {}));
  const auto view = test::parsed<LightsOutView>(frame.snapshot().view().value());
  EXPECT_EQ(view.lights_size(), 25);
  const auto& grid = frame.snapshot().grid();
  ASSERT_EQ(grid.moves_size(), 25);
  const auto& chosen = grid.moves(7);
  EXPECT_EQ(chosen.cell(), 7U);
  const auto played = match->play({.version = Version{2}, .seat = kOnlySeat, .move_id = "a"},
                                  chosen.move().value(), games::Want::kFrame);
  ASSERT_TRUE(played);
  match->commit();
  frame = test::parsed<play::v1::ServerFrame>(played->frame);
  const auto event = test::parsed<LightsOutEvent>(frame.event().body().value());
  EXPECT_EQ(event.move().cell(), 7U);
  EXPECT_THAT(event.stages(0).changed(), testing::ElementsAre(2, 6, 7, 8, 12));
  EXPECT_THAT(event.view().lights(), testing::ElementsAreArray(event.stages(0).lights()));
  const auto& after = frame.event().grid();
  ASSERT_EQ(after.stages_size(), 1);
  EXPECT_THAT(after.view().cells(), testing::ElementsAreArray(after.stages(0).cells()));
  const auto given_up = match->resign({.version = Version{3}, .seat = kOnlySeat, .move_id = "b"},
                                      games::Want::kFrame);
  ASSERT_TRUE(given_up);
  ASSERT_TRUE(frame.ParseFromString(given_up->frame));
  EXPECT_FALSE(frame.event().has_grid());
}

}  // namespace
}  // namespace tesela::lights_out
