// Bots from outside of several servers on one PostgreSQL.
#include "server/store/offered_bots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "tests/server/store/postgres/lives.h"

namespace tesela::store {
namespace bot_offers_test {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};

class PostgresBotOffers : public TwoLives {
 protected:
  OfferedBot bot(std::uint64_t id, LifeId life, std::string name, PlayerId owner = kAda) {
    return {.id = OfferId{id},
            .game = "azul",
            .strategy = "ext/" + std::move(name),
            .description = "A bot with ñ.",
            .owner = owner,
            .life = life,
            .address = life == ann_ ? "ann:1" : "ben:2"};
  }
  Expected<void> offer(OfferedBot bot) { return caller_.wait(bots_.offer(std::move(bot))); }
  std::vector<OfferedBot> offered() { return caller_.wait(bots_.offered()).value(); }
  void withdraw(std::vector<OfferId> offers) {
    ASSERT_TRUE(caller_.wait(bots_.withdraw(std::move(offers))));
  }
  std::string rows() { return admin_.run("SELECT count(*) FROM remote_bots").front(); }

  OfferedBots& bots_ = store_->offered_bots();
};

TEST_F(PostgresBotOffers, EachServerSeesThoseOfAll) {
  EXPECT_THAT(offered(), IsEmpty());
  const OfferedBot far = bot(1, ann_, "far");
  const OfferedBot another = bot(2, ben_, "another", kBob);
  ASSERT_TRUE(offer(far));
  ASSERT_TRUE(offer(another));
  EXPECT_THAT(offered(), ElementsAre(another, far));
  withdraw({OfferId{1}, OfferId{3}});
  EXPECT_THAT(offered(), ElementsAre(another));
}

TEST_F(PostgresBotOffers, ANameIsTakenOncePerGame) {
  ASSERT_TRUE(offer(bot(1, ann_, "a")));
  EXPECT_EQ(refusal(offer(bot(2, ben_, "a", kBob))), ErrorCode::kAlreadyOffered);
  OfferedBot of_other_game = bot(2, ben_, "a", kBob);
  of_other_game.game = "2048";
  EXPECT_TRUE(offer(of_other_game));
  withdraw({OfferId{1}});
  EXPECT_TRUE(offer(bot(3, ben_, "a", kBob)));
}

// The server says itself which of its streams has a name.
TEST_F(PostgresBotOffers, ALaterOfferOfTheSameLifeIsInPlaceOfTheEarlierOne) {
  ASSERT_TRUE(offer(bot(1, ann_, "a")));
  const OfferedBot later = bot(2, ann_, "a", kBob);
  ASSERT_TRUE(offer(later));
  ASSERT_TRUE(offer(later));  // as when it is sent again
  withdraw({OfferId{1}});
  EXPECT_THAT(offered(), ElementsAre(later));
}

TEST_F(PostgresBotOffers, WhatADeadLifeOfferedDoesNotCount) {
  ASSERT_TRUE(offer(bot(1, ann_, "a")));
  lives_.end(ann_);
  EXPECT_THAT(offered(), IsEmpty());
  EXPECT_EQ(refusal(offer(bot(2, ann_, "b"))), ErrorCode::kFenced);
  const OfferedBot next = bot(1, ben_, "a");  // also with the same id, as after a rebirth
  ASSERT_TRUE(offer(next));
  EXPECT_THAT(offered(), ElementsAre(next));
  EXPECT_EQ(rows(), "1");
}

TEST_F(PostgresBotOffers, APlayerOffersSoManyAtAllServersTogether) {
  for (int n = 0; n < limits::kRemoteBotsPerPlayerMax; ++n) {
    ASSERT_TRUE(offer(bot(10 + static_cast<std::uint64_t>(n), n % 2 == 0 ? ann_ : ben_,
                          "bot-" + std::to_string(n))));
  }
  for (const LifeId life : {ann_, ben_}) {
    EXPECT_EQ(refusal(offer(bot(1, life, "more"))), ErrorCode::kResourceExhausted);
  }
  EXPECT_TRUE(offer(bot(2, ann_, "more", kBob)));
  EXPECT_TRUE(offer(bot(3, ann_, "bot-0")));  // in place of the earlier one
}

TEST_F(PostgresBotOffers, AllServersHaveSoManyTogether) {
  for (std::size_t n = 0; n < limits::kRemoteBotsMax; ++n) {
    ASSERT_TRUE(offer(
        bot(10 + n, n % 2 == 0 ? ann_ : ben_, "bot-" + std::to_string(n), PlayerId{100 + n})));
  }
  const auto refused = offer(bot(1, ann_, "more"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), too_many_bots().error());
}

TEST_F(PostgresBotOffers, OffersTakeTurns) {
  for (int n = 1; n < limits::kRemoteBotsPerPlayerMax; ++n) {
    ASSERT_TRUE(offer(bot(10 + static_cast<std::uint64_t>(n), ben_, "bot-" + std::to_string(n))));
  }
  // Another server's last offer, which is not committed yet.
  admin_.run("BEGIN");
  admin_.run("SELECT pg_advisory_xact_lock(92656726527042)");
  admin_.run(
      "INSERT INTO remote_bots (game, strategy, offer_id, owner_id, description, life)"
      " VALUES ('azul', 'ext/last', 1, 7, '', " +
      std::to_string(ben_.value) + ")");
  Expected<void> one_more;
  std::jthread offering([&] { one_more = offer(bot(2, ann_, "more")); });
  wait_for_blocked(database_);
  admin_.run("COMMIT");
  offering.join();
  EXPECT_EQ(refusal(one_more), ErrorCode::kResourceExhausted);
}

}  // namespace bot_offers_test
}  // namespace tesela::store
