#include "clients/cli/table/table_talk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

namespace tesela::cli {
namespace {

using play::v1::ClientFrame;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::size_t kWidth = 76;

play::v1::Said said(const std::string& who, const std::string& text) {
  play::v1::Said said;
  said.set_display_name(who);
  said.set_text(text);
  return said;
}

play::v1::Seating ann_bob_and_a_bot() {
  play::v1::Seating seating;
  for (const std::string name : {"Ann", "Bob", "greedy"}) {
    auto& occupant = *seating.add_seats();
    occupant.set_seat(static_cast<std::uint32_t>(seating.seats_size()) - 1);
    occupant.set_player_id("id of " + name);
    occupant.set_display_name(name);
    occupant.set_bot(name == "greedy");
  }
  return seating;
}

std::optional<ClientFrame> press(TableTalk& talk, std::u32string_view keys) {
  std::optional<ClientFrame> last;
  for (const Key key : keys) last = talk.press(key);
  return last;
}

TEST(TableTalk, WordsAreTypedAndSaid) {
  TableTalk talk;
  EXPECT_EQ(talk.prompt(kWidth), std::nullopt);
  talk.ask(TableTalk::Asking::kWords);
  press(talk, U"¿Qué tal?x");
  talk.press(key::kBackspace);
  EXPECT_EQ(talk.prompt(kWidth)->text, "Say: ¿Qué tal?_");
  const auto frame = talk.press(key::kEnter);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->say().text(), "¿Qué tal?");
  EXPECT_EQ(talk.asking(), TableTalk::Asking::kNothing);
}

TEST(TableTalk, NothingIsNotSaidAndEscapeGoesBack) {
  TableTalk talk;
  talk.ask(TableTalk::Asking::kWords);
  EXPECT_FALSE(press(talk, U"  "));
  EXPECT_FALSE(talk.press(key::kEnter));
  EXPECT_FALSE(talk.press(key::kUp));
  EXPECT_EQ(talk.asking(), TableTalk::Asking::kWords);
  EXPECT_FALSE(talk.press(key::kEscape));
  EXPECT_EQ(talk.asking(), TableTalk::Asking::kNothing);
}

TEST(TableTalk, AMessageEndsWhereTheServersLimitIsAndItsEndIsSeen) {
  TableTalk talk;
  talk.ask(TableTalk::Asking::kWords);
  press(talk, std::u32string(TableTalk::kWordsMax, U'a') + U"b");
  const std::string text = talk.prompt(kWidth)->text;
  EXPECT_THAT(text, SizeIs(kWidth));
  EXPECT_THAT(text, testing::EndsWith("aaa_"));
  EXPECT_THAT(talk.press(key::kEnter)->say().text(), SizeIs(TableTalk::kWordsMax));
}

TEST(TableTalk, ThePhrasesHaveNumbers) {
  TableTalk talk;
  talk.ask(TableTalk::Asking::kPhrase);
  EXPECT_THAT(talk.prompt(kWidth)->keys,
              ElementsAre("1 Hello!   2 Good luck!   3 Well played!   4 Thank you!   5 Oops!",
                          "6 Take your time.   7 One moment, please.   8 Good game!   "
                          "9 Another one?"));
  EXPECT_FALSE(talk.press(U'0'));
  const auto frame = talk.press(U'9');
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->say().phrase(), play::v1::PHRASE_ANOTHER_ONE);
}

TEST(TableTalk, APlayerIsMutedAndHeardAgain) {
  TableTalk talk;
  talk.take(ann_bob_and_a_bot(), 0);
  talk.ask(TableTalk::Asking::kMute);
  EXPECT_THAT(talk.prompt(kWidth)->keys, ElementsAre("2 Bob"));
  EXPECT_FALSE(press(talk, U"13"));
  const auto muted = talk.press(U'2');
  ASSERT_TRUE(muted);
  EXPECT_EQ(muted->mute().player_id(), "id of Bob");
  EXPECT_TRUE(muted->mute().muted());
  EXPECT_THAT(talk.mutes(), SizeIs(1));
  talk.ask(TableTalk::Asking::kMute);
  EXPECT_THAT(talk.prompt(kWidth)->keys, ElementsAre("2 Bob (muted)"));
  EXPECT_FALSE(talk.press(U'2')->mute().muted());
  EXPECT_THAT(talk.mutes(), IsEmpty());
}

TEST(TableTalk, WhoIsAloneWithBotsHasNobodyToMute) {
  TableTalk talk;
  talk.take(ann_bob_and_a_bot(), 0);
  EXPECT_TRUE(talk.has_others());
  play::v1::Seating seating = ann_bob_and_a_bot();
  seating.mutable_seats()->DeleteSubrange(1, 1);
  talk.take(seating, 0);
  EXPECT_FALSE(talk.has_others());
}

TEST(TableTalk, TheLastLinesAreShown) {
  TableTalk talk;
  for (const char* text : {"one", "two", "three"}) talk.hear(said("Ann", text));
  play::v1::Said phrase = said("Bob", "");
  phrase.set_phrase(play::v1::PHRASE_OOPS);
  talk.hear(phrase);
  EXPECT_THAT(talk.rows(kWidth, 3), ElementsAre("Ann: two", "Ann: three", "Bob: Oops!"));
  EXPECT_THAT(talk.rows(kWidth, 9), SizeIs(4));
}

TEST(TableTalk, ALongLineIsBrokenAndCutWhereThereIsNoRoom) {
  TableTalk talk;
  talk.hear(said("Ann", "Hi."));
  talk.hear(said("Bob", "one two three four"));
  EXPECT_THAT(talk.rows(10, 9), ElementsAre("Ann: Hi.", "Bob: one", "two three", "four"));
  EXPECT_THAT(talk.rows(10, 3), ElementsAre("Bob: one", "two three", "four"));
  EXPECT_THAT(talk.rows(10, 1), ElementsAre("Bob: one …"));
}

TEST(TableTalk, WhatWasSaidLongAgoIsForgotten) {
  TableTalk talk;
  for (std::size_t line = 0; line <= TableTalk::kLinesMax; ++line) {
    talk.hear(said("Ann", std::to_string(line)));
  }
  const auto rows = talk.rows(kWidth, 999);
  EXPECT_THAT(rows, SizeIs(TableTalk::kLinesMax));
  EXPECT_EQ(rows.front(), "Ann: 1");
}

}  // namespace
}  // namespace tesela::cli
