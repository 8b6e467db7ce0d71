// The contract of Notices (server/store/notices.h).
#include "server/store/notices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "server/base/absence_limits.h"
#include "tests/server/store/contract.h"

namespace tesela::store {
namespace notices_test {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};
constexpr TableId kTable{70};
constexpr std::int64_t kLease = 2000;

class NoticesContract : public StoreContract {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
    ASSERT_TRUE(caller().sign_in(kBob, "Bob"));
  }

  template <class T>
  T wait(boost::asio::awaitable<T> call) {
    return caller().wait(std::move(call));
  }
  Notices& notices() { return backend().notices(); }

  std::optional<ErrorCode> subscribe(PlayerId player, std::string endpoint, SessionId session = {},
                                     std::int64_t at_ms = 1) {
    PushDevice device{.endpoint = std::move(endpoint), .p256dh = "key", .auth = "auth"};
    return refusal(wait(notices().add_device(player, session, std::move(device), at_ms)));
  }
  std::vector<std::string> endpoints(PlayerId player) {
    return wait(notices().notifications(player)).value().endpoints;
  }
  static NewNotice turn(std::uint64_t version, PlayerId player, std::int64_t due_ms,
                        NoticeKind kind = NoticeKind::kYourTurn) {
    return {.kind = kind,
            .player = player,
            .subject = "table",
            .table = kTable,
            .from = player == kAda ? kBob : kAda,
            .version = Version{version},
            .due_ms = due_ms,
            .until_ms = 5000};
  }
  void add(std::vector<NewNotice> added) {
    ASSERT_TRUE(wait(notices().add_notices(std::move(added))));
  }
  std::vector<DueNotice> claim(std::int64_t now_ms) {
    return wait(notices().claim_notices(now_ms, now_ms + kLease, 10)).value();
  }
  std::vector<std::string> claimed(std::int64_t now_ms) {
    std::vector<std::string> to;
    for (const DueNotice& notice : claim(now_ms)) {
      to.push_back(notice.device ? notice.device->endpoint : "webhook");
    }
    return to;
  }
  void challenge(PlayerId from, PlayerId to, std::string id = "secret") {
    ChallengeRow row{.id = std::move(id),
                     .from = {.id = from, .name = {}},
                     .to = NamedPlayer{.id = to, .name = {}},
                     .game = "azul",
                     .created_ms = 10,
                     .expires_ms = 5000};
    ASSERT_TRUE(wait(backend().friends().add_challenge(std::move(row))));
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, NoticesContract, testing::ValuesIn(databases()), kind_name);

TEST_P(NoticesContract, EachDeviceIsToldOnceAndAnotherServerAfterTheLease) {
  ASSERT_EQ(subscribe(kBob, "b1"), std::nullopt);
  ASSERT_EQ(subscribe(kBob, "b2"), std::nullopt);
  ASSERT_EQ(subscribe(kAda, "a"), std::nullopt);
  challenge(kAda, kBob);
  EXPECT_FALSE(wait(notices().notices_due(9)).value());
  EXPECT_TRUE(wait(notices().notices_due(10)).value());
  const auto due = claim(10);
  ASSERT_THAT(due, SizeIs(2));
  EXPECT_EQ(due[0].player_name, "Bob");
  EXPECT_EQ(due[0].from_name, "Ada");
  EXPECT_EQ(due[0].game, "azul");
  EXPECT_EQ(due[0].subject, "secret");
  EXPECT_EQ(due[0].tries, 1);
  EXPECT_TRUE(due[0].holds);
  EXPECT_THAT(claimed(11), IsEmpty());
  // The one is sent again later, the other one was sent.
  ASSERT_TRUE(wait(notices().settle_notice(due[0].id, due[0].lease_ms, 100, due[0].tries)));
  ASSERT_TRUE(wait(notices().settle_notice(due[1].id, due[1].lease_ms, std::nullopt, 1)));
  const auto again = claim(100);
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_EQ(again[0].tries, 2);
  // Who comes late has no say.
  ASSERT_TRUE(wait(notices().settle_notice(due[0].id, due[0].lease_ms, std::nullopt, 1)));
  EXPECT_THAT(claimed(100 + kLease), ElementsAre(due[0].device->endpoint));
  ASSERT_TRUE(wait(backend().friends().withdraw_challenge("secret", kAda)));
  EXPECT_FALSE(claim(100 + 2 * kLease).at(0).holds);
  EXPECT_THAT(claimed(5000), IsEmpty());
  EXPECT_EQ(backend().ask("SELECT count(*) FROM notices"), 0) << "what is over is deleted";
}

TEST_P(NoticesContract, ATurnReplacesTheFormerOneAndWhatWasToldStaysTold) {
  ASSERT_EQ(subscribe(kAda, "a"), std::nullopt);
  ASSERT_EQ(subscribe(kBob, "b"), std::nullopt);
  add({turn(1, kAda, 10), turn(1, kAda, 50, NoticeKind::kTimeShort)});
  const auto due = claim(10);
  ASSERT_THAT(due, SizeIs(1));
  EXPECT_FALSE(due[0].holds) << "there is no such game in play";
  ASSERT_TRUE(wait(notices().settle_notice(due[0].id, due[0].lease_ms, std::nullopt, 1)));
  add({turn(1, kAda, 20), turn(1, kAda, 60, NoticeKind::kTimeShort)});
  EXPECT_THAT(claimed(59), IsEmpty()) << "the table was loaded again";
  add({turn(2, kBob, 200)});
  EXPECT_THAT(claimed(100), IsEmpty()) << "who is there knows it";
  add({turn(1, kAda, 20)});
  EXPECT_EQ(backend().ask("SELECT count(*) FROM notices WHERE version = 2"), 1)
      << "a former owner is late";
  add({turn(3, kAda, 30)});
  EXPECT_THAT(claimed(100), ElementsAre("a"));
}

TEST_P(NoticesContract, ChoicesAreKeptAndHeeded) {
  ASSERT_EQ(subscribe(kBob, "b"), std::nullopt);
  const NoticeChoices none{.kinds = 0,
                           .quiet = {.from_minute = 1, .to_minute = 2, .time_zone = "UTC"}};
  EXPECT_EQ(wait(notices().notifications(kBob))->choices, NoticeChoices{});
  ASSERT_TRUE(wait(notices().set_notifications(kBob, none)));
  EXPECT_EQ(wait(notices().notifications(kBob))->choices, none);
  challenge(kAda, kBob);
  EXPECT_THAT(claimed(100), IsEmpty());
  EXPECT_EQ(refusal(wait(notices().set_notifications(PlayerId{99}, none))), ErrorCode::kNotFound);
  // Also of what was stored before.
  ASSERT_TRUE(wait(notices().set_notifications(kBob, NoticeChoices{})));
  ASSERT_TRUE(wait(backend().friends().withdraw_challenge("secret", kAda)));
  challenge(kAda, kBob, "another");
  ASSERT_TRUE(wait(notices().set_notifications(kBob, none)));
  EXPECT_FALSE(claim(100).at(0).holds);
}

TEST_P(NoticesContract, AChallengeThatIsWithdrawnAndMadeAgainIsToldOnce) {
  ASSERT_EQ(subscribe(kBob, "b"), std::nullopt);
  challenge(kAda, kBob);
  EXPECT_THAT(claimed(100), ElementsAre("b"));
  ASSERT_TRUE(wait(backend().friends().withdraw_challenge("secret", kAda)));
  challenge(kAda, kBob, "another");
  EXPECT_FALSE(wait(notices().notices_due(100)).value());
}

TEST_P(NoticesContract, TheWebhookIsToldOfPlayersWithoutADevice) {
  challenge(kAda, kBob);
  EXPECT_THAT(claimed(100), IsEmpty());
  ASSERT_TRUE(wait(notices().set_webhook(true)));
  ASSERT_TRUE(wait(notices().set_webhook(true)));
  add({turn(1, kAda, 10), turn(1, PlayerId{99}, 10)});
  EXPECT_THAT(claimed(100), ElementsAre("webhook"));
  ASSERT_TRUE(wait(notices().set_webhook(false)));
  EXPECT_THAT(claimed(100 + kLease), IsEmpty());
}

TEST_P(NoticesContract, DevicesEndWithTheirSessions) {
  const auto session = [this](std::uint64_t id) {
    return wait(backend().accounts().add_session(
                    {.id = SessionId{id}, .player = kAda, .created_ms = 1, .seen_ms = 1},
                    std::nullopt, 0))
        .has_value();
  };
  ASSERT_TRUE(session(1));
  ASSERT_TRUE(session(2));
  ASSERT_EQ(subscribe(kAda, "one", SessionId{1}, 1), std::nullopt);
  ASSERT_EQ(subscribe(kAda, "two", SessionId{2}, 2), std::nullopt);
  EXPECT_THAT(endpoints(kAda), ElementsAre("two", "one"));
  ASSERT_TRUE(wait(backend().accounts().end_sessions(kAda, SessionId{1}, std::nullopt)));
  EXPECT_THAT(endpoints(kAda), ElementsAre("two"));
  EXPECT_EQ(subscribe(kAda, "one", SessionId{1}), ErrorCode::kSessionEnded);
  ASSERT_EQ(subscribe(kBob, "two"), std::nullopt);
  EXPECT_THAT(endpoints(kAda), IsEmpty());
  ASSERT_TRUE(wait(notices().remove_device("two", kAda)));
  EXPECT_THAT(endpoints(kBob), ElementsAre("two")) << "another player's";
  ASSERT_TRUE(wait(notices().remove_device("two", std::nullopt)));
  EXPECT_THAT(endpoints(kBob), IsEmpty());
  for (std::int64_t i = 0; i <= static_cast<std::int64_t>(limits::kDevicesPerPlayer); ++i) {
    ASSERT_EQ(subscribe(kBob, std::to_string(i), {}, i), std::nullopt);
  }
  EXPECT_THAT(endpoints(kBob), SizeIs(limits::kDevicesPerPlayer));
  EXPECT_EQ(endpoints(kBob).back(), "1");
  ASSERT_TRUE(wait(backend().personal_data().erase(kBob, 1, {})));
  EXPECT_THAT(endpoints(kBob), IsEmpty());
}

}  // namespace notices_test
}  // namespace tesela::store
