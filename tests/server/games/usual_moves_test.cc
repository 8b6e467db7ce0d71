// Moves that are read without messages (games::UsualMoveCodec), against the generated classes: what
// is read is the same.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "server/games/game_codec.h"
#include "tests/server/games/all_codecs.h"
#include "tests/server/games/game_configs.h"

namespace tesela::games {
namespace {

using Random = std::mt19937_64;

std::size_t pick(Random& random, std::size_t end) {
  return std::uniform_int_distribution<std::size_t>{0, end - 1}(random);
}

/// Every legal move of a random game.
template <UsualMoveCodec Codec>
std::vector<std::string> moves_of_game(const typename Codec::Game::Config& config,
                                       std::uint8_t seed) {
  using Game = typename Codec::Game;
  Rng dice(Seed{seed});
  Random random{seed};
  auto state = Game::start(config, dice).value();
  std::vector<std::string> encoded;
  for (int i = 0; i < 300; ++i) {
    const auto seat = Game::turn(state);
    if (!seat) break;
    std::vector<typename Game::Move> legal;
    Game::legal_moves(state, *seat, [&](const typename Game::Move& move) {
      legal.push_back(move);
      return legal.size() < 200;
    });
    for (const auto& move : legal) {
      encoded.push_back(games::encoded<Codec>(move));
      EXPECT_EQ(Codec::read_usual(encoded.back()), move);
    }
    state = Game::apply(state, *seat, legal[pick(random, legal.size())], dice, NoStages{}).value();
  }
  return encoded;
}

/// Changes a byte or two, appends or removes some.
std::string disturbed(std::string bytes, Random& random) {
  for (std::size_t left = 1 + pick(random, 3); left > 0; --left) {
    const auto any = static_cast<char>(pick(random, pick(random, 2) == 0 ? 16 : 256));
    const std::size_t at = pick(random, bytes.size() + 1);
    switch (pick(random, 4)) {
      case 0:
        if (at < bytes.size()) bytes[at] = any;
        break;
      case 1:
        bytes.insert(at, 1, any);
        break;
      case 2:
        bytes.erase(at, 1 + pick(random, 2));
        break;
      default:
        bytes += bytes.substr(at);
    }
  }
  return bytes;
}

template <class Codec>
class UsualMoves : public ::testing::Test {};
TYPED_TEST_SUITE(UsualMoves, test::AllCodecs);

TYPED_TEST(UsualMoves, AreReadAsTheirMessages) {
  if constexpr (!UsualMoveCodec<TypeParam>) {
    GTEST_SKIP() << "read by protobuf's parser alone";
  } else {
    Random random{7};
    std::size_t usual = 0;
    std::size_t unusual = 0;
    for (const auto& config : test::configs_of<TypeParam>()) {
      for (const std::string& move : moves_of_game<TypeParam>(config, 1)) {
        for (int i = 0; i < 20; ++i) {
          const std::string bytes = disturbed(move, random);
          const auto read = TypeParam::read_usual(bytes);
          ++(read ? usual : unusual);
          if (!read) continue;
          typename TypeParam::MoveMessage message;
          ASSERT_TRUE(message.ParseFromString(bytes)) << ::testing::PrintToString(bytes);
          const auto expected = TypeParam::read(message);
          ASSERT_TRUE(expected) << expected.error().message;
          ASSERT_EQ(*read, *expected) << ::testing::PrintToString(bytes);
        }
      }
    }
    EXPECT_GT(usual, 0U);
    EXPECT_GT(unusual, 0U);
  }
}

}  // namespace
}  // namespace tesela::games
