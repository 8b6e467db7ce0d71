// The matcher, asked without gRPC.
#include "server/matchmaking/matcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "server/base/limits.h"
#include "server/base/text_encoding.h"
#include "server/directory/player_at_table.h"
#include "server/store/only_life.h"
#include "tesela/game/v1/azul.pb.h"
#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using testing::HasSubstr;

/// A search without a call: notes what it is told.
class NotedSearch final : public matchmaking::Search {
 public:
  /// `then` is called when it is told something for the first time, on the matcher's thread.
  explicit NotedSearch(
      matchmaking::Seeker seeker, std::function<void()> then = [] {})
      : Search(std::move(seeker)), then_(std::move(then)) {}

  void searching(const matchmaking::SearchNews& news) override {
    note("at " + std::to_string(news.position));
  }
  void matched(const store::TableRow& /*table*/) override { note("matched"); }
  void failed(const Error& error) override {
    moved = error.code == ErrorCode::kFenced;
    note(error.message);
  }

  std::atomic<bool> moved{false};  // to whoever leads next

  /// The first that it is told.
  std::string told() { return told_.get_future().get(); }

 private:
  void note(std::string what) {
    if (noted_.exchange(true)) return;
    then_();
    told_.set_value(std::move(what));
  }

  const std::function<void()> then_;
  std::promise<std::string> told_;
  std::atomic<bool> noted_{false};
};

/// The matcher is not started yet: what comes before has come together.
class MatcherTest : public LobbyFixture {
 protected:
  std::shared_ptr<NotedSearch> search(const lobby::v1::SignInResponse& player) {
    auto search =
        std::make_shared<NotedSearch>(seeker(*base::parse_id<PlayerId>(player.player_id())));
    matcher_.add(search);
    return search;
  }
  /// A player who is not in the store: `then` is called after earlier searches were handled, and
  /// before later ones.
  void search_as_stranger(std::function<void()> then) {
    matcher_.add(std::make_shared<NotedSearch>(seeker(PlayerId{7}), std::move(then)));
  }
  template <class T>
  T wait(boost::asio::awaitable<T> work) {
    return boost::asio::co_spawn(io_.any(), std::move(work), boost::asio::use_future).get();
  }

  const matchmaking::Queue queue_{.game = "azul", .config = config()};
  lobby::v1::SignInResponse ana_ = sign_in("Ana");
  lobby::v1::SignInResponse ben_ = sign_in("Ben");
  lobby::v1::SignInResponse eva_ = sign_in("Eva");

 private:
  static std::string config() {
    game::v1::AzulConfig config;
    config.set_players(2);
    config.set_untiled_rounds_max(3);  // as a request is read
    google::protobuf::Any any;
    any.PackFrom(config);
    return any.SerializeAsString();
  }
  [[nodiscard]] matchmaking::Seeker seeker(PlayerId player) const {
    return {.player = player, .name = "Somebody", .queue = queue_};
  }
};

TEST_F(MatcherTest, WhoHasLeftAGameIsNotLedBackToIt) {
  const auto ana = search(ana_);
  const auto ben = search(ben_);
  matcher_.start();
  EXPECT_EQ(ana->told(), "matched");
  EXPECT_EQ(ben->told(), "matched");
  const PlayerId player = *base::parse_id<PlayerId>(ana_.player_id());
  const TableId table = wait(store_->seekers("azul", {player})).value().at(0).last_match.value();
  const auto row = wait(table_rows_->table(table)).value();
  const auto seat = std::ranges::find(row.seats, player, &store::SeatRow::player)->seat;
  EXPECT_EQ(search(ana_)->told(), "matched") << "again, as long as it is theirs";
  ASSERT_TRUE(wait(directory_.apply(table, tables::FreeSeat{.asker = player, .seat = seat})));
  EXPECT_EQ(search(ana_)->told(), "at 1");
  EXPECT_EQ(search(ben_)->told(), "matched") << "who plays on";
  // What a server finds that does not have the table.
  const replay::Source source{*log_, backend_->snapshots()};
  const auto plays = [&](const lobby::v1::SignInResponse& somebody) {
    const PlayerId id = *base::parse_id<PlayerId>(somebody.player_id());
    return wait(directory::plays_by_log(*table_rows_, source, directory_.aside(), table, id));
  };
  EXPECT_EQ(plays(ana_), false);
  EXPECT_EQ(plays(ben_), true);
  EXPECT_EQ(plays(eva_), false);
}

TEST_F(MatcherTest, WhenTheDutyIsGivenUpSearchesAreToBeginAgain) {
  EXPECT_FALSE(matcher_.leads());
  matcher_.start();
  const auto ana = search(ana_);
  EXPECT_EQ(ana->told(), "at 1");
  EXPECT_TRUE(matcher_.leads());
  wait(matcher_.stop());
  EXPECT_FALSE(matcher_.leads());
  const auto ben = search(ben_);
  EXPECT_THAT(ben->told(), HasSubstr("stopping"));
  EXPECT_TRUE(ben->moved);
}

}  // namespace
}  // namespace tesela::services
