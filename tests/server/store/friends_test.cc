// The contract of Friends (server/store/friends.h).
#include "server/store/friends.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "server/base/friend_limits.h"
#include "tests/server/store/contract.h"

namespace tesela::store {
namespace friends_test {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};
constexpr PlayerId kEve{9};
constexpr PlayerId kNobody{99};

class FriendsContract : public StoreContract {
 protected:
  void SetUp() override {
    ASSERT_TRUE(caller().sign_in(kAda, "Ada"));
    ASSERT_TRUE(caller().sign_in(kBob, "Bob"));
    ASSERT_TRUE(caller().sign_in(kEve, "Eve"));
  }

  template <class T>
  T wait(boost::asio::awaitable<T> call) {
    return caller().wait(std::move(call));
  }
  Friends& friends() { return backend().friends(); }
  FriendLists lists(PlayerId player) { return wait(friends().friends(player)).value(); }
  std::vector<std::string> followed(PlayerId player) {
    std::vector<std::string> names;
    for (const auto& each : lists(player).follows) names.push_back(each.player.name);
    return names;
  }
  std::optional<ErrorCode> challenge(std::string id, PlayerId from, std::optional<PlayerId> to,
                                     std::int64_t now_ms = 1000, std::string game = "azul") {
    ChallengeRow row{.id = std::move(id),
                     .from = {.id = from, .name = {}},
                     .game = std::move(game),
                     .config = "config",
                     .options = "options",
                     .created_ms = now_ms,
                     .expires_ms = now_ms + 100};
    if (to) row.to = NamedPlayer{.id = *to, .name = {}};
    return refusal(wait(friends().add_challenge(std::move(row))));
  }
  std::optional<ErrorCode> accept(std::string id, PlayerId player, TableId table,
                                  std::int64_t now_ms = 1050) {
    TableRow row{.id = table,
                 .game = "azul",
                 .config = "config",
                 .options = "options",
                 .owner = kAda,
                 .seed = "seed",
                 .seat_count = 2,
                 .seats = {},
                 .epoch = Epoch{1},
                 .created_ms = now_ms,
                 .ending = std::nullopt};
    row.seats.push_back({.seat = Seat{0}, .player = kAda, .display_name = {}});
    row.seats.push_back({.seat = Seat{1}, .player = player, .display_name = {}});
    return refusal(wait(friends().accept_challenge({.challenge = std::move(id),
                                                    .player = player,
                                                    .now_ms = now_ms,
                                                    .table = std::move(row),
                                                    .first_record = "first"})));
  }
  std::optional<ChallengeRow> found(std::string id, std::int64_t now_ms = 1050) {
    auto row = wait(friends().challenge(std::move(id), now_ms));
    if (!row) return std::nullopt;
    return *std::move(row);
  }
  std::vector<std::string> open_to(PlayerId player) {
    std::vector<std::string> ids;
    for (const auto& row : wait(friends().challenges(player, 1050)).value().to_player) {
      ids.push_back(row.id);
    }
    return ids;
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, FriendsContract, testing::ValuesIn(databases()), kind_name);

TEST_P(FriendsContract, WhoIsFollowedIsListedByName) {
  ASSERT_TRUE(wait(friends().follow(kAda, kEve, 1)));
  ASSERT_TRUE(wait(friends().follow(kAda, kBob, 2)));
  ASSERT_TRUE(wait(friends().follow(kAda, kBob, 3)));
  EXPECT_EQ(refusal(wait(friends().follow(kAda, kNobody, 4))), ErrorCode::kNotFound);
  ASSERT_TRUE(caller().open_table(TableId{1}, {kBob}));
  ASSERT_TRUE(caller().open_private_table(TableId{2}, kEve, "secret"));
  ASSERT_TRUE(wait(friends().see_here(kBob, 50)));
  ASSERT_TRUE(wait(friends().see_here(kBob, 40)));
  reopen();
  const FriendLists found = lists(kAda);
  ASSERT_EQ(found.follows.size(), 2U);
  EXPECT_EQ(found.follows[0].player, (NamedPlayer{kBob, "Bob"}));
  EXPECT_EQ(found.follows[0].here_ms, 50);
  EXPECT_EQ(found.follows[0].table, TableId{1});
  EXPECT_EQ(found.follows[0].game, "2048");
  EXPECT_EQ(found.follows[1].player, (NamedPlayer{kEve, "Eve"}));
  EXPECT_EQ(found.follows[1].table, std::nullopt) << "it is private";
  EXPECT_THAT(followed(kBob), IsEmpty());
  ASSERT_TRUE(wait(friends().unfollow(kAda, kBob)));
  EXPECT_THAT(followed(kAda), ElementsAre("Eve"));
}

TEST_P(FriendsContract, AListHasAnEnd) {
  for (std::uint64_t id = 0; id < limits::kFollowsMax; ++id) {
    const PlayerId other{1000 + id};
    ASSERT_TRUE(caller().sign_in(other, "Other"));
    ASSERT_TRUE(wait(friends().follow(kAda, other, 1)));
  }
  EXPECT_EQ(refusal(wait(friends().follow(kAda, kBob, 1))), ErrorCode::kResourceExhausted);
  EXPECT_TRUE(wait(friends().follow(kAda, PlayerId{1000}, 1))) << "again";
  ASSERT_TRUE(wait(friends().unfollow(kAda, PlayerId{1000})));
  EXPECT_TRUE(wait(friends().follow(kAda, kBob, 1)));
}

TEST_P(FriendsContract, ABlockEndsWhatIsBetweenTheTwo) {
  ASSERT_TRUE(wait(friends().follow(kAda, kBob, 1)));
  ASSERT_TRUE(wait(friends().follow(kBob, kAda, 1)));
  ASSERT_EQ(challenge("to bob", kAda, kBob), std::nullopt);
  ASSERT_EQ(challenge("to ada", kBob, kAda), std::nullopt);
  ASSERT_TRUE(wait(friends().block(kAda, kBob, 2)));
  ASSERT_TRUE(wait(friends().block(kAda, kBob, 3)));
  reopen();
  EXPECT_THAT(lists(kAda).blocked, ElementsAre(NamedPlayer{kBob, "Bob"}));
  EXPECT_THAT(followed(kAda), IsEmpty());
  ASSERT_EQ(lists(kBob).follows.size(), 1U);
  EXPECT_TRUE(lists(kBob).follows[0].hidden);
  EXPECT_EQ(found("to bob"), std::nullopt);
  EXPECT_EQ(found("to ada")->state, ChallengeState::kDeclined);
  EXPECT_EQ(challenge("more", kBob, kAda), ErrorCode::kPermissionDenied);
  EXPECT_EQ(challenge("more", kAda, kBob), ErrorCode::kPermissionDenied);
  EXPECT_THAT(wait(friends().blocked_by(kAda)).value(), ElementsAre(kBob));
  const auto seekers = wait(backend().store().seekers("azul", {kBob, kAda})).value();
  for (const SeekerRow& seeker : seekers) {
    EXPECT_EQ(seeker.blocked.size(), seeker.player == kAda ? 1U : 0U);
  }
  ASSERT_TRUE(wait(friends().unblock(kAda, kBob)));
  EXPECT_EQ(challenge("more", kBob, kAda), std::nullopt);
}

TEST_P(FriendsContract, AChallengeIsAcceptedOnceAndWithItsTable) {
  ASSERT_EQ(challenge("x", kAda, std::nullopt), std::nullopt);
  EXPECT_EQ(accept("x", kAda, TableId{1}), ErrorCode::kNotFound) << "one's own";
  EXPECT_EQ(accept("y", kBob, TableId{1}), ErrorCode::kNotFound);
  EXPECT_EQ(accept("x", kNobody, TableId{1}), ErrorCode::kNotFound);
  EXPECT_FALSE(caller().look_at(TableId{1})) << "a refused one has made no table";
  EXPECT_EQ(found("x")->state, ChallengeState::kOpen);
  ASSERT_EQ(accept("x", kBob, TableId{1}), std::nullopt);
  reopen();
  EXPECT_EQ(accept("x", kBob, TableId{2}), std::nullopt) << "the same answer again";
  EXPECT_EQ(accept("x", kEve, TableId{3}), ErrorCode::kTaken);
  EXPECT_TRUE(caller().look_at(TableId{1}));
  EXPECT_FALSE(caller().look_at(TableId{2}));
  const auto row = found("x");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->table, TableId{1});
  EXPECT_EQ(row->to, (NamedPlayer{kBob, "Bob"}));
  EXPECT_EQ(refusal(wait(friends().withdraw_challenge("x", kAda))), ErrorCode::kTaken);
}

TEST_P(FriendsContract, AChallengeToOneIsNobodyElsesToAnswer) {
  ASSERT_EQ(challenge("x", kAda, kBob), std::nullopt);
  EXPECT_EQ(challenge("y", kAda, kBob), ErrorCode::kTaken);
  EXPECT_EQ(challenge("z", kAda, kBob, 1000, "go"), std::nullopt) << "another game";
  EXPECT_EQ(accept("x", kEve, TableId{1}), ErrorCode::kNotFound);
  EXPECT_EQ(refusal(wait(friends().decline_challenge("x", kEve, 1050))), ErrorCode::kNotFound);
  EXPECT_THAT(open_to(kBob), testing::UnorderedElementsAre("x", "z"));
  ASSERT_TRUE(wait(friends().decline_challenge("x", kBob, 1050)));
  EXPECT_TRUE(wait(friends().decline_challenge("x", kBob, 1050)));
  EXPECT_EQ(accept("x", kBob, TableId{1}), ErrorCode::kTaken);
  EXPECT_TRUE(wait(friends().withdraw_challenge("z", kEve)));
  EXPECT_THAT(open_to(kBob), ElementsAre("z"));
  EXPECT_TRUE(wait(friends().withdraw_challenge("z", kAda)));
  EXPECT_THAT(open_to(kBob), IsEmpty());
}

TEST_P(FriendsContract, AChallengeEndsAndIsDeleted) {
  ASSERT_EQ(challenge("x", kAda, kBob), std::nullopt);
  EXPECT_EQ(accept("x", kBob, TableId{1}, 1100), ErrorCode::kNotFound);
  EXPECT_EQ(found("x", 1100), std::nullopt);
  EXPECT_EQ(challenge("y", kAda, kBob, 1100), std::nullopt) << "the last one is over";
  const auto removed = wait(backend().removals().remove({.now_ms = 1201}));
  EXPECT_EQ(removed->challenges, 1U);
  EXPECT_EQ(backend().ask("SELECT count(*) FROM challenges"), 0);
}

TEST_P(FriendsContract, OpenChallengesHaveALimitAndAnsweredOnesAreForgotten) {
  for (std::size_t i = 0; i < limits::kChallengesMax; ++i) {
    ASSERT_EQ(challenge(std::to_string(i), kAda, std::nullopt), std::nullopt);
  }
  EXPECT_EQ(challenge("more", kAda, std::nullopt), ErrorCode::kResourceExhausted);
  for (std::size_t i = 0; i < 2 * limits::kAnsweredChallengesKept; ++i) {
    const std::string id = "to bob " + std::to_string(i);
    ASSERT_EQ(challenge(id, kEve, kBob), std::nullopt);
    ASSERT_TRUE(wait(friends().decline_challenge(id, kBob, 1050)));
  }
  EXPECT_LE(backend().ask("SELECT count(*) FROM challenges WHERE from_id = 9"),
            static_cast<std::int64_t>(limits::kAnsweredChallengesKept + 1));
}

TEST_P(FriendsContract, OneChoosesWhoseChallengesOneTakes) {
  ASSERT_TRUE(wait(friends().set_challengers(kAda, Challengers::kFollowed)));
  EXPECT_EQ(challenge("x", kBob, kAda), ErrorCode::kPermissionDenied);
  ASSERT_TRUE(wait(friends().follow(kAda, kBob, 1)));
  EXPECT_EQ(challenge("x", kBob, kAda), std::nullopt);
  ASSERT_TRUE(wait(friends().set_challengers(kAda, Challengers::kNobody)));
  EXPECT_EQ(challenge("y", kBob, kAda, 1000, "go"), ErrorCode::kPermissionDenied);
  EXPECT_EQ(lists(kAda).challengers, Challengers::kNobody);
}

TEST_P(FriendsContract, ABotIsOfWhoComesFirst) {
  constexpr PlayerId kBot{20};
  ASSERT_TRUE(wait(backend().store().add_player(
      {.id = kBot, .display_name = "ext/a", .created_ms = 1, .kind = PlayerKind::kBot})));
  const auto own = [&](PlayerId bot, std::optional<PlayerId> owner) {
    return refusal(wait(friends().own_bot(bot, owner)));
  };
  EXPECT_EQ(own(kBot, kAda), std::nullopt);
  EXPECT_EQ(own(kBot, kAda), std::nullopt);
  EXPECT_EQ(caller().meet(kBot)->owner, kAda);
  EXPECT_EQ(own(kBot, kBob), ErrorCode::kPermissionDenied);
  EXPECT_EQ(own(kBot, std::nullopt), std::nullopt);
  EXPECT_EQ(caller().meet(kBot)->owner, std::nullopt);
  EXPECT_EQ(own(kBot, kBob), std::nullopt);
  ASSERT_TRUE(wait(backend().personal_data().erase(kBob, 2000, {})));
  EXPECT_EQ(own(kBot, kEve), std::nullopt);
  EXPECT_EQ(own(kAda, kEve), ErrorCode::kNotFound);
  EXPECT_EQ(own(kNobody, kEve), ErrorCode::kNotFound);
}

TEST_P(FriendsContract, ErasingAPlayerLeavesNothing) {
  ASSERT_TRUE(wait(friends().follow(kAda, kBob, 1)));
  ASSERT_TRUE(wait(friends().follow(kBob, kEve, 1)));
  ASSERT_TRUE(wait(friends().block(kEve, kBob, 1)));
  ASSERT_TRUE(wait(friends().block(kBob, kAda, 1)));
  ASSERT_EQ(challenge("x", kBob, std::nullopt), std::nullopt);
  ASSERT_TRUE(wait(friends().see_here(kBob, 50)));
  ASSERT_TRUE(wait(backend().personal_data().erase(kBob, 2000, {})));
  for (const char* relation : {"follows", "blocks", "challenges"}) {
    EXPECT_EQ(backend().ask(std::string("SELECT count(*) FROM ") + relation), 0) << relation;
  }
  EXPECT_EQ(backend().ask("SELECT here_ms FROM players WHERE id = 8"), 0);
}

}  // namespace friends_test
}  // namespace tesela::store
