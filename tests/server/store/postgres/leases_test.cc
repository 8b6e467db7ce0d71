// Leases of duties, and tables of the dead, with several lives on one PostgreSQL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <vector>

#include "tests/server/store/postgres/lives.h"

namespace tesela::store {
namespace leases_test {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr PlayerId kAda{7};
constexpr TableId kTable{42};

class PostgresLeases : public TwoLives {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller_.sign_in(kAda, "Ada"));
    ASSERT_TRUE(caller_.open_table(kTable));
  }
  std::optional<Epoch> take(LifeId life, Duty duty = Duty::kMatch) {
    return caller_.wait(store_->ownership().take_lease(duty, life)).value();
  }
  Expected<void> give_up(LifeId life, Epoch epoch) {
    return caller_.wait(store_->ownership().give_up_lease(Duty::kMatch, epoch, life));
  }
  /// Makes a table for Ada alone, whose last match was `before`.
  Expected<void> make(TableId id, Epoch lease, std::optional<TableId> before = std::nullopt) {
    TableRow row = caller_.look_at(kTable).value();
    row.id = id;
    std::vector<MatchedTable> made;
    made.push_back(
        {.table = row, .first_record = record_of(id, Version{1}), .players = {{kAda, before}}});
    return caller_.wait(store_->make_tables(std::move(made), lease));
  }
  std::vector<TableId> orphans(std::size_t max = 100) {
    return caller_.wait(store_->ownership().free_orphans(max)).value();
  }
};

TEST_F(PostgresLeases, OneLifeHasADutyWhileItLives) {
  const auto first = take(ann_);
  ASSERT_TRUE(first);
  EXPECT_EQ(take(ben_), std::nullopt);
  lives_.let_pass(60'000);
  EXPECT_EQ(take(ben_), std::nullopt);
  EXPECT_GT(take(ann_), first);
}

TEST_F(PostgresLeases, WhoHasADutyIsFoundWhileItLives) {
  const auto holder = [this] {
    return caller_.wait(store_->ownership().holder(Duty::kMatch)).value();
  };
  EXPECT_EQ(holder(), std::nullopt);
  const Epoch of_ann = take(ann_).value();
  ASSERT_TRUE(take(ben_, Duty::kSweep));
  ASSERT_TRUE(holder());
  EXPECT_EQ(holder()->life, ann_);
  EXPECT_EQ(holder()->address, "ann:1");
  ASSERT_TRUE(give_up(ann_, of_ann));
  EXPECT_EQ(holder(), std::nullopt);
  ASSERT_TRUE(take(ben_));
  EXPECT_EQ(holder()->life, ben_);
  lives_.end(ben_);
  EXPECT_EQ(holder(), std::nullopt);
}

TEST_F(PostgresLeases, TheDutiesAreSeparate) {
  ASSERT_TRUE(take(ann_, Duty::kMatch));
  EXPECT_TRUE(take(ben_, Duty::kSweep));
  EXPECT_EQ(take(ben_, Duty::kMatch), std::nullopt);
}

TEST_F(PostgresLeases, AfterADeathAnotherHasItAndTheDeadMakeNoTable) {
  const Epoch of_ann = take(ann_).value();
  lives_.end(ann_);
  EXPECT_EQ(refusal(caller_.wait(store_->ownership().take_lease(Duty::kMatch, ann_))),
            ErrorCode::kFenced);
  const Epoch of_ben = take(ben_).value();
  EXPECT_GT(of_ben, of_ann);
  EXPECT_EQ(refusal(make(TableId{43}, of_ann)), ErrorCode::kFenced);
  EXPECT_EQ(refusal(caller_.look_at(TableId{43})), ErrorCode::kNotFound);
  EXPECT_TRUE(make(TableId{43}, of_ben));
}

// Nobody else has it yet, but it is not the dead one's either when it was taken again.
TEST_F(PostgresLeases, ALeaseThatWasGivenUpIsFree) {
  const Epoch of_ann = take(ann_).value();
  ASSERT_TRUE(give_up(ann_, of_ann));
  EXPECT_EQ(refusal(make(TableId{43}, of_ann)), ErrorCode::kFenced);
  const Epoch of_ben = take(ben_).value();
  ASSERT_TRUE(give_up(ann_, of_ann));  // as when it is sent again
  EXPECT_TRUE(make(TableId{43}, of_ben));
}

TEST_F(PostgresLeases, ATakeWaitsForTheTransactionUnderTheLeaseBefore) {
  const Epoch of_ann = take(ann_).value();
  admin_.run("BEGIN");
  admin_.run("SELECT 1 FROM leases WHERE duty = 2 AND epoch = " + std::to_string(of_ann.value) +
             " FOR SHARE");
  lives_.end(ann_);
  std::optional<Epoch> of_ben;
  std::jthread taker([&] { of_ben = take(ben_); });
  wait_for_blocked(database_);
  admin_.run("COMMIT");
  taker.join();
  EXPECT_TRUE(of_ben);
}

TEST_F(PostgresLeases, TablesOfTheDeadAreFreedOnce) {
  ASSERT_TRUE(caller_.open_table(TableId{43}));
  ASSERT_TRUE(caller_.open_table(TableId{44}));
  ASSERT_TRUE(caller_.claim(store_->ownership(), kTable, ann_));
  ASSERT_TRUE(caller_.claim(store_->ownership(), TableId{43}, ann_));
  ASSERT_TRUE(caller_.claim(store_->ownership(), TableId{44}, ben_));
  EXPECT_THAT(orphans(), IsEmpty());
  lives_.end(ann_);
  const auto first = orphans(1);
  ASSERT_EQ(first.size(), 1);
  const auto second = orphans(100);
  ASSERT_EQ(second.size(), 1);
  EXPECT_THAT((std::vector{first.front(), second.front()}),
              UnorderedElementsAre(kTable, TableId{43}));
  EXPECT_THAT(orphans(), IsEmpty());
}

TEST_F(PostgresLeases, ATableThatIsJustBeingClaimedIsNoOrphan) {
  ASSERT_TRUE(caller_.claim(store_->ownership(), kTable, ann_));
  lives_.end(ann_);
  admin_.run("BEGIN");
  admin_.run("UPDATE heads SET life = " + std::to_string(ben_.value) + ", epoch = epoch + 1");
  EXPECT_THAT(orphans(), IsEmpty());
  admin_.run("COMMIT");
  EXPECT_THAT(orphans(), IsEmpty());
}

// A client that comes back in time claims the table.
TEST_F(PostgresLeases, WhatIsReleasedToGoOnIsAnOrphanWhenItIsSeenToBeLeftTwice) {
  ASSERT_TRUE(caller_.wait(store_->ownership().claim(kTable, ann_)));
  const OwnedTable left{.table = kTable, .epoch = Epoch{2}, .goes_on = true};
  ASSERT_TRUE(caller_.wait(store_->ownership().release({left}, ann_)));
  EXPECT_EQ(caller_.wait(store_->ownership().owner(kTable)).value(), std::nullopt);
  EXPECT_THAT(orphans(), IsEmpty());
  EXPECT_THAT(orphans(), UnorderedElementsAre(kTable));
  EXPECT_THAT(orphans(), IsEmpty());
  EXPECT_EQ(caller_.claim(store_->ownership(), kTable, ben_), Epoch{3});
}

TEST_F(PostgresLeases, WhatIsReleasedToGoOnIsAnybodysAtOnce) {
  for (const int looks : {0, 1}) {
    const auto mine = caller_.claim(store_->ownership(), kTable, ann_);
    ASSERT_TRUE(mine);
    const OwnedTable left{.table = kTable, .epoch = *mine, .goes_on = true};
    ASSERT_TRUE(caller_.wait(store_->ownership().release({left}, ann_)));
    for (int i = 0; i < looks; ++i) EXPECT_THAT(orphans(), IsEmpty());
    const auto theirs = caller_.claim(store_->ownership(), kTable, ben_);
    ASSERT_TRUE(theirs);
    EXPECT_THAT(orphans(), IsEmpty());
    EXPECT_THAT(orphans(), IsEmpty());
    ASSERT_TRUE(caller_.wait(store_->ownership().release({{kTable, *theirs}}, ben_)));
  }
  EXPECT_THAT(orphans(), IsEmpty());
  EXPECT_THAT(orphans(), IsEmpty()) << "it was released in order";
}

}  // namespace leases_test
}  // namespace tesela::store
