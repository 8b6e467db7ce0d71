// Giving up at a table, and taking back.
#include <gmock/gmock.h>
#include <tesela/play/v1/course.pb.h>

#include <chrono>
#include <string>
#include <thread>

#include "server/base/limits.h"
#include "tests/server/tables/azul_fixture.h"

namespace tesela::tables {
namespace {

using testing::HasSubstr;

codec::Move act(codec::Act what, std::string move_id) {
  return {.move_id = std::move(move_id), .at_version = {}, .type = {}, .body = {}, .act = what};
}
codec::Move resign(std::string move_id = "no more") {
  return act(codec::Act::kResign, std::move(move_id));
}
codec::Move undo(std::string move_id = "back") {
  // As fast as the table allows.
  std::this_thread::sleep_for(limits::kUndoInterval);
  return act(codec::Act::kUndo, std::move(move_id));
}

class TableResignTest : public AzulTableTest {
 protected:
  static pb::Event resignation(Client& client) {
    pb::ServerFrame frame;
    while (const auto bytes = client.outbox.pop()) {
      frame.ParseFromString(bytes->bytes(codec::Protocol::kBinary));
      if (frame.has_event() && frame.event().body().Is<pb::Resigned>()) return frame.event();
    }
    ADD_FAILURE() << "nobody has given up";
    return {};
  }
  static std::string refusal(Client& client) {
    pb::ServerFrame frame;
    while (const auto bytes = client.outbox.pop()) {
      frame.ParseFromString(bytes->bytes(codec::Protocol::kBinary));
      if (frame.has_refusal()) return frame.refusal().message();
    }
    return "nothing was refused";
  }
};

TEST_F(TableResignTest, WhoGivesUpAGameOfTwoHasLostIt) {
  make_azul(2);
  ASSERT_TRUE(take(kBob));
  const auto ana = come(kPlayer);
  const auto bob = come(kBob);
  send(*bob, resign());
  for (const auto& client : {ana.get(), bob.get()}) {
    const auto event = resignation(*client);
    EXPECT_EQ(event.version(), 2);
    EXPECT_EQ(event.seat(), 1);
    EXPECT_EQ(event.turn().seats_size(), 0);
    ASSERT_EQ(event.result().standings_size(), 2);
    EXPECT_EQ(event.result().standings(0).rank(), 1);
    EXPECT_FALSE(event.result().standings(0).resigned());
    EXPECT_EQ(event.result().standings(1).rank(), 2);
    EXPECT_TRUE(event.result().standings(1).resigned());
  }
  EXPECT_EQ(row().state, store::TableState::kOver);
  EXPECT_FALSE(row().ending->result.empty());
  send(*ana, resign());
  EXPECT_THAT(refusal(*ana), HasSubstr("over"));
}

TEST_F(TableResignTest, AGameOfMoreGoesOnWithAStandInAndTheFirstToGiveUpIsLast) {
  make_azul(3);
  ASSERT_TRUE(take(kBob));
  ASSERT_TRUE(take(kEve));
  const auto ana = come(kPlayer);
  const auto bob = come(kBob);
  const auto eve = come(kEve);
  send(*bob, resign());
  EXPECT_FALSE(resignation(*ana).has_result());
  const auto seats = next(*ana, &pb::ServerFrame::has_seating).seating().seats();
  EXPECT_TRUE(seats[1].resigned());
  EXPECT_EQ(seats[1].strategy(), "safe");
  EXPECT_FALSE(seats[0].resigned());
  send(*bob, resign("again"));
  EXPECT_THAT(refusal(*bob), HasSubstr("given up"));
  static_cast<void>(resignation(*eve));  // Bob's
  send(*eve, resign());
  const auto result = resignation(*eve).result();
  ASSERT_EQ(result.standings_size(), 3);
  EXPECT_EQ(result.standings(0).rank(), 1);
  EXPECT_EQ(result.standings(1).rank(), 3);
  EXPECT_EQ(result.standings(2).rank(), 2);
}

TEST_F(TableResignTest, TheStandInPlaysForGood) {
  make_azul(3);
  ASSERT_TRUE(take(kBob));
  ASSERT_TRUE(take(kEve));
  auto ana = come(kPlayer);
  const auto watcher = watch();
  const auto first = next(*watcher, &pb::ServerFrame::has_snapshot).snapshot().turn().seats(0);
  const PlayerId starter = first == 0 ? kPlayer : first == 1 ? kBob : kEve;
  const auto client = come(starter);
  send(*client, resign());
  ASSERT_TRUE(take(starter)) << "they may watch their seat";
  const auto played = next(*watcher, [&](const pb::ServerFrame& frame) {
    return frame.has_event() && frame.event().seat() == first && frame.event().version() > 2;
  });
  EXPECT_EQ(played.event().strategy(), "safe");
}

TEST_F(TableResignTest, AResentResignationIsTheSameOne) {
  make_azul(2);
  ASSERT_TRUE(take(kBob));
  const auto bob = come(kBob);
  send(*bob, resign("r"));
  send(*bob, resign("r"));
  const auto repeated = next(*bob, &pb::ServerFrame::has_move_repeated).move_repeated().event();
  EXPECT_EQ(repeated.version(), 2);
  EXPECT_TRUE(repeated.body().Is<pb::Resigned>());
}

TEST_F(TableResignTest, IsReadBackFromTheLog) {
  make_azul(3);
  ASSERT_TRUE(take(kBob));
  ASSERT_TRUE(take(kEve));
  {
    const auto bob = come(kBob);
    send(*bob, resign());
  }
  reload();
  const auto bob = come(kBob, 1);
  const auto missed = next(*bob, &pb::ServerFrame::has_event).event();
  EXPECT_TRUE(missed.body().Is<pb::Resigned>());
  send(*bob, resign("again"));
  EXPECT_THAT(refusal(*bob), HasSubstr("given up"));
}

TEST_F(TableResignTest, WhoPlaysAloneEndsTheGameAndIsOnNoBoard) {
  const auto ana = sit_down();
  play_silently(*ana, 5);
  send(*ana, resign());
  const auto event = resignation(*ana);
  EXPECT_EQ(event.result().standings(0).rank(), 1);
  EXPECT_EQ(row().state, store::TableState::kOver);
  const store::BoardKey best{
      .kind = store::BoardKind::kBest, .game = "2048", .config = row().config, .day = {}};
  EXPECT_TRUE(finish(store.board(best, {.max = 10})).value().empty());
}

TEST_F(TableResignTest, ASpectatorHasNothingToGiveUp) {
  const auto watcher = watch();
  send(*watcher, resign());
  EXPECT_THAT(refusal(*watcher), HasSubstr("watching"));
}

class TableUndoTest : public TableResignTest {
 protected:
  void make_practice() {
    directory::NewTable wanted{.owner = kPlayer, .owner_name = "Ana", .game = "2048"};
    wanted.options.set_practice(true);
    id = finish(directory.create(std::move(wanted))).value().id;
  }

  /// The position that a new member receives.
  std::string position() {
    const auto watcher = watch();
    return next(*watcher, &pb::ServerFrame::has_snapshot).snapshot().view().value();
  }
};

TEST_F(TableUndoTest, TheLastMoveIsTakenBackWithItsDice) {
  make_practice();
  const auto ana = sit_down();
  const std::string begin = position();
  const auto move = legal_move("m1");
  send(*ana, move);
  const std::string after = position();
  send(*ana, undo());
  const auto event = next(*ana, [](const pb::ServerFrame& frame) {
    return frame.has_event() && frame.event().body().Is<pb::Undone>();
  });
  EXPECT_EQ(event.event().version(), 3);
  pb::Undone undone;
  ASSERT_TRUE(event.event().body().UnpackTo(&undone));
  EXPECT_EQ(undone.to_version(), 1);
  EXPECT_EQ(undone.view().value(), begin);
  EXPECT_EQ(position(), begin);
  auto again = move;
  again.move_id = "m2";
  send(*ana, again);
  EXPECT_EQ(position(), after) << "the same tile falls";
}

TEST_F(TableUndoTest, SeveralMovesAreTakenBackOneAfterTheOtherAlsoAfterARestart) {
  make_practice();
  std::vector<std::string> positions{position()};
  {
    const auto ana = sit_down();
    for (int i = 0; i < 4; ++i) {
      send(*ana, legal_move("m" + std::to_string(i)));
      positions.push_back(position());
    }
    send(*ana, undo("u1"));
    EXPECT_EQ(position(), positions[3]);
  }
  reload();
  const auto ana = sit_down();
  EXPECT_EQ(position(), positions[3]);
  send(*ana, undo("u2"));
  EXPECT_EQ(position(), positions[2]);
  send(*ana, legal_move("other"));
  send(*ana, undo("u3"));
  EXPECT_EQ(position(), positions[2]);
  send(*ana, undo("u4"));
  send(*ana, undo("u5"));
  EXPECT_EQ(position(), positions[0]);
  send(*ana, undo("u6"));
  EXPECT_THAT(refusal(*ana), HasSubstr("no move to take back"));
}

TEST_F(TableUndoTest, WhoComesBackIsSentWhatWasTakenBack) {
  make_practice();
  const auto ana = sit_down();
  send(*ana, legal_move("m1"));
  send(*ana, undo());
  const auto watcher = watch(1);
  EXPECT_TRUE(next(*watcher, &pb::ServerFrame::has_event).event().has_turn());
  EXPECT_TRUE(next(*watcher, &pb::ServerFrame::has_event).event().body().Is<pb::Undone>());
}

TEST_F(TableUndoTest, AGameThatCountsIsAssistedFromThenOn) {
  const auto ana = sit_down();
  send(*ana, legal_move("m1"));
  send(*ana, undo());
  EXPECT_TRUE(next(*ana, &pb::ServerFrame::has_seating).seating().assisted());
  EXPECT_TRUE(next(*ana, &pb::ServerFrame::has_event).event().body().Is<pb::Undone>());
}

TEST_F(TableUndoTest, TooFastIsRefused) {
  make_practice();
  const auto ana = sit_down();
  send(*ana, legal_move("m1"));
  send(*ana, legal_move("m2"));
  EXPECT_TRUE(ana->table->post(ana->member, undo("u1")));
  EXPECT_TRUE(ana->table->post(ana->member, act(codec::Act::kUndo, "u2")));
  settle();
  EXPECT_THAT(refusal(*ana), HasSubstr("too fast"));
}

TEST_F(TableUndoTest, PracticeIsForWhoPlaysAlone) {
  directory::NewTable wanted{
      .owner = kPlayer, .owner_name = "Ana", .game = "azul", .config = azul(2)};
  wanted.options.set_practice(true);
  const auto made = finish(directory.create(std::move(wanted)));
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("options.practice"));
}

}  // namespace
}  // namespace tesela::tables
