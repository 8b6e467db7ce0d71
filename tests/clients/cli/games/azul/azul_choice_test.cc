#include "clients/cli/games/azul/azul_choice.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "tests/clients/cli/games/azul/azul_tables.h"

namespace tesela::cli {
namespace {

using game::v1::AZUL_COLOUR_BLUE;
using game::v1::AZUL_COLOUR_RED;
using game::v1::AZUL_COLOUR_YELLOW;

class AzulChoiceTest : public testing::Test {
 public:
  AzulChoiceTest() { choice.offer(azul_view()); }

  std::optional<game::v1::AzulMove> press(std::initializer_list<Key> keys) {
    std::optional<game::v1::AzulMove> last;
    for (const Key key : keys) last = choice.press(key);
    return last;
  }

  AzulChoice choice;
};

TEST_F(AzulChoiceTest, ArrowsGoThroughTheOffers) {
  EXPECT_EQ(choice.current()->colour(), AZUL_COLOUR_BLUE);
  press({key::kRight});
  EXPECT_EQ(choice.current()->colour(), AZUL_COLOUR_RED);
  EXPECT_TRUE(choice.current()->has_factory());
  press({key::kLeft, key::kLeft});
  EXPECT_TRUE(choice.current()->centre());
  press({key::kDown});
  EXPECT_EQ(choice.current()->colour(), AZUL_COLOUR_BLUE);
  press({key::kDown});
  EXPECT_EQ(choice.current()->colour(), AZUL_COLOUR_YELLOW);
}

TEST_F(AzulChoiceTest, DigitsAndLettersGoStraightThere) {
  press({U'2'});
  EXPECT_EQ(choice.current()->factory(), 1U);
  press({U'c'});
  EXPECT_TRUE(choice.current()->centre());
  press({U'1', U'r'});
  EXPECT_EQ(choice.current()->factory(), 0U);
  EXPECT_EQ(choice.current()->colour(), AZUL_COLOUR_RED);
  press({U'r'});  // the next red ones
  EXPECT_TRUE(choice.current()->centre());
  press({U'k'});  // none are offered
  EXPECT_TRUE(choice.current()->centre());
}

TEST_F(AzulChoiceTest, EnterTakesAndEnterPuts) {
  EXPECT_FALSE(press({key::kEnter}));
  EXPECT_TRUE(choice.placing());
  EXPECT_EQ(choice.target(), 1U);  // the lowest line that takes both
  EXPECT_EQ(choice.overflow(), 0U);
  const auto move = press({key::kEnter});
  ASSERT_TRUE(move);
  EXPECT_TRUE(move->has_factory());
  EXPECT_EQ(move->factory(), 0U);
  EXPECT_EQ(move->colour(), AZUL_COLOUR_BLUE);
  EXPECT_TRUE(move->has_line());
  EXPECT_EQ(move->line(), 1U);
}

TEST_F(AzulChoiceTest, OnlyLinesThatTakeTheTilesAreChosen) {
  press({U'1', U'r', key::kEnter});
  EXPECT_EQ(choice.target(), 0U);
  press({key::kDown});
  EXPECT_EQ(choice.target(), 2U);
  press({U'2'});  // line 2 does not take them
  EXPECT_EQ(choice.target(), 2U);
  press({key::kDown});
  EXPECT_EQ(choice.target(), kAzulFloor);
  press({key::kDown});
  EXPECT_EQ(choice.target(), 0U);
}

TEST_F(AzulChoiceTest, TheFloorIsALineAsWell) {
  press({U'c', key::kEnter});
  EXPECT_EQ(choice.overflow(), 1U);
  press({U'f'});
  EXPECT_EQ(choice.overflow(), 4U);
  const auto move = press({U' '});
  ASSERT_TRUE(move);
  EXPECT_TRUE(move->centre());
  EXPECT_TRUE(move->floor());
  EXPECT_FALSE(move->has_line());
}

TEST_F(AzulChoiceTest, EscapePutsTheTilesBack) {
  press({U'2', key::kEnter, key::kEscape});
  EXPECT_FALSE(choice.placing());
  EXPECT_EQ(choice.current()->factory(), 1U);
}

TEST_F(AzulChoiceTest, WithoutOffersNothingIsChosen) {
  choice.offer({});
  EXPECT_EQ(choice.current(), nullptr);
  EXPECT_FALSE(press({key::kEnter, key::kEnter, key::kRight}));
}

}  // namespace
}  // namespace tesela::cli
