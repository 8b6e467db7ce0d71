// The contract of Accounts (server/store/accounts.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "server/base/scale_limits.h"
#include "tests/server/store/contract.h"

namespace tesela::store {
namespace accounts_test {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};

class AccountsContract : public StoreContract {
 protected:
  void SetUp() override {
    ASSERT_TRUE(wait(accounts().add_guest({.id = kAda, .display_name = "Ada", .created_ms = 100},
                                          session(1, 100))));
    ASSERT_TRUE(caller().sign_in(kBob, "Bob"));
  }

  template <class T>
  T wait(boost::asio::awaitable<T> call) {
    return caller().wait(std::move(call));
  }
  Accounts& accounts() { return backend().accounts(); }
  static SessionRow session(std::uint64_t id, std::int64_t at_ms, std::string proof = {}) {
    return {.id = SessionId{id},
            .player = kAda,
            .created_ms = at_ms,
            .seen_ms = at_ms,
            .device = "Firefox",
            .proof = std::move(proof)};
  }
  Expected<std::vector<SessionId>> add(SessionRow row, std::optional<CredentialUse> use = {},
                                       std::int64_t dead_before_ms = 0) {
    return wait(accounts().add_session(std::move(row), std::move(use), dead_before_ms));
  }
  std::vector<SessionId> live(std::int64_t seen_since_ms = 0) {
    std::vector<SessionId> ids;
    for (const SessionRow& row : wait(accounts().sessions(kAda, seen_since_ms)).value()) {
      ids.push_back(row.id);
    }
    return ids;
  }
  Expected<std::vector<SessionId>> end(std::optional<SessionId> only,
                                       std::optional<SessionId> but = {}) {
    return wait(accounts().end_sessions(kAda, only, but));
  }
  static CredentialRow passkey(std::string id, PlayerId player = kAda) {
    return {.id = std::move(id),
            .player = player,
            .name = "Laptop",
            .secret = "key",
            .created_ms = 200};
  }
  static CredentialRow code(std::string id) {
    return {.id = std::move(id),
            .player = kAda,
            .kind = CredentialKind::kRecoveryCode,
            .secret = "hash",
            .created_ms = 300};
  }
  Expected<void> add(CredentialRow row) { return wait(accounts().add_credential(std::move(row))); }
  Expected<void> remove(std::string id, bool last_too = false) {
    return wait(accounts().remove_credential(kAda, std::move(id), last_too));
  }
  std::vector<std::string> credentials() {
    std::vector<std::string> ids;
    for (const CredentialRow& row : wait(accounts().credentials(kAda)).value()) {
      ids.push_back(row.id);
    }
    return ids;
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, AccountsContract, testing::ValuesIn(databases()), kind_name);

TEST_P(AccountsContract, AGuestComesWithASession) {
  EXPECT_EQ(caller().meet(kAda)->display_name, "Ada");
  EXPECT_EQ(wait(accounts().session(SessionId{1})).value(), session(1, 100));
  EXPECT_EQ(refusal(wait(accounts().session(SessionId{2}))), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(wait(
                accounts().add_guest({.id = PlayerId{9}, .display_name = "Eve"}, session(1, 5)))),
            ErrorCode::kInternal);
  EXPECT_EQ(refusal(wait(backend().store().player(PlayerId{9}))), ErrorCode::kNotFound);
}

TEST_P(AccountsContract, SessionsAreListedAndEndedOneByOne) {
  ASSERT_TRUE(add(session(2, 200)));
  ASSERT_TRUE(add(session(3, 300)));
  reopen();
  EXPECT_THAT(live(), ElementsAre(SessionId{3}, SessionId{2}, SessionId{1}));
  EXPECT_THAT(live(200), ElementsAre(SessionId{3}, SessionId{2}));
  ASSERT_TRUE(wait(accounts().see_session(SessionId{1}, kAda, 400)));
  ASSERT_TRUE(wait(accounts().see_session(SessionId{1}, kAda, 350)));
  EXPECT_THAT(live(), ElementsAre(SessionId{1}, SessionId{3}, SessionId{2}));
  EXPECT_EQ(backend().ask("SELECT seen_ms FROM players WHERE id = 7"), 400);
  EXPECT_THAT(end(SessionId{3}).value(), ElementsAre(SessionId{3}));
  EXPECT_THAT(end(SessionId{3}).value(), IsEmpty()) << "has ended before";
  EXPECT_THAT(wait(accounts().end_sessions(kBob, SessionId{2}, {})).value(), IsEmpty()) << "Ada's";
  EXPECT_THAT(end({}, SessionId{2}).value(), ElementsAre(SessionId{1}));
  EXPECT_THAT(live(), ElementsAre(SessionId{2}));
  EXPECT_TRUE(wait(accounts().session(SessionId{1}))->ended_ms);
  EXPECT_THAT(end({}).value(), ElementsAre(SessionId{2}));
  EXPECT_THAT(live(), IsEmpty());
}

TEST_P(AccountsContract, TheSessionsThatEndedLastAreFound) {
  ASSERT_TRUE(add(session(2, 200)));
  ASSERT_TRUE(end(SessionId{2}));
  const auto first = wait(accounts().ended_sessions(0, 10)).value();
  ASSERT_EQ(first.size(), 1);
  EXPECT_EQ(first[0].id, SessionId{2});
  EXPECT_GT(first[0].ended_ms, 1'700'000'000'000);
  ASSERT_TRUE(end(SessionId{1}));
  EXPECT_EQ(wait(accounts().ended_sessions(first[0].ended_ms, 10))->size(), 2);
  EXPECT_EQ(wait(accounts().ended_sessions(0, 1))->size(), 1);
  EXPECT_THAT(wait(accounts().ended_sessions(first[0].ended_ms + 3'600'000, 10)).value(),
              IsEmpty());
}

TEST_P(AccountsContract, OfTooManySessionsTheLongestUnseenEnd) {
  for (std::uint64_t id = 2; id <= limits::kSessionsPerPlayer; ++id) {
    EXPECT_THAT(add(session(id, 100 + static_cast<std::int64_t>(id))).value(), IsEmpty());
  }
  EXPECT_THAT(add(session(1000, 50)).value(), ElementsAre(SessionId{1000})) << "itself unseen";
  EXPECT_THAT(add(session(1001, 5000)).value(), ElementsAre(SessionId{1}));
  EXPECT_EQ(live().size(), limits::kSessionsPerPlayer);
}

TEST_P(AccountsContract, DeadSessionsAreDeletedWithTheNextOne) {
  ASSERT_TRUE(add(session(2, 200)));
  ASSERT_TRUE(add(session(3, 900), {}, 200));
  EXPECT_EQ(refusal(wait(accounts().session(SessionId{1}))), ErrorCode::kNotFound);
  EXPECT_THAT(live(), ElementsAre(SessionId{3}, SessionId{2}));
}

TEST_P(AccountsContract, AChallengeMakesOneSession) {
  ASSERT_TRUE(add(session(2, 200, "challenge")));
  EXPECT_EQ(refusal(add(session(3, 201, "challenge"))), ErrorCode::kPermissionDenied);
  EXPECT_TRUE(add(session(3, 201, "another")));
  EXPECT_EQ(wait(accounts().session(SessionId{2}))->proof, "challenge");
  SessionRow nobody = session(4, 200);
  nobody.player = PlayerId{99};
  EXPECT_EQ(refusal(add(nobody)), ErrorCode::kNotFound);
}

TEST_P(AccountsContract, ACredentialMakesAMemberAndItsLossAGuest) {
  EXPECT_EQ(caller().meet(kAda)->kind, PlayerKind::kGuest);
  ASSERT_TRUE(add(passkey("a")));
  EXPECT_EQ(caller().meet(kAda)->kind, PlayerKind::kMember);
  EXPECT_EQ(wait(accounts().credential("a")).value(), passkey("a"));
  ASSERT_TRUE(add(passkey("b")));
  EXPECT_EQ(refusal(add(passkey("b", kBob))), ErrorCode::kTaken);
  EXPECT_EQ(caller().meet(kBob)->kind, PlayerKind::kGuest);
  EXPECT_EQ(refusal(remove("c")), ErrorCode::kNotFound);
  ASSERT_TRUE(wait(accounts().name_credential(kAda, "b", "Phone")));
  EXPECT_EQ(refusal(wait(accounts().name_credential(kBob, "b", "Mine"))), ErrorCode::kNotFound);
  EXPECT_EQ(wait(accounts().credential("b"))->name, "Phone");
  ASSERT_TRUE(remove("a"));
  EXPECT_EQ(refusal(remove("b")), ErrorCode::kLastCredential);
  EXPECT_THAT(credentials(), ElementsAre("b"));
  EXPECT_EQ(caller().meet(kAda)->kind, PlayerKind::kMember);
  ASSERT_TRUE(remove("b", true));
  EXPECT_EQ(caller().meet(kAda)->kind, PlayerKind::kGuest);
}

TEST_P(AccountsContract, ANewRecoveryCodeReplacesTheOlder) {
  ASSERT_TRUE(add(passkey("a")));
  ASSERT_TRUE(add(code("first")));
  ASSERT_TRUE(add(code("second")));
  EXPECT_THAT(credentials(), ElementsAre("a", "second"));
}

TEST_P(AccountsContract, CredentialsAreLimited) {
  for (std::size_t n = 0; n < limits::kCredentialsPerPlayer; ++n) {
    ASSERT_TRUE(add(passkey(std::to_string(n))));
  }
  EXPECT_EQ(refusal(add(passkey("one more"))), ErrorCode::kResourceExhausted);
  EXPECT_EQ(credentials().size(), limits::kCredentialsPerPlayer);
}

TEST_P(AccountsContract, OnlyGuestsAndMembersHaveCredentials) {
  ASSERT_TRUE(wait(backend().store().add_player({.id = PlayerId{9},
                                                 .display_name = "Of an issuer",
                                                 .created_ms = 1,
                                                 .kind = PlayerKind::kOfIssuer,
                                                 .identity = "hash"})));
  EXPECT_EQ(refusal(add(passkey("a", PlayerId{9}))), ErrorCode::kPermissionDenied);
  EXPECT_EQ(refusal(add(passkey("a", PlayerId{99}))), ErrorCode::kNotFound);
}

TEST_P(AccountsContract, ACredentialIsUsedWithItsSecretAndARisingCounter) {
  ASSERT_TRUE(add(passkey("a")));
  const auto use = [this](std::uint64_t id, std::int64_t uses, std::string secret = "key",
                          std::string credential = "a") {
    return refusal(add(session(id, 500 + static_cast<std::int64_t>(id)),
                       CredentialUse{std::move(credential), std::move(secret), uses}));
  };
  EXPECT_EQ(use(2, 0), std::nullopt);
  EXPECT_EQ(use(3, 0), std::nullopt) << "this authenticator does not count";
  EXPECT_EQ(use(4, 5), std::nullopt);
  EXPECT_EQ(use(5, 5), ErrorCode::kPermissionDenied);
  EXPECT_EQ(use(5, 0), ErrorCode::kPermissionDenied);
  EXPECT_EQ(use(5, 6, "another key"), ErrorCode::kPermissionDenied);
  EXPECT_EQ(use(5, 6, "key", "b"), ErrorCode::kPermissionDenied);
  EXPECT_EQ(use(5, 6), std::nullopt);
  EXPECT_EQ(wait(accounts().credential("a"))->uses, 6);
  EXPECT_EQ(wait(accounts().credential("a"))->used_ms, 505);
  EXPECT_EQ(live().size(), 5);
}

TEST_P(AccountsContract, ErasingTakesSessionsAndCredentials) {
  ASSERT_TRUE(add(passkey("a")));
  ASSERT_TRUE(wait(backend().personal_data().erase(kAda, 5000, {})));
  EXPECT_THAT(live(), IsEmpty());
  EXPECT_THAT(credentials(), IsEmpty());
  EXPECT_EQ(caller().meet(kAda)->kind, PlayerKind::kGuest);
  EXPECT_EQ(refusal(add(session(2, 200))), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(add(passkey("a"))), ErrorCode::kNotFound);
}

TEST_P(AccountsContract, AGuestIsDeletedWithSessionsAndAMemberIsKept) {
  ASSERT_TRUE(wait(backend().removals().remove(
      {.guests = {kBob}, .silent_since_ms = 10'000, .now_ms = 10'000})));
  ASSERT_TRUE(add(passkey("a")));
  const auto remove_ada = [this] {
    return wait(backend().removals().remove(
        {.guests = {kAda}, .silent_since_ms = 10'000, .now_ms = 5'000}));
  };
  EXPECT_EQ(remove_ada()->guests, 0);
  ASSERT_TRUE(remove("a", true));
  EXPECT_EQ(remove_ada()->guests, 1);
  EXPECT_EQ(backend().ask("SELECT count(*) FROM sessions"), 0);
}

}  // namespace accounts_test
}  // namespace tesela::store
