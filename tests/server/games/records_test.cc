// The records of tests/verify/records are games of this server. The second verifier plays them
// again.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/strategy/registry.h"
#include "tests/engine/golden.h"
#include "tests/server/games/all_codecs.h"
#include "tests/server/games/record_of.h"

namespace tesela::test {
namespace {

constexpr std::size_t kToTheEnd = 10'000;

using games::AzulCodec;
using games::G2048Codec;
using games::G2248Codec;
using games::SameGameCodec;

template <Game G>
auto random_moves() {
  std::shared_ptr<Strategy<G>> random = make_strategy<G>("random").value();
  return [random](const typename G::State& state, Seat seat, Rng& rng) {
    return random->choose(state, seat, rng, {.nodes = 1}).move;
  };
}

template <games::GameCodec Codec>
void expect_record(const std::string& name, std::uint64_t number, Recorded<Codec> game) {
  if (!game.choose) game.choose = random_moves<typename Codec::Game>();
  expect_golden_file("tests/verify/records/" + name + ".json",
                     RecordWriter<Codec>{number, game}.write());
}

template <class Codec>
class UsualRecord : public testing::Test {};
TYPED_TEST_SUITE(UsualRecord, AllCodecs);

TYPED_TEST(UsualRecord, IsOfThisServer) {
  expect_record<TypeParam>(std::string(TypeParam::Game::kName) + "_usual", 1,
                           {.contributions = {{Seat{0}, "ada's dice"}}, .moves_max = 200});
}

TEST(Records, TwentyFortyEightStoppedAtItsObjective) {
  game::v1::Game2048Config config;
  config.set_preset("amat");
  config.set_objective(64);
  expect_record<G2048Codec>("2048_amat", 2, {.config = config, .moves_max = kToTheEnd});
}

TEST(Records, TwentyTwoFortyEightWithBoosters) {
  expect_record<G2248Codec>(
      "2248_boosters", 3,
      {.contributions = {{Seat{0}, std::string(64, '\xff')}},
       .moves_max = 60,
       .choose = [chain = random_moves<g2248::Game>(), turn = 0](const g2248::State& s, Seat seat,
                                                                 Rng& rng) mutable {
         const g2248::Move booster{.kind = g2248::MoveKind::kBooster};
         Rng unused = rng;
         const bool legal = g2248::Game::apply(s, seat, booster, unused, NoStages{}).has_value();
         return ++turn % 6 == 0 && legal ? booster : chain(s, seat, rng);
       }});
}

TEST(Records, TwentyTwoFortyEightOnTheSmallestBoard) {
  game::v1::Game2248Config config;
  config.set_rows(3);
  config.set_columns(3);
  config.set_goal(100);
  expect_record<G2248Codec>(
      "2248_small", 4,
      {.config = config, .contributions = {{Seat{0}, ""}}, .moves_max = kToTheEnd});
}

TEST(Records, SameGameOnAGivenBoard) {
  game::v1::SameGameConfig config;
  config.set_rows(2);
  config.set_columns(4);
  config.set_colours(3);
  config.set_penalty(game::v1::SAME_GAME_PENALTY_REMAINING);
  for (const std::uint32_t colour : {1, 1, 2, 3, 1, 2, 2, 3}) config.add_cells(colour);
  expect_record<SameGameCodec>("samegame_given", 6, {.config = config, .moves_max = kToTheEnd});
}

game::v1::AzulConfig azul_for(std::uint32_t players) {
  game::v1::AzulConfig config;
  config.set_players(players);
  return config;
}

/// From the second round on no player completes a line.
azul::Move tired_of_tiling(const azul::State& s, Seat seat, Rng& rng) {
  std::vector<azul::Move> moves;
  azul::Game::legal_moves(s, seat, [&](const azul::Move& move) {
    const auto count = s.table.sources[move.source].count(move.colour);
    if (s.round == 1 || move.target == azul::kFloor ||
        s.table.boards[seat.value].lines[move.target].count + count <
            azul::line_size(move.target)) {
      moves.push_back(move);
    }
  });
  return moves[rng.uniform(static_cast<std::uint32_t>(moves.size()))];
}

// The games of two and four are from before R-AZ-11 had its third end: nothing in them may change.
TEST(Records, AzulOfTwo) {
  expect_record<AzulCodec>("azul_2_players", 7,
                           {.config = azul_for(2),
                            .from_before = true,
                            .contributions = {{Seat{0}, "ada"}, {Seat{1}, "bob"}},
                            .moves_max = kToTheEnd});
}

TEST(Records, AzulOfThree) {
  expect_record<AzulCodec>("azul_3_players", 9, {.config = azul_for(3), .moves_max = kToTheEnd});
}

TEST(Records, AzulThatEndsBecauseNothingIsTiled) {
  expect_record<AzulCodec>(
      "azul_untiled", 10,
      {.config = azul_for(3), .moves_max = kToTheEnd, .choose = tired_of_tiling});
}

TEST(Records, AzulThatGoesOnThoughNothingIsTiled) {
  expect_record<AzulCodec>(
      "azul_untiled_before", 10,
      {.config = azul_for(3), .from_before = true, .moves_max = 150, .choose = tired_of_tiling});
}

TEST(Records, AzulOfFour) {
  expect_record<AzulCodec>("azul_4_players", 8,
                           {.config = azul_for(4),
                            .from_before = true,
                            .contributions = {{Seat{1}, "eve"}, {Seat{3}, "mallory"}},
                            .moves_max = kToTheEnd});
}

}  // namespace
}  // namespace tesela::test
