#include "server/table/recent_moves.h"

#include <gtest/gtest.h>

#include <string>

#include "server/net/limits.h"

namespace tesela::table {
namespace {

constexpr Seat kSeat{0};

TEST(RecentMoves, AreFoundByTheirSeatAndId) {
  RecentMoves moves;
  moves.add(kSeat, "a", Version{2});
  moves.add(Seat{1}, "b", Version{3});
  EXPECT_EQ(moves.find(kSeat, "a"), Version{2});
  EXPECT_EQ(moves.find(Seat{1}, "b"), Version{3});
  EXPECT_EQ(moves.find(kSeat, "b"), std::nullopt);
  EXPECT_EQ(moves.find(kSeat, ""), std::nullopt);
}

TEST(RecentMoves, TheNewestStay) {
  RecentMoves moves;
  const std::uint64_t last = 2 * limits::kMoveIdsMax + 5;
  for (std::uint64_t version = 1; version <= last; ++version) {
    moves.add(kSeat, std::to_string(version), Version{version});
  }
  const std::uint64_t forgotten = last - limits::kMoveIdsMax;
  for (std::uint64_t version = 1; version <= last; ++version) {
    const auto found = moves.find(kSeat, std::to_string(version));
    EXPECT_EQ(found, version > forgotten ? std::optional(Version{version}) : std::nullopt);
  }
}

}  // namespace
}  // namespace tesela::table
