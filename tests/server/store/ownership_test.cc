// The contract of Ownership (server/store/ownership.h).
#include "server/store/ownership.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "tests/server/store/contract.h"

namespace tesela::store {
namespace ownership_test {

constexpr TableId kTable{42};
constexpr TableId kOther{43};

class OwnershipContract : public StoreContract {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller().open_table(kTable));
    ASSERT_TRUE(caller().open_table(kOther));
  }
  Expected<Claimed> claim(TableId table) {
    return caller().wait(backend().ownership().claim(table, life_));
  }
  Expected<void> release(std::vector<OwnedTable> tables) {
    return caller().wait(backend().ownership().release(std::move(tables), life_));
  }
  Expected<std::optional<Epoch>> take(Duty duty) {
    return caller().wait(backend().ownership().take_lease(duty, life_));
  }
  Expected<void> give_up(Duty duty, Epoch epoch) {
    return caller().wait(backend().ownership().give_up_lease(duty, epoch, life_));
  }

  [[nodiscard]] LifeId life() const { return life_; }

 private:
  LifeId life_ = backend().begin_life();
};

INSTANTIATE_TEST_SUITE_P(Stores, OwnershipContract, testing::ValuesIn(kinds()), kind_name);

TEST_P(OwnershipContract, ATableThatIsNobodysIsTakenWithItsVersion) {
  ASSERT_TRUE(caller().append(kTable, Version{2}));
  EXPECT_EQ(claim(kTable), owned(Epoch{2}, Version{2}));
  EXPECT_EQ(caller().look_at(kTable)->epoch, Epoch{2});
  EXPECT_EQ(caller().look_at(kOther)->epoch, Epoch{1});
}

TEST_P(OwnershipContract, ATableWithoutAnEventHasVersionZero) {
  ASSERT_TRUE(caller().open_table(TableId{44}, {kOwner}, 1000, "azul", 2));
  EXPECT_EQ(claim(TableId{44}), owned(Epoch{2}, Version{0}));
}

TEST_P(OwnershipContract, AnEarlierOwnerIsFenced) {
  ASSERT_TRUE(claim(kTable));
  EXPECT_EQ(refusal(caller().append(kTable, Version{2}, Epoch{1})), ErrorCode::kFenced);
  EXPECT_TRUE(caller().append(kTable, Version{2}, Epoch{2}));
}

TEST_P(OwnershipContract, ALifeMayClaimItsOwnTableAgain) {
  ASSERT_TRUE(claim(kTable));
  EXPECT_EQ(claim(kTable), owned(Epoch{3}, Version{1}));
  EXPECT_EQ(refusal(caller().append(kTable, Version{2}, Epoch{2})), ErrorCode::kFenced);
  EXPECT_TRUE(caller().append(kTable, Version{2}, Epoch{3}));
}

TEST_P(OwnershipContract, AClaimOutlastsTheStore) {
  ASSERT_TRUE(claim(kTable));
  reopen();
  EXPECT_EQ(refusal(caller().append(kTable, Version{2}, Epoch{1})), ErrorCode::kFenced);
  EXPECT_EQ(claim(kTable), owned(Epoch{3}, Version{1}));
}

TEST_P(OwnershipContract, AnUnknownTableIsNotFound) {
  EXPECT_EQ(refusal(claim(TableId{1})), ErrorCode::kNotFound);
}

TEST_P(OwnershipContract, HeadsTellWhoHasATableAndHowLongItsLogIs) {
  ASSERT_TRUE(caller().open_table(TableId{44}, {kOwner}, 1000, "azul", 2));
  ASSERT_TRUE(caller().append(kTable, Version{2}));
  ASSERT_TRUE(claim(kTable));
  ASSERT_TRUE(caller().append(kTable, Version{3}, Epoch{2}));
  auto heads =
      caller().wait(backend().ownership().heads({TableId{44}, TableId{1}, kTable})).value();
  std::ranges::sort(heads, {}, &TableHead::table);
  const TableHeads expected{{kTable, Epoch{2}, Version{3}}, {TableId{44}, Epoch{1}, Version{0}}};
  EXPECT_EQ(heads, expected);
  EXPECT_EQ(caller().wait(backend().ownership().heads({})).value(), TableHeads{});
}

TEST_P(OwnershipContract, WhoHasClaimedATableIsItsOwner) {
  ASSERT_TRUE(claim(kTable));
  const auto owner = caller().wait(backend().ownership().owner(kTable));
  ASSERT_TRUE(owner && *owner);
  EXPECT_EQ((*owner)->life, life());
}

TEST_P(OwnershipContract, WhatWasReleasedIsClaimedAgain) {
  ASSERT_TRUE(claim(kTable));
  ASSERT_TRUE(claim(kOther));
  EXPECT_TRUE(release({{kOther, Epoch{2}}, {kTable, Epoch{2}}, {TableId{1}, Epoch{1}}}));
  EXPECT_TRUE(release({}));
  reopen();
  EXPECT_EQ(claim(kTable), owned(Epoch{3}, Version{1}));
  EXPECT_EQ(claim(kOther), owned(Epoch{3}, Version{1}));
}

TEST_P(OwnershipContract, WhoHasADutyMayTakeItAgain) {
  const auto first = take(Duty::kMatch);
  ASSERT_TRUE(first && *first);
  const auto again = take(Duty::kMatch);
  ASSERT_TRUE(again && *again);
  if (GetParam() != Kind::kMemory) {  // which makes no matches
    std::vector<MatchedTable> none;
    EXPECT_TRUE(caller().wait(backend().store().make_tables(std::move(none), **again)));
  }
  const auto sweep = take(Duty::kSweep);
  ASSERT_TRUE(sweep && *sweep);
  EXPECT_TRUE(give_up(Duty::kSweep, **sweep));
  EXPECT_TRUE(take(Duty::kSweep).value());
}

TEST_P(OwnershipContract, WhoHasADutyIsItsHolder) {
  ASSERT_TRUE(take(Duty::kMatch).value());
  const auto holder = caller().wait(backend().ownership().holder(Duty::kMatch));
  ASSERT_TRUE(holder && *holder);
  EXPECT_EQ((*holder)->life, life());
}

TEST_P(OwnershipContract, TablesOfALifeThatLivesAreNoOrphans) {
  ASSERT_TRUE(claim(kTable));
  EXPECT_EQ(caller().wait(backend().ownership().free_orphans(10)), std::vector<TableId>{});
}

}  // namespace ownership_test
}  // namespace tesela::store
