// Claims of several lives on one PostgreSQL.
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "tests/server/store/postgres/lives.h"

namespace tesela::store {
namespace claims_test {

constexpr TableId kTable{42};
constexpr TableId kOther{43};

class PostgresClaims : public TwoLives {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller_.open_table(kTable));
    ASSERT_TRUE(caller_.open_table(kOther));
  }
  Expected<Claimed> claim(TableId table, LifeId life) {
    return caller_.wait(store_->ownership().claim(table, life));
  }
  Expected<void> release(std::vector<OwnedTable> tables, LifeId life) {
    return caller_.wait(store_->ownership().release(std::move(tables), life));
  }
};

TEST_F(PostgresClaims, WhileTheOwnerLivesATableIsElsewhere) {
  ASSERT_TRUE(claim(kTable, ann_));
  EXPECT_EQ(claim(kTable, ben_), elsewhere(ann_, "ann:1"));
  EXPECT_EQ(caller_.look_at(kTable)->epoch, Epoch{2});
  EXPECT_TRUE(caller_.append(kTable, Version{2}, Epoch{2}));
}

TEST_F(PostgresClaims, TheLivingOwnerIsToldWithItsAddressToEverybody) {
  const auto owner = [this] { return caller_.wait(store_->ownership().owner(kTable)).value(); };
  EXPECT_EQ(owner(), std::nullopt);
  ASSERT_TRUE(claim(kTable, ann_));
  EXPECT_EQ(owner(), (Owner{ann_, "ann:1"}));
  lives_.let_pass(60'000);  // over, and not declared dead
  EXPECT_EQ(owner(), (Owner{ann_, "ann:1"}));
  lives_.end(ann_);
  EXPECT_EQ(owner(), std::nullopt);
  ASSERT_TRUE(claim(kTable, ben_));
  ASSERT_TRUE(release({{kTable, Epoch{3}}}, ben_));
  EXPECT_EQ(owner(), std::nullopt);
  EXPECT_EQ(caller_.wait(store_->ownership().owner(TableId{1})).value(), std::nullopt);
}

// Whoever is late may come back: only a declared death frees tables.
TEST_F(PostgresClaims, ALeaseThatIsOverIsNoDeath) {
  ASSERT_TRUE(claim(kTable, ann_));
  lives_.let_pass(60'000);
  EXPECT_EQ(claim(kTable, ben_), elsewhere(ann_, "ann:1"));
}

TEST_F(PostgresClaims, AfterADeathTheTableIsTakenAndTheDeadAreFenced) {
  ASSERT_TRUE(claim(kTable, ann_));
  ASSERT_TRUE(caller_.append(kTable, Version{2}, Epoch{2}));
  lives_.end(ann_);
  EXPECT_EQ(claim(kTable, ben_), owned(Epoch{3}, Version{2}));
  EXPECT_EQ(refusal(caller_.append(kTable, Version{3}, Epoch{2})), ErrorCode::kFenced);
  EXPECT_TRUE(caller_.append(kTable, Version{3}, Epoch{3}));
}

TEST_F(PostgresClaims, TheDeadClaimNothing) {
  ASSERT_TRUE(claim(kTable, ann_));
  lives_.end(ann_);
  EXPECT_EQ(refusal(claim(kTable, ann_)), ErrorCode::kFenced);
  EXPECT_EQ(refusal(claim(kOther, ann_)), ErrorCode::kFenced);
  EXPECT_EQ(refusal(claim(kOther, LifeId{99})), ErrorCode::kFenced);
  EXPECT_EQ(caller_.look_at(kOther)->epoch, Epoch{1});
}

TEST_F(PostgresClaims, ALifeWhoseRowWasDeletedIsDead) {
  ASSERT_TRUE(claim(kTable, ann_));
  lives_.end(ann_);
  lives_.let_pass(25 * 3600 * 1000);
  const LifeId cyd = lives_.begin();
  EXPECT_EQ(admin_.run("SELECT count(*) FROM lives").front(), "2");
  EXPECT_EQ(claim(kTable, cyd), owned(Epoch{3}, Version{1}));
}

TEST_F(PostgresClaims, OfManyAtOnceOneTakesTheTable) {
  const auto other_store = open_postgres(database_.url());
  Expected<Claimed> of_ann;
  Expected<Claimed> of_ben;
  for (std::uint64_t id = 100; id < 150; ++id) {
    ASSERT_TRUE(caller_.open_table(TableId{id}));
    std::jthread ann([&] {
      boost::asio::io_context io;
      boost::asio::co_spawn(
          io, other_store->ownership().claim(TableId{id}, ann_),
          [&](const std::exception_ptr&, Expected<Claimed> answer) { of_ann = std::move(answer); });
      io.run();
    });
    of_ben = claim(TableId{id}, ben_);
    ann.join();
    ASSERT_TRUE(of_ann);
    ASSERT_TRUE(of_ben);
    EXPECT_NE(std::holds_alternative<Owned>(*of_ann), std::holds_alternative<Owned>(*of_ben));
    EXPECT_EQ(caller_.look_at(TableId{id})->epoch, Epoch{2});
  }
}

TEST_F(PostgresClaims, WhatWasReleasedIsAnothers) {
  ASSERT_TRUE(claim(kTable, ann_));
  ASSERT_TRUE(claim(kOther, ann_));
  EXPECT_TRUE(release({{kTable, Epoch{2}}}, ann_));
  EXPECT_EQ(claim(kTable, ben_), owned(Epoch{3}, Version{1}));
  EXPECT_EQ(claim(kOther, ben_), elsewhere(ann_, "ann:1"));
}

// As when it is sent a second time, and the table was claimed in between.
TEST_F(PostgresClaims, AReleaseOfAnEarlierEpochOrOfAnothersTableIsIgnored) {
  ASSERT_TRUE(claim(kTable, ann_));
  ASSERT_TRUE(claim(kTable, ann_));
  EXPECT_TRUE(release({{kTable, Epoch{2}}}, ann_));
  EXPECT_TRUE(release({{kTable, Epoch{3}}}, ben_));
  EXPECT_EQ(claim(kTable, ben_), elsewhere(ann_, "ann:1"));
}

TEST_F(PostgresClaims, AClaimThatWaitsForAnAppendHasItsVersion) {
  admin_.run("BEGIN");
  admin_.run("UPDATE heads SET version = 2 WHERE table_id = 42");
  admin_.run("INSERT INTO events (table_id, version, epoch, record) VALUES (42, 2, 1, 'x')");
  std::jthread claimer([&] { EXPECT_EQ(claim(kTable, ann_), owned(Epoch{2}, Version{2})); });
  wait_for_blocked(database_);
  admin_.run("COMMIT");
}

TEST_F(PostgresClaims, AnAppendThatWaitsForAClaimIsFenced) {
  admin_.run("BEGIN");
  admin_.run("UPDATE heads SET epoch = 2, life = " + std::to_string(ann_.value) +
             " WHERE table_id = 42");
  std::jthread player([&] {
    EXPECT_EQ(refusal(caller_.append(kTable, Version{2}, Epoch{1})), ErrorCode::kFenced);
  });
  wait_for_blocked(database_);
  admin_.run("COMMIT");
}

// The life that has the table was not there yet when the claim began.
TEST_F(PostgresClaims, AClaimThatWaitsSeesWhoLivesAfterIt) {
  admin_.run("BEGIN");
  admin_.run("SELECT 1 FROM heads WHERE table_id = 42 FOR UPDATE");
  LifeId cyd;
  std::jthread claimer([&] {
    const auto claimed = claim(kTable, ann_);
    EXPECT_EQ(claimed, elsewhere(cyd, "cyd:3"));
  });
  wait_for_blocked(database_);
  cyd = lives_.begin("cyd:3");
  admin_.run("UPDATE heads SET epoch = 2, life = " + std::to_string(cyd.value) +
             " WHERE table_id = 42");
  admin_.run("COMMIT");
}

}  // namespace claims_test
}  // namespace tesela::store
