// MatchmakingService over gRPC.
#include <gmock/gmock.h>
#include <google/protobuf/util/time_util.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/base/text_encoding.h"
#include "server/store/rating.h"
#include "tesela/game/v1/azul.pb.h"
#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using namespace std::chrono_literals;
using google::protobuf::util::TimeUtil;
using grpc::StatusCode;
using std::chrono::steady_clock;
using testing::ElementsAre;
using testing::HasSubstr;

lobby::v1::FindRequest azul_for(std::uint32_t players) {
  game::v1::AzulConfig config;
  config.set_players(players);
  lobby::v1::FindRequest request;
  request.set_game("azul");
  request.mutable_config()->PackFrom(config);
  return request;
}

lobby::v1::FindRequest ranked(lobby::v1::FindRequest request) {
  request.set_mode(lobby::v1::MODE_RANKED);
  return request;
}

lobby::v1::FindRequest with_bots(lobby::v1::FindRequest request, std::chrono::milliseconds after,
                                 std::uint32_t level = 0) {
  *request.mutable_bots()->mutable_after() = TimeUtil::MillisecondsToDuration(after.count());
  request.mutable_bots()->set_level(level);
  return request;
}

lobby::v1::FindRequest with_party(lobby::v1::FindRequest request, std::uint32_t size) {
  request.mutable_party()->set_code("the green one");
  request.mutable_party()->set_size(size);
  return request;
}

/// One call of Find.
class Finder {
 public:
  Finder(const std::shared_ptr<grpc::Channel>& channel, const std::string& token,
         const lobby::v1::FindRequest& request)
      : stub_(lobby::v1::MatchmakingService::NewStub(channel)) {
    context_.set_deadline(std::chrono::system_clock::now() + 20s);
    if (!token.empty()) context_.AddMetadata("authorization", "Bearer " + token);
    reader_ = stub_->Find(&context_, request);
  }
  ~Finder() { context_.TryCancel(); }
  Finder(const Finder&) = delete;
  Finder& operator=(const Finder&) = delete;

  /// The next message; an empty one at the end.
  lobby::v1::FindResponse next() {
    lobby::v1::FindResponse response;
    if (!reader_->Read(&response)) response.Clear();
    return response;
  }
  /// Reads until the search has this position.
  lobby::v1::Searching stands_at(std::uint32_t position) {
    for (;;) {
      const auto response = next();
      EXPECT_TRUE(response.has_searching()) << response.ShortDebugString();
      if (!response.has_searching() || response.searching().position() == position) {
        return response.searching();
      }
    }
  }
  /// Reads to the match; an empty one when the call ends without it.
  lobby::v1::Matched matched() {
    lobby::v1::FindResponse response = next();
    while (response.has_searching()) response = next();
    return response.matched();
  }
  grpc::Status end() {
    while (next().update_case() != lobby::v1::FindResponse::UPDATE_NOT_SET) {
    }
    return reader_->Finish();
  }
  void hang_up() { context_.TryCancel(); }

 private:
  std::unique_ptr<lobby::v1::MatchmakingService::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<lobby::v1::FindResponse>> reader_;
};

class Matchmaking : public LobbyFixture {
 protected:
  void SetUp() override { matcher_.start(); }

  Finder find(const lobby::v1::SignInResponse& player, const lobby::v1::FindRequest& request) {
    return Finder{channel_, player.token(), request};
  }
  grpc::Status refusal(const lobby::v1::FindRequest& request) { return find(ana_, request).end(); }
  /// Ends the matcher of the fixture, as the server's stop does.
  void stop_matcher() { wait(matcher_.stop()); }
  template <class T>
  T wait(boost::asio::awaitable<T> work) {
    return boost::asio::co_spawn(io_.any(), std::move(work), boost::asio::use_future).get();
  }
  lobby::v1::SignInResponse ana_ = sign_in("Ana");
  lobby::v1::SignInResponse ben_ = sign_in("Ben");
  lobby::v1::SignInResponse eva_ = sign_in("Eva");
};

TEST_F(Matchmaking, TwoWhoWantTheSameSitAtOneTableInPlay) {
  Finder ana = find(ana_, azul_for(2));
  EXPECT_EQ(ana.stands_at(1).party_present(), 1);
  Finder ben = find(ben_, azul_for(2));
  const auto for_ana = ana.matched();
  const auto for_ben = ben.matched();
  EXPECT_EQ(for_ana.table().table_id(), for_ben.table().table_id());
  EXPECT_EQ(for_ana.table().state(), lobby::v1::TABLE_STATE_IN_PLAY);
  EXPECT_EQ(for_ana.table().seats(static_cast<int>(for_ana.seat())).player_id(), ana_.player_id());
  EXPECT_EQ(for_ben.table().seats(static_cast<int>(for_ben.seat())).display_name(), "Ben");
  EXPECT_NE(for_ana.seat(), for_ben.seat());
  EXPECT_TRUE(ana.end().ok());
  EXPECT_TRUE(ben.end().ok());
}

TEST_F(Matchmaking, EveryPaceHasItsClock) {
  const std::map<lobby::v1::Pace, std::uint32_t> clocks{{lobby::v1::PACE_UNSPECIFIED, 60'000},
                                                        {lobby::v1::PACE_QUICK, 20'000},
                                                        {lobby::v1::PACE_NORMAL, 60'000},
                                                        {lobby::v1::PACE_DAYS, 86'400'000}};
  for (const auto& [pace, move_ms] : clocks) {
    auto request = with_bots(azul_for(2), 0ms);
    request.set_pace(pace);
    const auto player = sign_in("Ida");
    const auto matched = find(player, request).matched();
    EXPECT_EQ(matched.table().options().clock().move_ms(), move_ms);
  }
}

TEST_F(Matchmaking, OnlyThoseOfOnePaceMeet) {
  const auto at = [](lobby::v1::Pace pace) {
    auto request = azul_for(2);
    request.set_pace(pace);
    return request;
  };
  Finder quick = find(ana_, at(lobby::v1::PACE_QUICK));
  Finder days = find(ben_, at(lobby::v1::PACE_DAYS));
  EXPECT_EQ(quick.stands_at(1).position(), 1);
  EXPECT_EQ(days.stands_at(1).position(), 1);
  Finder late = find(eva_, at(lobby::v1::PACE_DAYS));
  EXPECT_EQ(days.matched().table().table_id(), late.matched().table().table_id());
  // Without a pace it is the normal one.
  Finder normal = find(sign_in("Ida"), at(lobby::v1::PACE_NORMAL));
  EXPECT_EQ(normal.stands_at(1).position(), 1);
  Finder any = find(sign_in("Leo"), azul_for(2));
  EXPECT_EQ(normal.matched().table().table_id(), any.matched().table().table_id());
  EXPECT_EQ(refusal(at(static_cast<lobby::v1::Pace>(9))).error_code(),
            StatusCode::INVALID_ARGUMENT);
}

TEST_F(Matchmaking, OnlyThoseWhoWantTheSameMeet) {
  Finder two = find(ana_, azul_for(2));
  Finder three = find(ben_, azul_for(3));
  Finder strict = find(eva_, ranked(azul_for(2)));
  EXPECT_EQ(two.stands_at(1).position(), 1);
  EXPECT_EQ(three.stands_at(1).position(), 1);
  EXPECT_EQ(strict.stands_at(1).position(), 1);
}

TEST_F(Matchmaking, APlaceInTheQueueIsTold) {
  Finder ana = find(ana_, azul_for(3));
  EXPECT_EQ(ana.stands_at(1).position(), 1);
  std::this_thread::sleep_for(2ms);  // in the same millisecond the order is by id
  Finder ben = find(ben_, azul_for(3));
  EXPECT_FALSE(ben.stands_at(2).has_estimate());
  ana.hang_up();
  EXPECT_EQ(ben.stands_at(1).position(), 1);
}

TEST_F(Matchmaking, TheEstimateComesFromThoseWhoWereMatched) {
  Finder ana = find(ana_, azul_for(2));
  Finder ben = find(ben_, azul_for(2));
  ASSERT_TRUE(ana.matched().has_table());
  ASSERT_TRUE(ben.matched().has_table());
  Finder eva = find(eva_, azul_for(2));
  EXPECT_TRUE(eva.stands_at(1).has_estimate());
}

TEST_F(Matchmaking, ASearchCountsAsTheTableThatComesOfIt) {
  const auto search = [&](const lobby::v1::SignInResponse& player, const std::string& from) {
    return Finder{connect(from), player.token(), with_bots(azul_for(2), 0ms)};
  };
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(search(ana_, "192.0.2.1").matched().has_table()) << i;
  for (const auto& [player, from] : {std::pair{ana_, "192.0.2.2"}, std::pair{ben_, "192.0.2.1"}}) {
    const grpc::Status status = search(player, from).end();
    EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_THAT(status.error_message(), HasSubstr("too many tables"));
  }
  EXPECT_TRUE(search(ben_, "192.0.2.2").matched().has_table());
}

TEST_F(Matchmaking, ASearchThatBeginsAgainWasCountedBefore) {
  const auto from = boost::asio::ip::make_address("192.0.2.1");
  const rpc::Method find = matchmaking_.methods().front();
  const auto begin = [&](bool counted) {
    const rpc::Caller caller{
        .token = ana_.token(), .quota = admission_.address(from), .counted = counted};
    auto opening = find.open(std::make_unique<lobby::v1::FindRequest>(azul_for(2)), caller);
    return boost::asio::co_spawn(io_.any(), std::move(opening), boost::asio::use_future).get();
  };
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(begin(false)) << i;
  EXPECT_TRUE(begin(true));
  const auto again = begin(false);
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr("too many tables"));
}

TEST_F(Matchmaking, BotsOfTheLevelFillTheTableAfterTheTime) {
  const auto begin = steady_clock::now();
  Finder ana = find(ana_, with_bots(azul_for(4), 700ms, 2));
  Finder ben = find(ben_, with_bots(azul_for(4), 10s, 3));
  const auto matched = ana.matched();
  const auto waited = steady_clock::now() - begin;
  EXPECT_GE(waited, 700ms);
  EXPECT_LT(waited, 10s);  // the other's time
  ASSERT_EQ(matched.table().seats_size(), 4);
  std::set<std::string> people;
  for (const auto& seat : matched.table().seats()) {
    if (seat.bot()) {
      EXPECT_EQ(seat.strategy(), "amateur");
    } else {
      people.insert(seat.player_id());
    }
  }
  EXPECT_EQ(people, (std::set<std::string>{ana_.player_id(), ben_.player_id()}));
  EXPECT_TRUE(ben.matched().has_table());
}

TEST_F(Matchmaking, APartySitsTogether) {
  Finder ana = find(ana_, with_party(azul_for(3), 2));
  const auto alone = ana.next().searching();
  EXPECT_EQ(alone.party_present(), 1);
  EXPECT_THAT(alone.party_names(), ElementsAre("Ana"));
  Finder ben = find(ben_, with_party(azul_for(3), 2));
  const auto together = ben.stands_at(1);
  EXPECT_EQ(together.party_present(), 2);
  EXPECT_THAT(together.party_names(), ElementsAre("Ana", "Ben"));
  Finder eva = find(eva_, azul_for(3));
  const std::string table = eva.matched().table().table_id();
  EXPECT_EQ(ana.matched().table().table_id(), table);
  EXPECT_EQ(ben.matched().table().table_id(), table);
}

TEST_F(Matchmaking, APartyEndsWithAnyOfItsMembers) {
  Finder ana = find(ana_, with_party(azul_for(3), 2));
  EXPECT_EQ(ana.next().searching().position(), 0);
  Finder ben = find(ben_, with_party(azul_for(3), 2));
  EXPECT_EQ(ben.stands_at(1).position(), 1);
  ana.hang_up();
  const grpc::Status status = ben.end();
  EXPECT_EQ(status.error_code(), StatusCode::ABORTED);
  EXPECT_THAT(status.error_message(), HasSubstr("has left"));
  Finder again = find(eva_, azul_for(3));
  EXPECT_EQ(again.stands_at(1).position(), 1);
}

TEST_F(Matchmaking, APartyAsksForOneThing) {
  Finder ana = find(ana_, with_party(azul_for(3), 2));
  EXPECT_EQ(ana.next().searching().position(), 0);
  const grpc::Status status = find(ben_, with_party(azul_for(4), 2)).end();
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("must be the same for all"));
}

TEST_F(Matchmaking, ThePlayersNewestSearchGoesOn) {
  Finder first = find(ana_, azul_for(2));
  EXPECT_EQ(first.stands_at(1).position(), 1);
  Finder second = find(ana_, azul_for(3));
  EXPECT_EQ(first.end().error_code(), StatusCode::ABORTED);
  EXPECT_EQ(second.stands_at(1).position(), 1);
}

TEST_F(Matchmaking, WhoDidNotHearOfTheMatchIsToldAgain) {
  Finder ana = find(ana_, azul_for(2));
  Finder ben = find(ben_, azul_for(2));
  const std::string table = ben.matched().table().table_id();
  EXPECT_EQ(find(ana_, azul_for(2)).matched().table().table_id(), table);
  // Another game is another search, and so is another mode.
  EXPECT_EQ(find(ana_, azul_for(3)).stands_at(1).position(), 1);
  EXPECT_EQ(find(ana_, ranked(azul_for(2))).stands_at(1).position(), 1);
}

TEST_F(Matchmaking, RankedSearchesMakeARankedTable) {
  Finder ana = find(ana_, ranked(azul_for(2)));
  EXPECT_EQ(ana.stands_at(1).position(), 1);
  const auto table = find(ben_, ranked(azul_for(2))).matched().table();
  EXPECT_TRUE(table.options().ranked());
  EXPECT_EQ(ana.matched().table().table_id(), table.table_id());
  // A player who was not told of the match is told again.
  EXPECT_EQ(find(ben_, ranked(azul_for(2))).matched().table().table_id(), table.table_id());
}

TEST_F(Matchmaking, SearchesEndWhenTheServerStops) {
  Finder ana = find(ana_, azul_for(2));
  EXPECT_EQ(ana.stands_at(1).position(), 1);
  stop_matcher();
  EXPECT_EQ(ana.end().error_code(), StatusCode::UNAVAILABLE);
  EXPECT_EQ(find(ben_, azul_for(2)).end().error_code(), StatusCode::UNAVAILABLE);
}

TEST_F(Matchmaking, EachRefusalSaysWhatWouldBeRight) {
  EXPECT_EQ(Finder(channel_, "", azul_for(2)).end().error_code(), StatusCode::UNAUTHENTICATED);
  lobby::v1::FindRequest request;
  request.set_game("2048");
  EXPECT_THAT(refusal(request).error_message(), HasSubstr("a game for one"));
  request.set_game("chess");
  EXPECT_THAT(refusal(request).error_message(), HasSubstr("Known games"));
  EXPECT_EQ(refusal(azul_for(5)).error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(refusal(with_bots(azul_for(2), 0ms, 9)).error_message(),
              HasSubstr("levels 1, 2, 3, 4"));
  EXPECT_THAT(refusal(with_bots(azul_for(2), 2h)).error_message(), HasSubstr("an hour"));
  EXPECT_THAT(refusal(with_party(azul_for(3), 4)).error_message(), HasSubstr("2 to 3"));
  auto short_code = with_party(azul_for(3), 2);
  short_code.mutable_party()->set_code("green");
  EXPECT_THAT(refusal(short_code).error_message(), HasSubstr("8 to 64 bytes"));
  auto long_dice = azul_for(2);
  long_dice.set_contribution(std::string(65, 'x'));
  EXPECT_THAT(refusal(long_dice).error_message(), HasSubstr("at most 64 bytes"));
  auto no_mode = azul_for(2);
  no_mode.set_mode(static_cast<lobby::v1::Mode>(7));
  EXPECT_EQ(refusal(no_mode).error_code(), StatusCode::INVALID_ARGUMENT);
}

}  // namespace
}  // namespace tesela::services
