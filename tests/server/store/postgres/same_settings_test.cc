// What the servers on one database must have in common.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store {
namespace same_settings_test {

KeyFingerprint token(const std::string& fingerprint) {
  return {"token key", "--token-secret-file", fingerprint};
}
KeyFingerprint daily(const std::string& fingerprint) {
  return {"daily key", "--daily-secret-file", fingerprint};
}

class SameSettings : public testing::Test {
 protected:
  [[nodiscard]] Expected<std::unique_ptr<PostgresStore>> open(
      std::vector<KeyFingerprint> keys = {}) const {
    return PostgresStore::open(
        {.url = database_.url(), .wait = limits::kStoreWait, .shared_keys = std::move(keys)});
  }
  /// Sets the database's clock.
  void set_clock(const std::string& time) {
    admin_.run("ALTER DATABASE " + database_.name() + " SET search_path = public, pg_catalog");
    admin_.run(
        "CREATE OR REPLACE FUNCTION public.clock_timestamp() RETURNS timestamptz"
        " LANGUAGE sql AS $$ SELECT pg_catalog.clock_timestamp() + interval '" +
        time + "' $$");
  }

  Database database_{PostgresServer::shared()};
  Session admin_{database_.url()};
};

TEST_F(SameSettings, TheKeysOfTheFirstServerAreThoseOfAll) {
  EXPECT_TRUE(open({token("a"), daily("b")}));
  EXPECT_TRUE(open({token("a"), daily("b")}));
  const auto refused = open({token("a"), daily("c")});
  EXPECT_EQ(refusal(refused), ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.error().message.find("another daily key than the one of --daily-secret-file"),
            std::string::npos)
      << refused.error().message;
  EXPECT_EQ(refusal(open({token("b"), daily("b")})), ErrorCode::kInvalidArgument);
}

TEST_F(SameSettings, AServerThatIsRefusedLeavesNoKey) {
  EXPECT_TRUE(open({daily("b")}));
  EXPECT_EQ(refusal(open({token("x"), daily("c")})), ErrorCode::kInvalidArgument);
  EXPECT_TRUE(open({token("a"), daily("b")}));
}

TEST_F(SameSettings, AKeyIsChangedByDeletingItsRow) {
  EXPECT_TRUE(open({token("a"), daily("b")}));
  admin_.run("DELETE FROM shared_keys WHERE name = 'token key'");
  EXPECT_TRUE(open({token("z"), daily("b")}));
  EXPECT_FALSE(open({token("a"), daily("b")}));
}

TEST_F(SameSettings, AKeyIsReplacedWhileServersRunByOneThatKnowsBoth) {
  const auto replaces = [this](const std::string& key, const std::string& former) {
    return open({{"token key", "--token-secret-file", key, former}}).has_value();
  };
  EXPECT_TRUE(open({token("a")}));
  EXPECT_TRUE(replaces("a", "b"));  // accepts the new one, and signs with the old one
  EXPECT_FALSE(open({token("b")}));
  EXPECT_TRUE(replaces("b", "a"));
  EXPECT_TRUE(replaces("a", "b"));  // a late one, started again
  EXPECT_TRUE(replaces("b", "a"));
  EXPECT_FALSE(open({token("a")}));
  EXPECT_TRUE(open({token("b")}));
}

TEST_F(SameSettings, AClockThatIsOffIsRefusedInBothDirections) {
  set_clock("-60 seconds");
  const auto ahead = open();
  EXPECT_EQ(refusal(ahead), ErrorCode::kInvalidArgument);
  EXPECT_NE(ahead.error().message.find(" ms ahead of the database"), std::string::npos)
      << ahead.error().message;
  set_clock("60 seconds");
  const auto behind = open();
  EXPECT_EQ(refusal(behind), ErrorCode::kInvalidArgument);
  EXPECT_NE(behind.error().message.find(" ms behind the database"), std::string::npos)
      << behind.error().message;
  set_clock("1 second");
  EXPECT_TRUE(open());
}

}  // namespace same_settings_test
}  // namespace tesela::store
