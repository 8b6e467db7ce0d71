#include "server/games/azul/azul.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/engine/azul/position.h"
#include "tests/engine/seeds.h"
#include "tests/server/games/parsed.h"

namespace tesela::codec {
namespace azul_test {

namespace pb = tesela::game::v1;
using azul::Colour;
using azul::kCentre;
using azul::kFloor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

azul::State start(std::uint8_t players, std::uint64_t seed = 1) {
  Rng rng = test::dice(seed);
  return azul::Game::start({players}, rng).value();
}

pb::AzulView view_of(const azul::State& state) {
  return test::view_of<games::AzulCodec>(state);
}

std::string refusal_of(const pb::AzulMove& move) {
  const auto read = games::AzulCodec::read(move);
  EXPECT_FALSE(read);
  return read ? "" : read.error().message;
}

/// A move that can be read.
pb::AzulMove a_move() {
  pb::AzulMove move;
  move.set_factory(3);
  move.set_colour(pb::AZUL_COLOUR_RED);
  move.set_line(2);
  return move;
}

TEST(AzulCodec, TheEmptyConfigurationIsForTwo) {
  EXPECT_EQ(games::AzulCodec::read(pb::AzulConfig{}), azul::Config{.players = 2});
}

TEST(AzulCodec, EveryConfigurationComesBack) {
  for (const std::uint8_t players : {std::uint8_t{2}, std::uint8_t{3}, std::uint8_t{4}}) {
    pb::AzulConfig message;
    games::AzulCodec::write({.players = players}, message);
    EXPECT_EQ(games::AzulCodec::read(message), azul::Config{.players = players});
  }
}

TEST(AzulCodec, ANewGameHasTheRuleOfUntiledRoundsAndOneThatWasWrittenWithoutItHasNot) {
  pb::AzulConfig before;
  before.set_players(2);
  EXPECT_EQ(games::AzulCodec::read(before), (azul::Config{.players = 2, .untiled_rounds_max = 3}));
  EXPECT_EQ(games::AzulCodec::read_written(before),
            (azul::Config{.players = 2, .untiled_rounds_max = 0}));
  pb::AzulConfig written;
  games::AzulCodec::write(games::AzulCodec::read(before).value(), written);
  EXPECT_EQ(written.untiled_rounds_max(), 3U);
  EXPECT_EQ(games::AzulCodec::read_written(written), games::AzulCodec::read(before));
  written.Clear();
  games::AzulCodec::write(games::AzulCodec::read_written(before).value(), written);
  EXPECT_EQ(written.SerializeAsString(), "\x08\x02") << "to which the commitment is";
}

TEST(AzulCodec, AnotherNumberOfUntiledRoundsIsRefused) {
  for (const std::uint32_t rounds : {0U, 1U, 4U, 259U, 0xffffffffU}) {
    pb::AzulConfig message;
    message.set_untiled_rounds_max(rounds);
    const auto read = games::AzulCodec::read(message);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(read.error().message,
              "untiled_rounds_max must be 3 or left out, not " + std::to_string(rounds) + ".");
    EXPECT_EQ(games::AzulCodec::read_written(message).has_value(), rounds == 0);
  }
}

TEST(AzulCodec, AViewCountsTheUntiledRoundsOfAGameThatTheyEnd) {
  auto state = test::position(2, {"B"});
  EXPECT_FALSE(view_of(state).has_untiled_rounds());
  state.untiled_rounds_max = azul::kUntiledRoundsMax;
  EXPECT_TRUE(view_of(state).has_untiled_rounds());
  state.untiled_rounds = 3;
  state.over = true;
  state.table.bag = test::tiles("K");
  EXPECT_EQ(view_of(state).untiled_rounds(), 3U);
  EXPECT_EQ(view_of(state).outcome(), pb::AZUL_OUTCOME_NO_TILING);
}

TEST(AzulCodec, OtherNumbersOfPlayersAreRefused) {
  for (const std::uint32_t players : {0U, 1U, 5U, 258U, 0xffffffffU}) {
    pb::AzulConfig message;
    message.set_players(players);
    const auto read = games::AzulCodec::read(message);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(read.error().message, HasSubstr(" " + std::to_string(players) + "."));
  }
}

TEST(AzulCodec, EveryMoveComesBack) {
  for (azul::Source source = 0; source <= kCentre; ++source) {
    for (const Colour colour : azul::kColours) {
      for (azul::Target target = 0; target <= kFloor; ++target) {
        const azul::Move move{.source = source, .colour = colour, .target = target};
        EXPECT_EQ(games::AzulCodec::read(test::move_of<games::AzulCodec>(move)), move);
      }
    }
  }
}

TEST(AzulCodec, AMoveWithoutASourceIsRefused) {
  auto move = a_move();
  move.clear_source();
  EXPECT_THAT(refusal_of(move), HasSubstr("names its source"));
  move.set_centre(false);
  EXPECT_THAT(refusal_of(move), HasSubstr("names its source"));
  move.set_factory(9);  // not taken for the centre
  EXPECT_THAT(refusal_of(move), HasSubstr("no factory 9"));
  move.set_factory(259);  // not taken for 259 mod 256
  EXPECT_THAT(refusal_of(move), HasSubstr("259"));
}

TEST(AzulCodec, AMoveWithoutAColourIsRefused) {
  auto move = a_move();
  move.clear_colour();
  EXPECT_THAT(refusal_of(move), HasSubstr("AZUL_COLOUR_BLUE"));
  move.set_colour(static_cast<pb::AzulColour>(6));
  EXPECT_THAT(refusal_of(move), HasSubstr("AZUL_COLOUR_WHITE"));
  move.set_colour(static_cast<pb::AzulColour>(-1));
  EXPECT_THAT(refusal_of(move), HasSubstr("AZUL_COLOUR_WHITE"));
}

TEST(AzulCodec, AMoveWithoutATargetIsRefused) {
  auto move = a_move();
  move.clear_target();  // not taken for the floor line
  EXPECT_THAT(refusal_of(move), HasSubstr("names its target"));
  move.set_floor(false);
  EXPECT_THAT(refusal_of(move), HasSubstr("names its target"));
  move.set_line(5);  // not taken for the floor line
  EXPECT_THAT(refusal_of(move), HasSubstr("no line 5"));
  move.set_line(256);
  EXPECT_THAT(refusal_of(move), HasSubstr("256"));
}

TEST(AzulCodec, TheViewHoldsTheTable) {
  auto state = test::position(2, {"BBRW"}, "KK");
  state.table.bag = test::tiles("YYY");
  state.table.lid = test::tiles("W");
  state.table.boards[1] = test::board(R"(
              B | . . . . .
            . R | . . . . K
          . . . | . . . . .
        . . . . | . . . . .
      . . . . . | Y . . . .
      floor R M )",
                                      17);
  state.table.next_starter = Seat{1};
  state.round = 3;
  state.starter = Seat{1};
  const auto view = view_of(state);
  EXPECT_EQ(view.table().factories_size(), 25);
  EXPECT_THAT(std::vector(view.table().factories().begin(), view.table().factories().begin() + 6),
              ElementsAre(2, 0, 1, 0, 1, 0));
  EXPECT_THAT(view.table().centre(), ElementsAre(0, 0, 0, 2, 0));
  EXPECT_THAT(view.table().bag(), ElementsAre(0, 3, 0, 0, 0));
  EXPECT_THAT(view.table().lid(), ElementsAre(0, 0, 0, 0, 1));
  EXPECT_FALSE(view.table().marker_in_centre());
  EXPECT_EQ(view.table().next_starter(), 1U);
  ASSERT_EQ(view.table().boards_size(), 2);
  const auto& board = view.table().boards(1);
  EXPECT_EQ(board.score(), 17U);
  EXPECT_THAT(board.line_colours(), ElementsAre(1, 3, 0, 0, 0));
  EXPECT_THAT(board.line_counts(), ElementsAre(1, 1, 0, 0, 0));
  EXPECT_THAT(board.wall(), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                        2, 0, 0, 0, 0));
  EXPECT_THAT(board.floor(), ElementsAre(3, 6));
  EXPECT_EQ(view.round(), 3U);
  EXPECT_EQ(view.starter(), 1U);
  EXPECT_EQ(view.turn(), 0U);
  EXPECT_EQ(view.outcome(), pb::AZUL_OUTCOME_IN_PLAY);
  EXPECT_THAT(view.standings(), IsEmpty());
}

TEST(AzulCodec, AnOfferSaysWhatFitsWhere) {
  auto state = test::position(2, {"BBBW"}, "YY");
  state.table.boards[0].lines[2] = {.holds = test::piece('B'), .count = 1};
  state.table.boards[0].lines[3] = {.holds = test::piece('R'), .count = 1};
  const auto view = view_of(state);
  ASSERT_EQ(view.offers_size(), 3);
  EXPECT_EQ(view.offers(0).factory(), 0U);
  EXPECT_EQ(view.offers(0).colour(), pb::AZUL_COLOUR_BLUE);
  EXPECT_EQ(view.offers(0).count(), 3U);
  EXPECT_FALSE(view.offers(0).marker());
  EXPECT_THAT(view.offers(0).lines(), ElementsAre(0, 1, 2, 4));
  EXPECT_THAT(view.offers(0).overflow(), ElementsAre(2, 1, 1, 0));
  EXPECT_TRUE(view.offers(2).centre());
  EXPECT_TRUE(view.offers(2).marker());
}

TEST(AzulCodec, OffersAreTheLegalMoves) {
  Rng rng = test::dice(4);
  for (std::uint64_t game = 0; game < 20; ++game) {
    auto state = start(static_cast<std::uint8_t>(2 + game % 3), game);
    while (!state.over) {
      std::vector<azul::Move> offered;
      const auto view = view_of(state);
      for (const auto& offer : view.offers()) {
        const auto source = offer.centre() ? kCentre : static_cast<azul::Source>(offer.factory());
        const auto colour = azul::colour_of(static_cast<azul::Piece>(offer.colour()));
        for (const auto line : offer.lines()) {
          offered.push_back({source, colour, static_cast<azul::Target>(line)});
        }
        offered.push_back({source, colour, kFloor});
      }
      const auto legal = test::legal(state);
      ASSERT_EQ(offered, legal);
      state = test::play(state, legal[rng.uniform(static_cast<std::uint32_t>(legal.size()))], rng);
    }
    EXPECT_THAT(view_of(state).offers(), IsEmpty());
  }
}

TEST(AzulCodec, TheViewOfTheEndHoldsTheStandings) {
  auto state = test::position(2, {});
  state.table.boards[0].wall = azul::Wall{0x1f};
  state.table.boards[0].score = 9;
  state.table.boards[1].score = 12;
  state.over = true;
  const auto view = view_of(state);
  EXPECT_FALSE(view.has_turn());
  EXPECT_EQ(view.outcome(), pb::AZUL_OUTCOME_ROW_COMPLETE);
  ASSERT_EQ(view.standings_size(), 2);
  EXPECT_EQ(view.standings(0).rank(), 2U);
  EXPECT_EQ(view.standings(0).rows(), 1U);
  EXPECT_EQ(view.standings(1).rank(), 1U);
  EXPECT_EQ(view.standings(1).rows(), 0U);
}

std::uint64_t digest_of(const azul::State& state) {
  games::Fnv fnv;
  games::AzulCodec::canonical(state, fnv);
  return fnv.value();
}

TEST(AzulCodec, TheDigestSeesEveryPartOfTheState) {
  const auto base = start(3);
  EXPECT_EQ(digest_of(base), digest_of(start(3)));
  const std::vector<std::function<void(azul::State&)>> changes{
      [](auto& s) { s.table.players = 2; },
      [](auto& s) { s.table.sources[6].add(Colour::kRed, 1); },
      [](auto& s) { s.table.centre().add(Colour::kRed, 1); },
      [](auto& s) { s.table.bag.remove(Colour::kRed, 1); },
      [](auto& s) { s.table.lid.add(Colour::kRed, 1); },
      [](auto& s) { s.table.next_starter = Seat{0}; },
      [](auto& s) { s.table.boards[2].score = 256; },
      [](auto& s) { s.table.boards[2].lines[4].count = 1; },
      [](auto& s) { s.table.boards[2].lines[4].holds = 1; },
      [](auto& s) { s.table.boards[2].wall.tile(24); },
      [](auto& s) { s.table.boards[2].floor.add(azul::kMarker, 1); },
      [](auto& s) { s.round = 2; },
      [](auto& s) { s.starter.value ^= 1; },
      [](auto& s) { s.turn.value ^= 1; },
      [](auto& s) { s.over = true; },
      [](auto& s) { s.untiled_rounds = 1; },
      [](auto& s) { s.untiled_rounds_max = 0; }};
  for (std::size_t change = 0; change < changes.size(); ++change) {
    auto other = base;
    changes[change](other);
    EXPECT_NE(digest_of(base), digest_of(other)) << change;
  }
}

TEST(AzulCodec, TheDigestIsTheOneOfTheFormat) {
  auto state = test::position(2, {"B", "YY", "RRR", "KKKK", "WBBW"}, "Y");
  state.table.bag = test::tiles("KK");
  state.table.lid = test::tiles("W");
  state.table.next_starter = Seat{1};
  state.table.boards[1].score = 258;
  state.table.boards[1].lines[1] = {.holds = 3, .count = 2};
  state.table.boards[1].wall = azul::Wall{0x10203};
  state.table.boards[1].floor.add(azul::kMarker, 1);
  state.round = 5;
  state.starter = Seat{1};
  std::vector<int> bytes{2};
  bytes.insert(bytes.end(), {1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3,
                             0, 0, 0, 0, 0, 4, 0, 2, 0, 0, 0, 2});  // displays
  bytes.insert(bytes.end(), {0, 1, 0, 0, 0});                       // centre
  bytes.insert(bytes.end(), {0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 1});     // bag, lid, next_starter
  bytes.insert(bytes.end(), 8 + 10 + 8 + 7, 0);                     // board 0
  bytes.insert(bytes.end(), {2, 1, 0, 0, 0, 0, 0, 0});              // board 1: score
  bytes.insert(bytes.end(), {0, 0, 3, 2, 0, 0, 0, 0, 0, 0});        // lines
  bytes.insert(bytes.end(), {3, 2, 1, 0, 0, 0, 0, 0});              // wall
  bytes.insert(bytes.end(), {6, 0, 0, 0, 0, 0, 0});                 // floor
  bytes.insert(bytes.end(), {5, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0});     // round, starter, turn, over
  std::uint64_t expected = 14695981039346656037U;
  for (const int byte : bytes) {
    expected = (expected ^ static_cast<std::uint64_t>(byte)) * 1099511628211U;
  }
  EXPECT_EQ(digest_of(state), expected);
  state.untiled_rounds_max = azul::kUntiledRoundsMax;
  state.untiled_rounds = 2;
  EXPECT_EQ(digest_of(state), (expected ^ 2U) * 1099511628211U);
}

}  // namespace azul_test
}  // namespace tesela::codec
