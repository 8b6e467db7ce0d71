// Claims against players who are away.
#include <gmock/gmock.h>
#include <tesela/play/v1/course.pb.h>

#include <chrono>
#include <initializer_list>
#include <string>
#include <thread>

#include "tests/server/tables/azul_fixture.h"

namespace tesela::tables {
namespace {

using codec::ClaimWish;
using testing::HasSubstr;
using namespace std::chrono_literals;

class AnyTableClaimTest : public AzulTableTest {
 protected:
  using AzulTableTest::AzulTableTest;

  void claim(Client& client, std::uint32_t seat, ClaimWish wish, std::string id = "claim") {
    EXPECT_TRUE(client.table->post(
        client.member, codec::Claim{.claim_id = std::move(id), .seat = seat, .wish = wish}));
    settle();
  }
  pb::Event resignation(Client& client) {
    return next(client,
                [](const pb::ServerFrame& frame) {
                  return frame.has_event() && frame.event().body().Is<pb::Resigned>();
                })
        .event();
  }
  /// Plays the first move of the position for whoever is on turn: `clients` by their seats.
  void play_one(std::initializer_list<Client*> clients, std::string id) {
    const auto watcher = watch();
    const auto view = azul_view_of(next(*watcher, &pb::ServerFrame::has_snapshot));
    send(*std::data(clients)[view.turn()], first_move(view, std::move(id)));
  }
  pb::Refusal refusal(Client& client) {
    return next(client, [](const pb::ServerFrame& frame) { return frame.has_refusal(); }).refusal();
  }
};

/// Who is away may soon be claimed against.
class TableClaimTest : public AnyTableClaimTest {
 protected:
  static constexpr auto kAfter = 50ms;

  TableClaimTest() : AnyTableClaimTest(kAfter) {}

  /// Everybody but who is connected has been away for long enough.
  static void wait_for_claims() { std::this_thread::sleep_for(2 * kAfter); }
};

/// Not during the test.
class TableEarlyClaimTest : public AnyTableClaimTest {};

TEST_F(TableClaimTest, WhoIsAwayInAGameOfTwoHasLostItWhenTheOtherClaimsIt) {
  make_azul(2);
  ASSERT_TRUE(take(kBob));
  const auto ana = come(kPlayer);
  wait_for_claims();
  claim(*ana, 1, ClaimWish::kResignation);
  const auto event = resignation(*ana);
  EXPECT_EQ(event.seat(), 1);
  EXPECT_EQ(event.move_id(), "claim");
  pb::Resigned body;
  ASSERT_TRUE(event.body().UnpackTo(&body));
  ASSERT_TRUE(body.has_claimed_by());
  EXPECT_EQ(body.claimed_by(), 0);
  EXPECT_EQ(event.result().standings(0).rank(), 1);
  EXPECT_EQ(event.result().standings(1).rank(), 2);
  EXPECT_TRUE(event.result().standings(1).resigned());
  EXPECT_EQ(row().state, store::TableState::kOver);

  // The log says the same.
  const auto bob = come(kBob, 1);
  const auto again = resignation(*bob);
  ASSERT_TRUE(again.body().UnpackTo(&body));
  EXPECT_TRUE(body.has_claimed_by());
}

TEST_F(TableClaimTest, AClaimThatIsSentAgainIsAnsweredWithWhatItBecame) {
  make_azul(2);
  ASSERT_TRUE(take(kBob));
  auto ana = come(kPlayer);
  wait_for_claims();
  claim(*ana, 1, ClaimWish::kResignation);
  const auto event = resignation(*ana);
  const auto expect_repeated = [&] {
    claim(*ana, 1, ClaimWish::kResignation);
    const auto frame = next(*ana, [](const pb::ServerFrame& each) {
      return each.has_move_repeated() || each.has_refusal();
    });
    ASSERT_TRUE(frame.has_move_repeated()) << frame.ShortDebugString();
    EXPECT_EQ(frame.move_repeated().event().ShortDebugString(), event.ShortDebugString());
  };
  expect_repeated();
  leave(*ana);
  ana = come(kPlayer);
  expect_repeated();
  EXPECT_EQ(ana->table->version(), Version{event.version()});

  claim(*ana, 1, ClaimWish::kResignation, "another");
  EXPECT_EQ(refusal(*ana).reason(), pb::REASON_GAME_OVER);
}

TEST_F(TableClaimTest, AClaimIsOnlyTheOneWhoseSenderMadeIt) {
  make_azul(3);
  ASSERT_TRUE(take(kBob));
  ASSERT_TRUE(take(kEve));
  const auto ana = come(kPlayer);
  const auto bob = come(kBob);
  const auto eve = come(kEve);
  for (int i = 0; i < 3; ++i) play_one({ana.get(), bob.get(), eve.get()}, "claim");
  leave(*bob);
  wait_for_claims();
  // Bob has played a move of this id.
  claim(*eve, 1, ClaimWish::kResignation);
  EXPECT_EQ(resignation(*eve).seat(), 1);
  claim(*ana, 1, ClaimWish::kResignation);
  EXPECT_THAT(refusal(*ana).message(), HasSubstr("Bob has given up already"));
}

TEST_F(TableClaimTest, ABotPlaysOnUntilThePlayerComesBack) {
  make_azul(2);
  ASSERT_TRUE(take(kBob));
  const auto ana = come(kPlayer);
  wait_for_claims();
  claim(*ana, 1, ClaimWish::kBot);
  const auto seating = next(*ana, [](const pb::ServerFrame& frame) {
                         return frame.has_seating() && !frame.seating().seats(1).strategy().empty();
                       }).seating();
  EXPECT_EQ(seating.seats(1).strategy(), "safe");
  EXPECT_FALSE(seating.seats(1).bot());
  claim(*ana, 1, ClaimWish::kBot);
  EXPECT_THAT(refusal(*ana).message(), HasSubstr("A bot plays for Bob already"));
  const auto bob = come(kBob);
  const auto back = next(*ana, [](const pb::ServerFrame& frame) {
    return frame.has_seating() && frame.seating().seats(1).strategy().empty();
  });
  EXPECT_TRUE(back.has_seating());
}

TEST_F(TableClaimTest, AtATableOfThreeTheOthersPlayOn) {
  make_azul(3);
  ASSERT_TRUE(take(kBob));
  ASSERT_TRUE(take(kEve));
  const auto ana = come(kPlayer);
  const auto eve = come(kEve);
  wait_for_claims();
  claim(*eve, 1, ClaimWish::kResignation);
  EXPECT_FALSE(resignation(*ana).has_result());
  claim(*ana, 1, ClaimWish::kResignation);
  EXPECT_THAT(refusal(*ana).message(), HasSubstr("Bob has given up already"));
}

TEST_F(TableClaimTest, NobodyIsAwayForLongerThanTheGameIsOn) {
  make_azul(2);
  const auto ana = come(kPlayer);
  wait_for_claims();
  const auto before = std::chrono::steady_clock::now();
  ASSERT_TRUE(take(kBob));
  const auto begun = next(*ana, [](const pb::ServerFrame& frame) {
                       return frame.has_seating() && !frame.seating().waiting();
                     }).seating();
  const auto most =
      std::chrono::ceil<std::chrono::milliseconds>(std::chrono::steady_clock::now() - before);
  EXPECT_GT(begun.seats(1).away_ms(), 0U);
  EXPECT_LE(begun.seats(1).away_ms(), most.count());
}

TEST_F(TableClaimTest, WhoIsBeingToldWhatTheyMissedIsBack) {
  make_azul(2);
  ASSERT_TRUE(take(kBob));
  const auto ana = come(kPlayer);
  const auto bob = come(kBob);
  for (const char* id : {"m1", "m2", "m3"}) play_one({ana.get(), bob.get()}, id);
  leave(*bob);
  wait_for_claims();
  ana->table->drop_events_before(std::chrono::steady_clock::time_point::max());
  // Bob's stream is there, but his missed events are still to be read when Ana's claim comes.
  Client back;
  back.table = ana->table;
  back.member =
      back.table->join(back.outbox, kBob, {.token = {}, .last_version = Version{1}}).value();
  claim(*ana, 1, ClaimWish::kResignation);
  EXPECT_THAT(refusal(*ana).message(), HasSubstr("Bob is here"));
  EXPECT_TRUE(next(back, &pb::ServerFrame::has_welcome).welcome().resumed());
  EXPECT_EQ(row().state, store::TableState::kInPlay);
}

TEST_F(TableClaimTest, SeatingTellsForHowLongSomebodyIsAway) {
  make_azul(2);
  ASSERT_TRUE(take(kBob));
  const auto bob = come(kBob);
  const auto ana = come(kPlayer);
  leave(*bob);
  std::this_thread::sleep_for(20ms);
  const auto gone = next(*ana, [](const pb::ServerFrame& frame) {
                      return frame.has_seating() && !frame.seating().seats(1).connected();
                    }).seating();
  EXPECT_EQ(gone.claim_after_ms(), kAfter.count());
  EXPECT_GT(gone.seats(1).away_ms(), 0U);
  EXPECT_EQ(gone.seats(0).away_ms(), 0U);
}

TEST_F(TableEarlyClaimTest, WhatCannotBeClaimedIsRefused) {
  make_azul(2);
  ASSERT_TRUE(take(kBob));
  const auto ana = come(kPlayer);
  const auto bob = come(kBob);
  const auto refused = [&](Client& client, std::uint32_t seat, const std::string& claim_id = "c") {
    claim(client, seat, ClaimWish::kResignation, claim_id);
    return refusal(client);
  };
  EXPECT_THAT(refused(*ana, 1).message(), HasSubstr("Bob is here"));
  EXPECT_EQ(refused(*ana, 1).reason(), pb::REASON_NOT_AWAY);
  EXPECT_EQ(refused(*ana, 1).move_id(), "c");
  EXPECT_THAT(refused(*ana, 0).message(), HasSubstr("No other player sits on seat 0"));
  EXPECT_THAT(refused(*ana, 300).message(), HasSubstr("No other player sits on seat 300"));
  EXPECT_EQ(refused(*ana, 1, "").reason(), pb::REASON_MALFORMED);
  const auto eve = come(kEve);
  EXPECT_EQ(refused(*eve, 1).reason(), pb::REASON_NOT_SEATED);
  leave(*bob);
  EXPECT_THAT(refused(*ana, 1).message(), HasSubstr("Bob may come back: claim the game in "));
  EXPECT_EQ(row().state, store::TableState::kInPlay);
}

TEST_F(TableClaimTest, ABotIsNeverAway) {
  make_table("azul", azul(3), {AddBot{.asker = kPlayer, .strategy = "safe", .seat = Seat{2}}});
  ASSERT_TRUE(take(kBob));
  const auto ana = come(kPlayer);
  wait_for_claims();
  for (const auto wish : {ClaimWish::kResignation, ClaimWish::kBot}) {
    claim(*ana, 2, wish);
    const auto refused = refusal(*ana);
    EXPECT_EQ(refused.reason(), pb::REASON_MALFORMED);
    EXPECT_THAT(refused.message(), HasSubstr("No other player sits on seat 2"));
  }
}

TEST_F(TableClaimTest, AGameByDaysIsNotClaimed) {
  lobby::v1::TableOptions options;
  options.mutable_clock()->set_move_ms(86'400'000);
  make_azul(2, options);
  ASSERT_TRUE(take(kBob));
  const auto ana = come(kPlayer);
  wait_for_claims();
  claim(*ana, 1, ClaimWish::kResignation);
  const auto refused = refusal(*ana);
  EXPECT_EQ(refused.reason(), pb::REASON_NOT_AWAY);
  EXPECT_THAT(refused.message(), HasSubstr("played by days"));
  const auto eve = come(kEve);
  const auto welcome = next(*eve, &pb::ServerFrame::has_welcome).welcome();
  EXPECT_TRUE(welcome.has_seating());
  EXPECT_EQ(welcome.seating().claim_after_ms(), 0U);
}

}  // namespace
}  // namespace tesela::tables
