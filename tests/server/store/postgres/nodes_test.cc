// The servers on one PostgreSQL, as operators look at them (server/store/nodes.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/server/store/postgres/lives.h"

namespace tesela::store {
namespace nodes_test {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::Ge;
using testing::IsEmpty;
using testing::Le;
using testing::Optional;

/// What the machine may take.
constexpr milliseconds kSoon{30'000};

class PostgresNodes : public TwoLives {
 protected:
  std::vector<NodeRow> nodes(std::size_t max = 100) {
    return caller_.wait(store_->nodes().nodes(max)).value();
  }
  std::vector<std::string> addresses(std::size_t max = 100) {
    std::vector<std::string> found;
    for (const NodeRow& row : nodes(max)) found.push_back(row.address);
    return found;
  }
};

TEST_F(PostgresNodes, LivesAreShownWithTheAgeOfTheirLeases) {
  lives_.let_pass(2000);
  ASSERT_TRUE(lives_.renew(ben_));
  const auto rows = nodes();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].life, ann_);
  EXPECT_EQ(rows[0].address, "ann:1");
  EXPECT_TRUE(rows[0].alive);
  EXPECT_THAT(rows[0].lease_age, Optional(AllOf(Ge(milliseconds{2000}), Le(kSoon))));
  EXPECT_EQ(rows[0].dead_for, std::nullopt);
  EXPECT_EQ(rows[1].life, ben_);
  ASSERT_TRUE(rows[1].lease_age);
  EXPECT_LT(*rows[1].lease_age, *rows[0].lease_age);
}

// It is late, and not dead: nobody has said so.
TEST_F(PostgresNodes, ALeaseThatIsOverIsShownAsLate) {
  lives_.let_pass(60'000);
  const NodeRow ann = nodes().front();
  EXPECT_TRUE(ann.alive);
  EXPECT_THAT(ann.lease_age, Optional(Ge(milliseconds{60'000})));
}

TEST_F(PostgresNodes, TheDeadComeLastAndHaveBeenDeadSinceTheEndOfTheirLease) {
  const LifeId cyd = lives_.begin("cyd:3");
  lives_.end(cyd);
  lives_.let_pass(5000);
  const auto rows = nodes();
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[2].life, cyd);
  EXPECT_FALSE(rows[2].alive);
  EXPECT_EQ(rows[2].lease_age, std::nullopt);
  EXPECT_THAT(rows[2].dead_for, Optional(AllOf(Ge(milliseconds{5000}), Le(kSoon))));
  for (const LifeId life : {ann_, ben_}) {
    ASSERT_TRUE(lives_.renew(life));
    lives_.end(life);
  }
  EXPECT_THAT(addresses(), ElementsAre("ben:2", "ann:1", "cyd:3")) << "the last one first";
}

TEST_F(PostgresNodes, AnOrderlyEndIsNoOldDeath) {
  lives_.let_pass(1000);
  lives_.end(ann_);
  const NodeRow ann = nodes().back();
  ASSERT_EQ(ann.life, ann_);
  EXPECT_THAT(ann.dead_for, Optional(AllOf(Ge(milliseconds{0}), Le(kSoon))));
  lives_.let_pass(1000);
  lives_.end(ann_);  // again, as after a lost answer
  EXPECT_THAT(nodes().back().dead_for, Optional(Ge(milliseconds{1000})));
}

TEST_F(PostgresNodes, TablesAndDutiesAreThoseOfTheLife) {
  for (std::uint64_t id = 1; id <= 3; ++id) ASSERT_TRUE(caller_.open_table(TableId{id}));
  ASSERT_TRUE(caller_.wait(store_->ownership().claim(TableId{1}, ann_)));
  ASSERT_TRUE(caller_.wait(store_->ownership().claim(TableId{2}, ann_)));
  ASSERT_TRUE(caller_.wait(store_->ownership().take_lease(Duty::kSweep, ann_)).value());
  ASSERT_TRUE(caller_.wait(store_->ownership().take_lease(Duty::kMatch, ann_)).value());
  auto rows = nodes();
  EXPECT_EQ(rows[0].tables, 2U);
  EXPECT_THAT(rows[0].duties, testing::UnorderedElementsAre(Duty::kSweep, Duty::kMatch));
  EXPECT_EQ(rows[1].tables, 0U);
  EXPECT_THAT(rows[1].duties, IsEmpty());
  ASSERT_TRUE(caller_.wait(store_->ownership().release({{TableId{1}, Epoch{2}}}, ann_)));
  EXPECT_EQ(nodes()[0].tables, 1U);
  lives_.end(ann_);
  rows = nodes();
  EXPECT_EQ(rows[1].tables, 1U) << "it waits for whoever comes to it";
  EXPECT_EQ(rows[1].duties.size(), 2U) << "until another one takes them";
}

TEST_F(PostgresNodes, OfManyTheLivingAreShown) {
  for (int i = 0; i < 5; ++i) lives_.end(lives_.begin("dead"));
  EXPECT_THAT(addresses(3), ElementsAre("ann:1", "ben:2", "dead"));
  EXPECT_EQ(nodes(7).size(), 7U);
}

}  // namespace nodes_test
}  // namespace tesela::store
