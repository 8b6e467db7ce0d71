#include "clients/cli/screen/table_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "clients/cli/screen/screens.h"
#include "tesela/game/v1/g2048.pb.h"

namespace tesela::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

TablePicture picture() {
  return {.game = "2048",
          .table_id = "0123456789abc",
          .link_url = "http://here/t/0123456789abc",
          .link = {.phase = Link::Phase::kOpen},
          .message = "That would not move a tile."};
}

std::string drawn(const TablePicture& picture, const GameScreen* screen, int rows = kRowsMin) {
  Canvas canvas(rows, kColumnsMin);
  draw_table(picture, screen, canvas);
  return canvas.text();
}

TEST(TableScreen, TitleMessageKeysAndLinkSurroundTheGame) {
  const auto screen = make_screen("2048");
  const std::string text = drawn(picture(), screen.get());
  EXPECT_THAT(text, HasSubstr("  2048   table 0123456789abc"));
  EXPECT_THAT(text, HasSubstr("connected\n"));
  EXPECT_THAT(text, HasSubstr("  That would not move a tile.\n"));
  EXPECT_THAT(text, HasSubstr("move   n: new game   q: quit\n"));
  EXPECT_THAT(text, HasSubstr("  Spectators: http://here/t/0123456789abc\n"));
}

TEST(TableScreen, ASpectatorHasOneKey) {
  TablePicture watching = picture();
  watching.spectating = true;
  const auto screen = make_screen("2048");
  const std::string text = drawn(watching, screen.get());
  EXPECT_THAT(text, HasSubstr("watching"));
  EXPECT_THAT(text, HasSubstr("\n  q: quit\n"));
}

TEST(TableScreen, ATableWithFreeSeatsTellsHowToTakeOne) {
  TablePicture waiting = picture();
  waiting.message.clear();
  waiting.status.waiting = true;
  const std::string words = "  Others take a seat with: tesela play --join 0123456789abc\n";
  EXPECT_THAT(drawn(waiting, nullptr), HasSubstr(words));
  waiting.status.waiting = false;
  EXPECT_THAT(drawn(waiting, nullptr), Not(HasSubstr(words)));
}

TEST(TableScreen, APrivateTableSaysItsInviteToThoseWhoSeeIt) {
  TablePicture waiting = picture();
  waiting.message.clear();
  waiting.status.waiting = true;
  waiting.invite = "AAAAAAAAAAAAAAAAAAAAAA";
  const std::string text = drawn(waiting, nullptr);
  EXPECT_THAT(text, HasSubstr("  Others: tesela play --join 0123456789abc"
                              " --invite AAAAAAAAAAAAAAAAAAAAAA\n"));
  EXPECT_THAT(text, HasSubstr("  Spectators: tesela watch 0123456789abc"
                              " --invite AAAAAAAAAAAAAAAAAAAAAA\n"));
}

TEST(TableScreen, BeginningAndRematchesHaveTheirKeys) {
  TablePicture one = picture();
  one.status.beginner = true;
  EXPECT_THAT(drawn(one, nullptr), HasSubstr("s: begin with bots   q: quit\n"));
  one.status.beginner = false;
  one.status.rematch = true;
  EXPECT_THAT(drawn(one, nullptr), HasSubstr("r: rematch   q: quit\n"));
}

TEST(TableScreen, TheGameIsDrawnOnceThereIsAPosition) {
  const auto screen = make_screen("2048");
  game::v1::Game2048View view;
  view.set_size(2);
  for (int cell = 0; cell < 4; ++cell) view.add_cells(1);
  google::protobuf::Any any;
  any.PackFrom(view);
  screen->show(any);
  TablePicture seen = picture();
  EXPECT_THAT(drawn(seen, screen.get()), Not(HasSubstr("Score")));
  seen.status.version = 1;
  EXPECT_THAT(drawn(seen, screen.get()), HasSubstr("Score"));
}

TEST(TableScreen, ATerminalThatIsTooSmallIsTold) {
  EXPECT_EQ(drawn(picture(), nullptr, 5), "Please make the terminal at least 80 x 24.\n");
}

TEST(TableScreen, AGameThatIsNotKnownHasNoScreen) {
  EXPECT_EQ(make_screen("chess"), nullptr);
}

}  // namespace
}  // namespace tesela::cli
