// Match::save and GameEntry::restore: a restored match is the same one, and other bytes are
// refused.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/games/games.h"
#include "tests/server/games/game_configs.h"

namespace tesela::games {
namespace {

constexpr std::array<std::uint8_t, 32> kSeed{1, 2, 3};
constexpr int kEventsMax = 300;
#ifdef TESELA_SANITIZED
// Of each byte that is changed: the highest says most, and all take minutes.
constexpr int kFirstBit = 7;
#else
constexpr int kFirstBit = 0;
#endif

class SavedMatch : public testing::TestWithParam<test::ConfiguredGame> {
 protected:
  [[nodiscard]] std::unique_ptr<Match> start() const {
    return GetParam().game->start(GetParam().config.bytes, kSeed).value();
  }
  [[nodiscard]] Expected<std::unique_ptr<Match>> restore(std::string_view saved) const {
    return GetParam().game->restore(GetParam().config.bytes, kSeed, saved);
  }
  std::size_t below(std::size_t count) { return random_() % count; }

  /// Plays a random move of the seat on turn, or has somebody resign. The frame.
  std::string play(Match& match, Version version) {
    const Seat seat = *match.turn();
    const Stamp stamp{
        .version = version, .at = base::Moment::logged(7), .seat = seat, .move_id = "m"};
    if (match.seats() > 2 && below(60) == 0) {
      if (auto resigned = match.resign(stamp, Want::kFrame)) {
        match.commit();
        return resigned->frame;
      }
    }
    const auto moves = match.bot_request(seat).legal_moves;
    auto played = match.play(stamp, moves.at(below(moves.size())), Want::kFrame).value();
    match.commit();
    return played.frame;
  }

  static std::string shown(const Match& match) {
    return match.snapshot(Version{9}, 8, Clock{}, {});
  }
  static void expect_equal(const Match& a, const Match& b) {
    EXPECT_EQ(a.digest(), b.digest());
    EXPECT_EQ(a.turn(), b.turn());
    EXPECT_EQ(a.save(), b.save());
    EXPECT_EQ(shown(a), shown(b));
    for (std::uint8_t seat = 0; seat < a.seats(); ++seat) {
      EXPECT_EQ(a.resigned(Seat{seat}), b.resigned(Seat{seat}));
    }
    const auto ended = a.final_result();
    ASSERT_EQ(ended.has_value(), b.final_result().has_value());
    if (ended) {
      EXPECT_EQ(ended->result, b.final_result()->result);
    }
  }

  std::mt19937 random_{5};
};

INSTANTIATE_TEST_SUITE_P(Games, SavedMatch, testing::ValuesIn(test::all_configured()),
                         [](const auto& info) { return info.param.name; });

TEST_P(SavedMatch, IsTheSameAtEveryVersionOfAGame) {
  auto match = start();
  for (int events = 0; events < kEventsMax; ++events) {
    const auto restored = restore(match->save());
    ASSERT_TRUE(restored) << restored.error().message;
    expect_equal(*match, **restored);
    if (!match->turn() || HasFailure()) break;
    play(*match, Version{2});
  }
}

TEST_P(SavedMatch, PlaysOnWithTheSameDice) {
  auto match = start();
  for (int events = 0; events < 20 && match->turn(); ++events) play(*match, Version{2});
  auto restored = restore(match->save()).value();
  for (int events = 0; events < kEventsMax && match->turn(); ++events) {
    auto before = random_;
    const std::string frame = play(*match, Version{3});
    std::swap(random_, before);
    ASSERT_EQ(play(*restored, Version{3}), frame);
  }
  expect_equal(*match, *restored);
}

TEST_P(SavedMatch, IsTheOneThatAnUndoGoesBackTo) {
  auto match = start();
  for (int events = 0; events < 5 && match->turn(); ++events) play(*match, Version{2});
  if (!match->turn()) return;
  const auto earlier = restore(match->save()).value();
  const std::string saved = match->save();
  play(*match, Version{3});
  if (!match->turn()) return;
  const Stamp stamp{
      .version = Version{4}, .at = base::Moment::logged(7), .seat = Seat{0}, .move_id = "u"};
  ASSERT_TRUE(match->go_back(stamp, Version{2}, *earlier, Want::kFrame));
  match->commit();
  EXPECT_EQ(match->save(), saved);
}

// Whoever has the hash of a snapshot right may still have written it wrong.
TEST_P(SavedMatch, OfChangedBytesIsRefusedOrAnotherPosition) {
  auto match = start();
  for (int events = 0; events < 30 && match->turn(); ++events) play(*match, Version{2});
  const std::string saved = match->save();
  for (std::size_t at = 0; at < saved.size(); ++at) {
    for (int bit = kFirstBit; bit < 8; ++bit) {
      std::string changed = saved;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      const auto restored = restore(changed);
      if (!restored) {
        EXPECT_EQ(restored.error().code, ErrorCode::kCorrupt);
        continue;
      }
      EXPECT_EQ((*restored)->save(), changed) << "byte " << at << ", bit " << bit;
      EXPECT_FALSE(shown(**restored).empty());
      if ((*restored)->turn()) play(**restored, Version{3});
    }
  }
}

TEST_P(SavedMatch, OfRandomBytesIsRefusedOrPlayable) {
  const std::string saved = start()->save();
  for (int tries = 0; tries < 2'000; ++tries) {
    std::string changed = saved;
    for (std::size_t count = 1 + below(4); count > 0; --count) {
      changed[below(changed.size())] = static_cast<char>(below(256));
    }
    const auto restored = restore(changed);
    if (restored && (*restored)->turn()) play(**restored, Version{3});
  }
}

TEST_P(SavedMatch, OfAnotherLengthIsRefused) {
  const std::string saved = start()->save();
  for (std::size_t size = 0; size < saved.size(); ++size) {
    EXPECT_FALSE(restore(std::string_view(saved).substr(0, size))) << size;
  }
  EXPECT_FALSE(restore(saved + '\0'));
}

}  // namespace
}  // namespace tesela::games
