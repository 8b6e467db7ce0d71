#include "clients/cli/table/search_screen.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/time_util.h>
#include <gtest/gtest.h>

#include "clients/cli/screen/game_screen.h"

namespace tesela::cli {
namespace {

using google::protobuf::util::TimeUtil;
using testing::HasSubstr;
using testing::Not;

std::string drawn(const SearchPicture& picture) {
  Canvas canvas(kRowsMin, kColumnsMin);
  draw_search(picture, canvas);
  return canvas.text();
}

lobby::v1::Searching standing(std::uint32_t position, std::uint32_t party_present) {
  lobby::v1::Searching standing;
  standing.set_position(position);
  standing.set_party_present(party_present);
  return standing;
}

TEST(SearchScreen, BeforeTheServerAnswersThereIsTheGameAndTheKey) {
  const std::string text = drawn({.game = "azul", .message = "The connection was lost."});
  EXPECT_THAT(text, HasSubstr("  azul\n"));
  EXPECT_THAT(text, HasSubstr("  Looking for opponents.\n"));
  EXPECT_THAT(text, HasSubstr("  The connection was lost.\n  q: quit"));
  EXPECT_THAT(text, Not(HasSubstr("queue")));
}

TEST(SearchScreen, PlaceAndTimeAreTold) {
  SearchPicture picture{.game = "azul", .standing = standing(3, 1)};
  EXPECT_THAT(drawn(picture), HasSubstr("  Your place in the queue: 3.\n"
                                        "  Nobody knows yet how long it takes.\n"));
  *picture.standing->mutable_estimate() = TimeUtil::MillisecondsToDuration(4200);
  EXPECT_THAT(drawn(picture), HasSubstr("  It takes about 5 s more.\n"));
  EXPECT_THAT(drawn(picture), Not(HasSubstr("party")));
}

TEST(SearchScreen, APartyWaitsForItsMembersFirst) {
  SearchPicture picture{.game = "azul", .party_size = 3, .standing = standing(0, 2)};
  EXPECT_THAT(drawn(picture), HasSubstr("  Of your party 2 of 3 are here.\n"));
  EXPECT_THAT(drawn(picture), Not(HasSubstr("queue")));
  for (const char* name : {"Ada", "Bea"}) picture.standing->add_party_names(name);
  EXPECT_THAT(drawn(picture), HasSubstr("  Of your party 2 of 3 are here: Ada, Bea.\n"));
  picture.standing = standing(1, 3);
  EXPECT_THAT(drawn(picture), HasSubstr("  Of your party 3 of 3 are here.\n"
                                        "  Your place in the queue: 1.\n"));
}

}  // namespace
}  // namespace tesela::cli
