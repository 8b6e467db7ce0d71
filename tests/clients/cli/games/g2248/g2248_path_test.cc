#include "clients/cli/games/g2248/g2248_path.h"

#include <gtest/gtest.h>

namespace tesela::cli {
namespace {

/// A row of cells, with links to both sides.
game::v1::Game2248View row_of(const std::vector<std::uint32_t>& exponents) {
  constexpr std::uint32_t kBothSides = (1U << 3U) | (1U << 4U);
  game::v1::Game2248View view;
  view.set_rows(1);
  view.set_columns(static_cast<std::uint32_t>(exponents.size()));
  for (const std::uint32_t exponent : exponents) {
    view.add_cells(exponent);
    view.add_links(kBothSides);
  }
  return view;
}

std::optional<std::uint32_t> value_of(const std::vector<std::uint32_t>& exponents) {
  const auto view = row_of(exponents);
  G2248Path path(view);
  for (std::uint32_t cell = 0; cell < exponents.size(); ++cell) path.extend(cell);
  return path.value();
}

// R-2248-4, R-2248-11.
TEST(G2248Path, ValueIsTheSmallestPowerOfTwoThatHoldsTheSum) {
  EXPECT_EQ(value_of({5}), 5U);
  EXPECT_EQ(value_of({5, 5}), 6U);
  EXPECT_EQ(value_of({5, 5, 5}), 7U);
  EXPECT_EQ(value_of({1, 1, 2}), 3U);
  EXPECT_EQ(value_of({29, 28}), 30U);  // where floating point goes wrong
  EXPECT_EQ(value_of({59, 59}), 60U);
  EXPECT_EQ(value_of({59, 59, 1}), std::nullopt);
  EXPECT_EQ(value_of({60, 60, 60, 60, 60}), std::nullopt);
}

// R-2248-3.
TEST(G2248Path, GoesOnToNeighboursThatItDoesNotHold) {
  const auto view = row_of({1, 1, 1, 1});
  G2248Path path(view);
  EXPECT_TRUE(path.takes(1));
  path.extend(1);
  EXPECT_TRUE(path.takes(0));
  EXPECT_FALSE(path.takes(1));
  EXPECT_FALSE(path.takes(3));
  path.extend(2);
  EXPECT_FALSE(path.takes(1));
  path.undo();
  path.undo();
  EXPECT_TRUE(path.empty());
}

TEST(G2248Path, TheEndOfARowIsNoNeighbourOfTheNext) {
  game::v1::Game2248View view;
  view.set_rows(2);
  view.set_columns(2);
  for (int cell = 0; cell < 4; ++cell) {
    view.add_cells(1);
    view.add_links(0xff);
  }
  view.set_columns(4);
  view.set_rows(1);
  G2248Path path(view);
  path.extend(0);
  EXPECT_FALSE(path.takes(3));
  EXPECT_FALSE(path.takes(9));
}

}  // namespace
}  // namespace tesela::cli
