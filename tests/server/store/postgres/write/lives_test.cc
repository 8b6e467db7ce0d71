// Lives and leases, and who may declare whom dead (server/store/postgres/write/lives.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "server/base/ownership_limits.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/postgres/lives.h"

namespace tesela::store {
namespace lives_test {

constexpr int kLeaseMs = static_cast<int>(limits::kLeaseTime.count());
using Addresses = std::vector<std::string>;

class PostgresLives : public testing::Test {
 protected:
  /// Time passes, in which only these lives renew their leases.
  void pass_with(const std::vector<LifeId>& renewing, int time_ms) {
    while (time_ms > 0) {
      lives_.let_pass(std::min(time_ms, kLeaseMs / 4));
      for (const LifeId life : renewing) EXPECT_TRUE(lives_.renew(life));
      time_ms -= kLeaseMs / 4;
    }
  }

  Database database_{PostgresServer::shared()};
  std::unique_ptr<PostgresStore> store_ = open_postgres(database_.url());
  Lives lives_{database_.url()};
  Session admin_{database_.url()};
  const LifeId ann_ = lives_.begin("ann:1");
  const LifeId ben_ = lives_.begin("ben:2");
};

TEST_F(PostgresLives, WhoRenewsTheLeaseLives) {
  pass_with({ann_, ben_}, 3 * kLeaseMs);
  EXPECT_EQ(lives_.declare_deaths(ann_), Addresses{});
  EXPECT_TRUE(lives_.renew(ben_));
}

TEST_F(PostgresLives, WhoDoesNotIsDeclaredDeadOnceByALifeThatDoes) {
  pass_with({ann_}, 2 * kLeaseMs);
  EXPECT_EQ(lives_.declare_deaths(ann_), Addresses{"ben:2"});
  EXPECT_EQ(lives_.declare_deaths(ann_), Addresses{});
  EXPECT_FALSE(lives_.renew(ben_));
  EXPECT_TRUE(lives_.renew(ann_));
}

TEST_F(PostgresLives, ALateRenewalComesInTimeWhileNobodyHasDeclaredTheDeath) {
  pass_with({ann_}, 2 * kLeaseMs);
  EXPECT_TRUE(lives_.renew(ben_));
  EXPECT_EQ(lives_.declare_deaths(ann_), Addresses{});
}

TEST_F(PostgresLives, ANewLifeDeclaresNobodyDeadForTheTimeOfALease) {
  lives_.let_pass(2 * kLeaseMs);
  const LifeId cyd = lives_.begin("cyd:3");
  EXPECT_EQ(lives_.declare_deaths(cyd), Addresses{});
  pass_with({cyd}, kLeaseMs);
  EXPECT_EQ(lives_.declare_deaths(cyd), (Addresses{"ann:1", "ben:2"}));
}

// Nobody could renew a lease: who comes back first takes nothing from those that come a moment
// later.
TEST_F(PostgresLives, AfterAnOutageOfTheDatabaseEveryLifeGetsTheTimeToComeBack) {
  pass_with({ann_, ben_}, 2 * kLeaseMs);
  lives_.let_pass(10'000);
  EXPECT_TRUE(lives_.renew(ann_));
  EXPECT_EQ(lives_.declare_deaths(ann_), Addresses{});
  EXPECT_TRUE(lives_.renew(ben_));
  pass_with({ann_}, 2 * kLeaseMs);
  EXPECT_EQ(lives_.declare_deaths(ann_), Addresses{"ben:2"});
}

// Ben has renewed a moment later than Ann, and so his lease is not over when the database is back.
TEST_F(PostgresLives, AnOutageThatOneLeaseOutlastsIsOneForAllLives) {
  pass_with({ann_, ben_}, 2 * kLeaseMs);
  lives_.let_pass(kLeaseMs / 4);
  EXPECT_TRUE(lives_.renew(ben_));
  lives_.let_pass(kLeaseMs * 5 / 6);
  EXPECT_TRUE(lives_.renew(ben_));
  EXPECT_EQ(lives_.declare_deaths(ben_), Addresses{});
  EXPECT_TRUE(lives_.renew(ann_));
}

TEST_F(PostgresLives, WhoseOwnLeaseIsOverDeclaresNobodyDead) {
  pass_with({ann_}, 2 * kLeaseMs);
  lives_.let_pass(2 * kLeaseMs);
  EXPECT_EQ(lives_.declare_deaths(ann_), Addresses{});
}

TEST_F(PostgresLives, TheDeadDeclareNobodyDead) {
  pass_with({ann_}, 2 * kLeaseMs);
  lives_.end(ann_);
  EXPECT_EQ(lives_.declare_deaths(ann_), Addresses{});
}

// The renewal has the row; the declaration waits for it, and looks at the lease again.
TEST_F(PostgresLives, ADeclarationThatWaitsForARenewalComesTooLate) {
  pass_with({ann_}, 2 * kLeaseMs);
  admin_.run("BEGIN");
  admin_.run("UPDATE lives SET lease_until = clock_timestamp() + interval '1 hour' WHERE id = " +
             std::to_string(ben_.value));
  std::jthread declarer([&] { EXPECT_EQ(lives_.declare_deaths(ann_), Addresses{}); });
  wait_for_blocked(database_);
  admin_.run("COMMIT");
  declarer.join();
  EXPECT_TRUE(lives_.renew(ben_));
}

TEST_F(PostgresLives, ARenewalThatWaitsForADeclarationFindsOutThatItIsDead) {
  admin_.run("BEGIN");
  admin_.run("UPDATE lives SET state = 'dead' WHERE id = " + std::to_string(ben_.value));
  std::jthread renewer([&] { EXPECT_FALSE(lives_.renew(ben_)); });
  wait_for_blocked(database_);
  admin_.run("COMMIT");
}

// Four renewals in three seconds must not grow the table.
TEST_F(PostgresLives, RenewalsStayOnTheirPage) {
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(lives_.renew(ann_));
  EXPECT_EQ(admin_.run("SELECT pg_relation_size('lives') <= 8192").front(), "t");
}

}  // namespace lives_test
}  // namespace tesela::store
