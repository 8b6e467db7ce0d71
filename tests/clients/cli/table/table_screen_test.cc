#include "clients/cli/table/table_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "clients/cli/games/games.h"
#include "tesela/game/v1/g2048.pb.h"
#include "tests/clients/cli/games/azul/azul_tables.h"
#include "tests/clients/cli/screen/packed.h"

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

/// Ann at a table of Azul with Bob, in play.
TablePicture with_bob() {
  TablePicture seen = picture();
  seen.game = "azul";
  seen.message.clear();
  seen.status = {.version = 3, .seat = 0, .names = {"Ann", "Bob"}, .on_turn = {0}};
  play::v1::Seating seating;
  seating.add_seats()->set_display_name("Ann");
  auto& bob = *seating.add_seats();
  bob.set_seat(1);
  bob.set_display_name("Bob");
  seen.talk.take(seating, 0);
  return seen;
}

play::v1::Said said(const std::string& text) {
  play::v1::Said said;
  said.set_display_name("Bob");
  said.set_text(text);
  return said;
}

/// A screen of Azul for so many.
std::unique_ptr<GameScreen> azul_for(int players) {
  auto screen = make_screen("azul");
  EXPECT_TRUE(screen->show(packed(azul_view(players))));
  return screen;
}

TEST(TableScreen, TitleMessageKeysAndLinkSurroundTheGame) {
  const auto screen = make_screen("2048");
  TablePicture alone = picture();
  alone.status.version = 1;
  alone.status.seat = 0;
  alone.spectators = 3;
  const std::string text = drawn(alone, screen.get());
  EXPECT_THAT(text, HasSubstr("  2048   table 0123456789abc  3 watch"));
  EXPECT_THAT(text, HasSubstr("connected\n"));
  EXPECT_THAT(text, HasSubstr("  Spectators: http://here/t/0123456789abc\n"
                              "  That would not move a tile.\n"
                              "  arrows, WASD or HJKL: move\n"
                              "  u: undo   x: resign   n: new game   q: quit\n"));
}

TEST(TableScreen, ASpectatorHasOneKey) {
  TablePicture watching = picture();
  watching.spectating = true;
  const auto screen = make_screen("2048");
  const std::string text = drawn(watching, screen.get());
  EXPECT_THAT(text, HasSubstr("watching"));
  EXPECT_THAT(text, HasSubstr("\n  q: quit\n"));
}

TEST(TableScreen, ASpectatorOfAGameForOneIsToldWhoPlays) {
  TablePicture watching = picture();
  watching.spectating = true;
  watching.message.clear();
  watching.status.names = {"Ann"};
  EXPECT_THAT(drawn(watching, nullptr), HasSubstr("  Ann is playing.\n"));
  watching.status.marks = {"away"};
  EXPECT_THAT(drawn(watching, nullptr), HasSubstr("  Ann is away.\n"));
}

TEST(TableScreen, TheKeysOfATableOfSeveralFitInARow) {
  const auto screen = azul_for(2);
  EXPECT_THAT(drawn(with_bob(), screen.get()),
              HasSubstr("  ?: hint   t: talk   p: phrases   m: mute   x: resign   n: new game   "
                        "q: quit\n"));
}

TEST(TableScreen, AHintIsOfferedOnOnesTurnWhereItIsNotRefused) {
  TablePicture seen = with_bob();
  EXPECT_TRUE(keys_of(seen).hint);
  seen.options.set_ranked(true);
  EXPECT_FALSE(keys_of(seen).hint);
  seen.options.set_ranked(false);
  seen.status.on_turn = {1};
  EXPECT_FALSE(keys_of(seen).hint);
}

TEST(TableScreen, WhoeverHasLeftTheSeatToABotCannotResign) {
  TablePicture seen = with_bob();
  for (const char* mark : {"by bot", "resigned"}) {
    seen.status.marks = {mark, ""};
    EXPECT_FALSE(keys_of(seen).resign);
  }
}

TEST(TableScreen, TalkIsOfferedAsTheTableAllowsIt) {
  TablePicture seen = with_bob();
  seen.options.set_talk(lobby::v1::TALK_PHRASES);
  EXPECT_THAT(drawn(seen, nullptr), HasSubstr("  p: phrases   m: mute   x: resign"));
  seen.options.set_talk(lobby::v1::TALK_OFF);
  EXPECT_THAT(drawn(seen, nullptr), HasSubstr("  x: resign"));
  EXPECT_THAT(drawn(seen, nullptr), Not(HasSubstr("m: mute")));
}

TEST(TableScreen, WhoPlaysAloneTakesMovesBack) {
  EXPECT_FALSE(keys_of(with_bob()).undo);
  TablePicture alone = picture();
  alone.status = {.version = 2, .seat = 0, .names = {"Ann"}};
  EXPECT_TRUE(keys_of(alone).undo);
  EXPECT_THAT(drawn(alone, nullptr), HasSubstr("  u: undo   x: resign   n: new game   q: quit"));
  alone.status.result.emplace();
  EXPECT_FALSE(keys_of(alone).undo);
  EXPECT_FALSE(keys_of(alone).resign);
}

TEST(TableScreen, TheAnswerToTheLastKeyGoesBeforeTheNews) {
  TablePicture seen = picture();
  seen.news = "Bob resigns.";
  EXPECT_THAT(drawn(seen, nullptr), Not(HasSubstr("Bob resigns.")));
  seen.message.clear();
  EXPECT_THAT(drawn(seen, nullptr), HasSubstr("  Bob resigns.\n"));
}

TEST(TableScreen, WhatIsSaidStandsInTheRoomThatTheGameLeaves) {
  TablePicture seen = with_bob();
  for (const char* text : {"one", "two", "three", "four"}) seen.talk.hear(said(text));
  EXPECT_THAT(drawn(seen, azul_for(2).get()),
              HasSubstr("\n\n  Bob: two\n  Bob: three\n  Bob: four\n  Spectators: "));
  const std::string full = drawn(seen, azul_for(4).get());
  EXPECT_THAT(full, HasSubstr("\n  Bob: four\n"));
  EXPECT_THAT(full, Not(HasSubstr("Bob: three")));
  EXPECT_THAT(full, Not(HasSubstr("Spectators")));
}

TEST(TableScreen, WhoWritesReadsWhatWasSaidOverTheGame) {
  TablePicture seen = with_bob();
  seen.talk.hear(said(std::string(75, 'a') + " " + std::string(75, 'b')));
  seen.talk.hear(said("and then?"));
  seen.talk.ask(TableTalk::Asking::kWords);
  EXPECT_THAT(
      drawn(seen, azul_for(4).get()),
      HasSubstr("\n\n  Bob:\n  " + std::string(75, 'a') + "\n  " + std::string(75, 'b') +
                "\n  Bob: and then?\n  Spectators: http://here/t/0123456789abc\n"
                "  Say: _\n  enter: say it   backspace: erase   escape: back to the game\n"));
}

TEST(TableScreen, EverythingFitsTheSmallestTerminal) {
  TablePicture seen = with_bob();
  seen.status.marks = {"", "by bot"};
  seen.status.clocks = {"23:59:59", "6d 23h"};
  seen.spectators = 100;
  seen.talk.hear(said(std::string(200, 'a')));
  for (const auto asking : {TableTalk::Asking::kNothing, TableTalk::Asking::kWords,
                            TableTalk::Asking::kPhrase, TableTalk::Asking::kMute}) {
    seen.talk.ask(asking);
    const std::string text = drawn(seen, azul_for(4).get());
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), kRowsMin);
    EXPECT_THAT(text, HasSubstr("23:59:59"));
  }
}

TEST(TableScreen, AReplayHasItsOwnKeys) {
  TablePicture seen = with_bob();
  seen.spectating = true;
  seen.link_url.clear();
  seen.replay = Prompt{.text = "Version 3 of 7: Ann resigns", .keys = {"right: next", "q: quit"}};
  const std::string text = drawn(seen, azul_for(2).get());
  EXPECT_THAT(text, HasSubstr("  azul   table 0123456789abc  replay\n"));
  EXPECT_THAT(text, HasSubstr("\n\n  Version 3 of 7: Ann resigns\n  right: next\n  q: quit\n"));
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

TEST(TableScreen, BeginningLeavingAndRematchesHaveTheirKeys) {
  TablePicture one = with_bob();
  one.status.version = 0;
  one.status.waiting = true;
  one.status.can_start = true;
  EXPECT_THAT(drawn(one, nullptr),
              HasSubstr("  s: begin with bots   t: talk   p: phrases   m: mute   x: leave"
                        "   n: new game\n  q: quit\n"));
  one.status.waiting = false;
  one.status.can_start = false;
  one.status.version = 7;
  one.status.result.emplace();
  one.status.rematch = true;
  EXPECT_THAT(drawn(one, nullptr),
              HasSubstr("  r: rematch   t: talk   p: phrases   m: mute   n: new game   q: quit\n"));
}

TEST(TableScreen, WhoSitsAtATableThatWaitsIsListed) {
  TablePicture waiting = picture();
  waiting.status.waiting = true;
  waiting.status.names = {"Ann", "Bob", "greedy", ""};
  waiting.status.marks = {"", "away", "bot", ""};
  EXPECT_THAT(drawn(waiting, nullptr),
              HasSubstr("  Ann\n  Bob (away)\n  greedy (bot)\n  a free seat\n"));
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

TEST(TableScreen, AGameThatIsNotKnownIsShownOnlyAsAGrid) {
  EXPECT_FALSE(make_screen("chess")->show(packed(azul_view(2))));
  game::v1::GridView grid;
  grid.set_rows(1);
  grid.set_columns(1);
  grid.add_cells(0);
  EXPECT_TRUE(make_screen("chess")->show(packed(grid)));
}

}  // namespace
}  // namespace tesela::cli
