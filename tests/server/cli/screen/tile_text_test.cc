#include "clients/cli/screen/power_tile.h"

#include <gtest/gtest.h>

namespace tesela::cli {
namespace {

TEST(TileText, ShowsTheValueWhereItFits) {
  EXPECT_EQ(tile_text(0, 6), "");
  EXPECT_EQ(tile_text(1, 6), "2");
  EXPECT_EQ(tile_text(11, 6), "2048");
  EXPECT_EQ(tile_text(19, 6), "524288");
}

TEST(TileText, ShortensWhatDoesNotFit) {
  EXPECT_EQ(tile_text(20, 6), "1M");
  EXPECT_EQ(tile_text(29, 6), "512M");
  EXPECT_EQ(tile_text(31, 6), "2G");
  EXPECT_EQ(tile_text(17, 5), "128K");
}

}  // namespace
}  // namespace tesela::cli
