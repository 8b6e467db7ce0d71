#include "server/replay/recent_moves.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "server/base/limits.h"

namespace tesela::tables {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Seat kSeat{0};

TEST(RecentMoves, AreFoundByTheirSeatAndId) {
  replay::RecentMoves moves;
  moves.add(Version{2}, kSeat, "a");
  moves.add(Version{3}, Seat{3}, "b");
  EXPECT_THAT(moves.find(kSeat, "a"), ElementsAre(Version{2}));
  EXPECT_THAT(moves.find(Seat{3}, "b"), ElementsAre(Version{3}));
  EXPECT_THAT(moves.find(kSeat, "b"), IsEmpty());
  EXPECT_THAT(moves.find(kSeat, ""), IsEmpty());
}

TEST(RecentMoves, VersionsThatWereNoPlayersAreLeftOut) {
  replay::RecentMoves moves;
  moves.add(Version{9}, kSeat, "a");
  moves.add(Version{500}, kSeat, "b");
  EXPECT_THAT(moves.find(kSeat, "a"), ElementsAre(Version{9}));
  EXPECT_THAT(moves.find(kSeat, "b"), ElementsAre(Version{500}));
}

TEST(RecentMoves, NoneOfAGameIsForgotten) {
  replay::RecentMoves moves;
  constexpr std::uint64_t kLast = 20'000;
  for (std::uint64_t version = 2; version <= kLast; ++version) {
    moves.add(Version{version}, kSeat, std::to_string(version));
  }
  for (std::uint64_t version = 2; version <= kLast; version += 97) {
    const auto found = moves.find(kSeat, std::to_string(version));
    EXPECT_TRUE(std::ranges::find(found, Version{version}) != found.end()) << version;
  }
}

TEST(RecentMoves, OfManyThatLookAlikeTheNewestAreNamed) {
  replay::RecentMoves moves;
  constexpr std::uint64_t kLast = 300;
  for (std::uint64_t version = 2; version <= kLast; ++version) {
    moves.add(Version{version}, kSeat, "same");
  }
  const auto found = moves.find(kSeat, "same");
  ASSERT_EQ(found.size(), limits::kMoveLookupsMax + 1);
  EXPECT_EQ(found.front(), Version{kLast});
  EXPECT_EQ(found.back(), Version{kLast - limits::kMoveLookupsMax});
}

}  // namespace
}  // namespace tesela::tables
