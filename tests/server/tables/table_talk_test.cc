// The chat of a table: who receives which message.
#include <gmock/gmock.h>

#include "server/base/limits.h"
#include "server/base/text_encoding.h"
#include "tests/server/tables/azul_fixture.h"

namespace tesela::tables {
namespace {

using testing::HasSubstr;

class TableTalkTest : public AzulTableTest {
 protected:
  void make(lobby::v1::Talk talk) {
    lobby::v1::TableOptions options;
    options.set_talk(talk);
    make_azul(2, options);
    ASSERT_TRUE(take(kBob));
    ana = come(kPlayer);
    bob = come(kBob);
    for (auto* client : {ana.get(), bob.get()}) client->outbox.clear();
  }

  static void say(Client& client, std::string text) {
    client.table->say(client.member, codec::Say{std::move(text)});
  }

  std::unique_ptr<Client> ana;
  std::unique_ptr<Client> bob;
};

TEST_F(TableTalkTest, EverybodyWhoIsHereHearsIt) {
  make(lobby::v1::TALK_UNSPECIFIED);
  const auto watcher = watch();
  watcher->outbox.clear();
  say(*ana, "Hi!");
  for (auto* client : {ana.get(), bob.get(), watcher.get()}) {
    const auto said = client->read().said();
    EXPECT_EQ(said.text(), "Hi!");
    EXPECT_EQ(said.seat(), 0);
    EXPECT_EQ(said.display_name(), "Ana");
    EXPECT_EQ(said.player_id(), base::to_text(kPlayer));
    EXPECT_GT(said.at_ms(), 0);
  }
}

TEST_F(TableTalkTest, WhoWatchesIsSilent) {
  make(lobby::v1::TALK_FREE);
  const auto watcher = watch();
  watcher->outbox.clear();
  say(*watcher, "Take the blue ones!");
  EXPECT_EQ(watcher->read().refusal().reason(), pb::REASON_NOT_SEATED);
  EXPECT_TRUE(ana->silent());
}

TEST_F(TableTalkTest, ATableOfPhrasesTakesNoOwnWords) {
  make(lobby::v1::TALK_PHRASES);
  say(*ana, "Hi!");
  const auto refusal = ana->read().refusal();
  EXPECT_EQ(refusal.reason(), pb::REASON_NO_TALK);
  EXPECT_THAT(refusal.message(), HasSubstr("only phrases"));
  ana->table->say(ana->member, codec::Say{codec::Phrase{pb::PHRASE_GOOD_LUCK}});
  EXPECT_EQ(bob->read().said().phrase(), pb::PHRASE_GOOD_LUCK);
}

TEST_F(TableTalkTest, AtASilentTableNobodyTalks) {
  make(lobby::v1::TALK_OFF);
  ana->table->say(ana->member, codec::Say{codec::Phrase{pb::PHRASE_HELLO}});
  EXPECT_EQ(ana->read().refusal().reason(), pb::REASON_NO_TALK);
  EXPECT_TRUE(bob->silent());
}

TEST_F(TableTalkTest, WhoIsMutedIsNotHeardUntilHeardAgain) {
  make(lobby::v1::TALK_FREE);
  bob->table->mute(bob->member, {.player = kPlayer, .muted = true});
  say(*ana, "one");
  EXPECT_TRUE(bob->silent());
  EXPECT_EQ(ana->read().said().text(), "one");
  bob->table->mute(bob->member, {.player = kPlayer, .muted = false});
  say(*ana, "two");
  EXPECT_EQ(bob->read().said().text(), "two");
}

TEST_F(TableTalkTest, WhoTalksTooFastIsToldToWait) {
  make(lobby::v1::TALK_FREE);
  for (std::size_t i = 0; i < limits::kSaysAtOnce; ++i) {
    say(*ana, "again");
    EXPECT_TRUE(ana->read().has_said());
  }
  say(*ana, "again");
  EXPECT_EQ(ana->read().refusal().reason(), pb::REASON_RATE_LIMITED);
  say(*bob, "not I");
  EXPECT_TRUE(ana->read().has_said());
}

TEST_F(TableTalkTest, WhoComesBackHasSaidAsMuch) {
  make(lobby::v1::TALK_FREE);
  for (std::size_t i = 0; i < limits::kSaysAtOnce; ++i) {
    say(*ana, "again");
    EXPECT_EQ(next(*bob, &pb::ServerFrame::has_said).said().text(), "again");
    leave(*ana);
    ana = come(kPlayer);
  }
  ana->outbox.clear();
  say(*ana, "again");
  EXPECT_EQ(ana->read().refusal().reason(), pb::REASON_RATE_LIMITED);
}

TEST_F(TableTalkTest, WhoTalksAtSeveralTablesHasSaidAsMuchAtEach) {
  make(lobby::v1::TALK_FREE);
  for (std::size_t i = 0; i < limits::kSaysAtOnce; ++i) say(*ana, "again");
  make(lobby::v1::TALK_FREE);
  say(*ana, "again");
  EXPECT_EQ(ana->read().refusal().reason(), pb::REASON_RATE_LIMITED);
  say(*bob, "not I");
  EXPECT_TRUE(ana->read().has_said());
}

TEST_F(TableTalkTest, TalkIsNotInTheLog) {
  make(lobby::v1::TALK_FREE);
  const auto before = finish(store.read(id, Version{1}, 10)).value();
  say(*ana, "Hi!");
  settle();
  EXPECT_EQ(finish(store.read(id, Version{1}, 10)).value(), before);
}

}  // namespace
}  // namespace tesela::tables
