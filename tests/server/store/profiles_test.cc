// The contract of Profiles (server/store/profiles.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/server/store/contract.h"

namespace tesela::store {
namespace profiles_test {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr PlayerId kAda{7};
constexpr PlayerId kBob{8};
constexpr PlayerId kGuest{9};
constexpr std::int64_t kDays = 86'400'000;

class ProfilesContract : public StoreContract {
 protected:
  void SetUp() override {
    for (const PlayerId player : {kAda, kBob, kGuest}) ASSERT_TRUE(caller().sign_in(player, "A"));
    for (const PlayerId member : {kAda, kBob}) {
      CredentialRow row{.id = std::to_string(member.value), .player = member};
      ASSERT_TRUE(wait(backend().accounts().add_credential(std::move(row))));
    }
  }

  template <class T>
  T wait(boost::asio::awaitable<T> call) {
    return caller().wait(std::move(call));
  }
  Profiles& profiles() { return backend().profiles(); }
  /// The refusal of a claim on a day.
  std::optional<ErrorCode> claim(PlayerId player, std::string handle, std::string key,
                                 std::int64_t day) {
    return refusal(wait(profiles().claim_handle({.player = player,
                                                 .handle = std::move(handle),
                                                 .key = std::move(key),
                                                 .now_ms = day * kDays,
                                                 .changed_before_ms = (day - 30) * kDays,
                                                 .kept_until_ms = (day + 30) * kDays})));
  }
  std::string name_of(PlayerId player) { return caller().meet(player)->display_name; }
  std::optional<PlayerId> holder(std::string key) {
    const auto row = wait(profiles().holder(std::move(key)));
    if (!row) return std::nullopt;
    return row->id;
  }
  std::vector<std::string> found(std::string prefix, std::size_t max = 10) {
    std::vector<std::string> names;
    for (const PlayerRow& row : wait(profiles().holders(std::move(prefix), max)).value()) {
      names.push_back(row.display_name);
    }
    return names;
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, ProfilesContract, testing::ValuesIn(databases()), kind_name);

TEST_P(ProfilesContract, AHandleIsTheNameOfOneMember) {
  EXPECT_EQ(claim(kGuest, "Ada", "ada", 100), ErrorCode::kPermissionDenied);
  EXPECT_EQ(claim(PlayerId{99}, "Ada", "ada", 100), ErrorCode::kNotFound);
  EXPECT_EQ(claim(kAda, "Ada", "ada", 100), std::nullopt);
  reopen();
  EXPECT_EQ(name_of(kAda), "@Ada");
  EXPECT_EQ(holder("ada"), kAda);
  EXPECT_EQ(claim(kBob, "ADA", "ada", 100), ErrorCode::kTaken);
  EXPECT_EQ(name_of(kBob), "A");
  EXPECT_EQ(claim(kAda, "ADA", "ada", 100), std::nullopt) << "written otherwise";
  EXPECT_EQ(name_of(kAda), "@ADA");
}

TEST_P(ProfilesContract, AHandleIsChangedSeldomAndKeptFromOthers) {
  ASSERT_EQ(claim(kAda, "Ada", "ada", 100), std::nullopt);
  EXPECT_EQ(claim(kAda, "Eve", "eve", 129), ErrorCode::kTooSoon);
  ASSERT_EQ(claim(kAda, "Eve", "eve", 131), std::nullopt);
  EXPECT_EQ(holder("eve"), kAda);
  EXPECT_EQ(holder("ada"), std::nullopt);
  EXPECT_EQ(claim(kBob, "Ada", "ada", 160), ErrorCode::kTaken);
  EXPECT_EQ(claim(kBob, "Ada", "ada", 161), std::nullopt);
  EXPECT_EQ(claim(kAda, "Ada", "ada", 170), ErrorCode::kTaken);
  EXPECT_EQ(name_of(kAda), "@Eve");
}

TEST_P(ProfilesContract, AHandleThatIsKeptFromOthersIsListedUntilThePlayerIsErased) {
  const auto kept = [this](std::int64_t day) {
    return wait(profiles().kept_handles(kAda, day * kDays)).value();
  };
  ASSERT_EQ(claim(kAda, "Ada", "ada", 100), std::nullopt);
  EXPECT_THAT(kept(100), IsEmpty());
  ASSERT_EQ(claim(kAda, "Eve", "eve", 131), std::nullopt);
  EXPECT_THAT(kept(160), ElementsAre(KeptHandle{"Ada", 161 * kDays}));
  EXPECT_THAT(kept(161), IsEmpty());
  ASSERT_TRUE(wait(backend().personal_data().erase(kAda, 5000, {})));
  EXPECT_THAT(kept(140), IsEmpty());
  EXPECT_EQ(claim(kBob, "Ada", "ada", 140), std::nullopt);
}

TEST_P(ProfilesContract, HandlesAreFoundByTheirBeginning) {
  ASSERT_EQ(claim(kAda, "Ada", "ada", 100), std::nullopt);
  ASSERT_EQ(claim(kBob, "Adam", "adam", 100), std::nullopt);
  EXPECT_THAT(found("ad"), ElementsAre("@Ada", "@Adam"));
  EXPECT_THAT(found("adam"), ElementsAre("@Adam"));
  EXPECT_THAT(found("ad", 1), ElementsAre("@Ada"));
  EXPECT_THAT(found("b"), IsEmpty());
}

TEST_P(ProfilesContract, WhoMaySeeAProfileIsStored) {
  EXPECT_EQ(caller().meet(kAda)->audience, Audience::kEverybody);
  ASSERT_TRUE(wait(profiles().set_audience(kAda, Audience::kNobody)));
  reopen();
  EXPECT_EQ(caller().meet(kAda)->audience, Audience::kNobody);
  EXPECT_EQ(refusal(wait(profiles().set_audience(PlayerId{99}, Audience::kPlayers))),
            ErrorCode::kNotFound);
}

TEST_P(ProfilesContract, ADayHasItsLastRating) {
  const auto play = [this](std::uint64_t table, std::int64_t at_ms) {
    GameOutcome outcome{.game = "azul", .placings = {{kAda, 1}, {kBob, 2}}};
    return caller().open_table(TableId{table}) &&
           caller().end(TableId{table}, Version{2}, {.result = "r", .ended_ms = at_ms},
                        std::move(outcome));
  };
  const auto points = [this] { return shown(caller().rating("azul", kAda).rating); };
  ASSERT_TRUE(play(1, 100 * kDays));
  ASSERT_TRUE(play(2, 100 * kDays + 1));
  const RatingPoint first{.day = Day{std::chrono::days{100}}, .points = points()};
  ASSERT_TRUE(play(3, 102 * kDays));
  const RatingPoint second{.day = Day{std::chrono::days{102}}, .points = points()};
  EXPECT_NE(first.points, second.points);
  const auto since = [this](int day) {
    return wait(profiles().rating_days("azul", kAda, Day{std::chrono::days{day}})).value();
  };
  EXPECT_THAT(since(0), ElementsAre(first, second));
  EXPECT_THAT(since(101), ElementsAre(second));
  ASSERT_EQ(claim(kAda, "Ada", "ada", 100), std::nullopt);
  ASSERT_TRUE(wait(backend().personal_data().erase(kAda, 5000, {})));
  EXPECT_THAT(since(0), IsEmpty());
  EXPECT_EQ(holder("ada"), std::nullopt);
}

TEST_P(ProfilesContract, ScoresComeFromTheNewestBoardsFirst) {
  const auto score = [](BoardKind kind, std::int64_t day, std::int64_t points) {
    const std::optional<Day> on =
        day == 0 ? std::nullopt : std::optional(Day{std::chrono::days{day}});
    return Score{.board = {.kind = kind, .game = "2048", .config = "c", .day = on},
                 .player = kAda,
                 .points = points};
  };
  ASSERT_TRUE(caller().open_table(TableId{1}));
  GameOutcome outcome{.game = "2048",
                      .scores = {score(BoardKind::kBest, 0, 5), score(BoardKind::kDaily, 7, 6),
                                 score(BoardKind::kDaily, 8, 9)}};
  ASSERT_TRUE(
      caller().end(TableId{1}, Version{2}, {.result = "r", .ended_ms = 5}, std::move(outcome)));
  const auto newest = wait(profiles().newest_scores(kAda, 10, 1)).value();
  ASSERT_EQ(newest.best.size(), 1);
  EXPECT_EQ(newest.best[0].points, 5);
  ASSERT_EQ(newest.daily.size(), 1);
  EXPECT_EQ(newest.daily[0].points, 9);
}

}  // namespace profiles_test
}  // namespace tesela::store
