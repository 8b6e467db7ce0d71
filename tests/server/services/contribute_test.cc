// Adding to the dice after the commitment was shown: at tables of one, at matched tables, and once
// more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/ip/address.hpp>
#include <string>

#include "server/services/table_watches.h"
#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using grpc::StatusCode;
using play::v1::CONTRIBUTION_STATE_AFTER_COMMITMENT;
using play::v1::CONTRIBUTION_STATE_AWAITED;
using play::v1::CONTRIBUTION_STATE_UNSPECIFIED;
using play::v1::CONTRIBUTION_STATE_WITH_SEAT;
using testing::HasSubstr;

class ContributeTest : public LobbyFixture {
 protected:
  void SetUp() override { matcher_.start(); }

  lobby::v1::Table make(const lobby::v1::SignInResponse& player,
                        lobby::v1::CreateTableRequest request) {
    request.set_contribute_later(true);
    lobby::v1::CreateTableResponse response;
    EXPECT_TRUE(create(player.token(), request, response).ok());
    return response.table();
  }
  lobby::v1::Table make_alone(const lobby::v1::SignInResponse& player) {
    lobby::v1::CreateTableRequest request;
    request.set_game("2048");
    return make(player, request);
  }
  grpc::Status contribute(const lobby::v1::SignInResponse& player, const std::string& table_id,
                          const std::string& bytes) {
    lobby::v1::ContributeRequest request;
    request.set_table_id(table_id);
    request.set_contribution(bytes);
    answer_.Clear();
    return call(&lobby::v1::LobbyService::Stub::Contribute, player.token(), request, answer_);
  }
  grpc::Status refusal(lobby::v1::CreateTableRequest request) {
    lobby::v1::CreateTableResponse response;
    return create(ana_.token(), request, response);
  }
  lobby::v1::GameRecord record(const std::string& table_id) {
    grpc::ClientContext context;
    lobby::v1::GetRecordRequest request;
    request.set_table_id(table_id);
    lobby::v1::GetRecordResponse response;
    EXPECT_TRUE(history_stub_->GetRecord(&context, request, &response).ok());
    return response.record();
  }
  /// Reads to the match.
  lobby::v1::Matched matched(grpc::ClientReader<lobby::v1::FindResponse>& reader) {
    lobby::v1::FindResponse response;
    while (reader.Read(&response) && !response.has_matched()) {
    }
    return response.matched();
  }

  std::unique_ptr<lobby::v1::HistoryService::Stub> history_stub_ =
      lobby::v1::HistoryService::NewStub(channel_);
  std::unique_ptr<lobby::v1::MatchmakingService::Stub> finds_ =
      lobby::v1::MatchmakingService::NewStub(channel_);
  const lobby::v1::SignInResponse ana_ = sign_in("Ana");
  const lobby::v1::SignInResponse ben_ = sign_in("Ben");
  lobby::v1::ContributeResponse answer_;
};

TEST_F(ContributeTest, LoadingTheTableIsChargedToTheAddress) {
  const auto table = LobbyFixture::create(ana_.token());  // not in memory: nobody is there
  const auto address = admission_.address(boost::asio::ip::make_address("192.0.2.1"));
  while (address->try_take(quota::Act::kExecution, 1'000'000)) {
  }
  const auto stub = lobby::v1::LobbyService::NewStub(connect("192.0.2.1"));
  grpc::ClientContext context;
  context.AddMetadata("authorization", "Bearer " + ana_.token());
  lobby::v1::ContributeRequest request;
  request.set_table_id(table.table_id());
  request.set_contribution("dice");
  EXPECT_EQ(stub->Contribute(&context, request, &answer_).error_code(),
            StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(ContributeTest, ATableForOneShowsItsCommitmentBeforeThePlayerAdds) {
  const auto table = make_alone(ana_);
  EXPECT_EQ(table.state(), lobby::v1::TABLE_STATE_OPEN);
  EXPECT_EQ(table.commitment().size(), 32);
  EXPECT_EQ(table.seats(0).contribution(), CONTRIBUTION_STATE_AWAITED);
  ASSERT_TRUE(contribute(ana_, table.table_id(), "my dice").ok());
  EXPECT_TRUE(answer_.begun());
  EXPECT_EQ(answer_.seat().contribution(), CONTRIBUTION_STATE_AFTER_COMMITMENT);
  const auto begun = look_at(table.table_id());
  EXPECT_EQ(begun.state(), lobby::v1::TABLE_STATE_IN_PLAY);
  EXPECT_EQ(begun.commitment(), table.commitment());
  const auto shown = record(table.table_id());
  ASSERT_EQ(shown.contributions_size(), 1);
  EXPECT_EQ(shown.contributions(0).bytes(), "my dice");
}

TEST_F(ContributeTest, TheSameBytesMayBeSentAgainAndOthersMayNot) {
  const auto id = make_alone(ana_).table_id();
  ASSERT_TRUE(contribute(ana_, id, "my dice").ok());
  EXPECT_TRUE(contribute(ana_, id, "my dice").ok());
  EXPECT_TRUE(answer_.begun());
  const auto other = contribute(ana_, id, "better dice");
  EXPECT_EQ(other.error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(other.error_message(), HasSubstr("already"));
}

TEST_F(ContributeTest, OnlyWhoSitsThereAdds) {
  const auto id = make_alone(ana_).table_id();
  EXPECT_EQ(contribute(ben_, id, "x").error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(contribute(ana_, "nonsense", "x").error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(contribute(ana_, id, "").error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(contribute(ana_, id, std::string(65, 'x')).error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(look_at(id).state(), lobby::v1::TABLE_STATE_OPEN);
}

TEST_F(ContributeTest, NobodyLeavesATableWhoseSeatsAreAllTaken) {
  const auto id = make_alone(ana_).table_id();
  lobby::v1::FreeSeatRequest request;
  request.set_table_id(id);
  lobby::v1::FreeSeatResponse response;
  const auto status =
      call(&lobby::v1::LobbyService::Stub::FreeSeat, ana_.token(), request, response);
  EXPECT_EQ(status.error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("All seats are taken"));
}

TEST_F(ContributeTest, WhoAddsWithTheSeatIsSaidToHaveDoneSo) {
  lobby::v1::CreateTableRequest request;
  request.set_game("2048");
  request.set_contribution("early");
  lobby::v1::CreateTableResponse made;
  ASSERT_TRUE(create(ana_.token(), request, made).ok());
  EXPECT_EQ(made.table().state(), lobby::v1::TABLE_STATE_IN_PLAY);
  EXPECT_EQ(made.table().seats(0).contribution(), CONTRIBUTION_STATE_WITH_SEAT);
}

TEST_F(ContributeTest, AnOpenTableBeginsWhenTheLastHasAdded) {
  auto azul = azul_of(2);
  const auto table = make(ana_, azul);
  lobby::v1::JoinTableRequest seat;
  seat.set_table_id(table.table_id());
  seat.set_contribute_later(true);
  lobby::v1::JoinTableResponse joined;
  ASSERT_TRUE(join(ben_.token(), seat, joined).ok());
  EXPECT_EQ(joined.table().state(), lobby::v1::TABLE_STATE_OPEN);
  EXPECT_EQ(joined.table().commitment(), table.commitment());
  ASSERT_TRUE(contribute(ben_, table.table_id(), "ben").ok());
  EXPECT_FALSE(answer_.begun());
  ASSERT_TRUE(contribute(ana_, table.table_id(), "ana").ok());
  EXPECT_TRUE(answer_.begun());
  EXPECT_EQ(record(table.table_id()).contributions_size(), 2);
}

TEST_F(ContributeTest, BotsTakeTheSeatsOfATableThatAwaitsContributions) {
  const auto table = make(ana_, azul_of(3));
  lobby::v1::StartTableRequest request;
  request.set_table_id(table.table_id());
  lobby::v1::StartTableResponse started;
  ASSERT_TRUE(
      call(&lobby::v1::LobbyService::Stub::StartTable, ana_.token(), request, started).ok());
  EXPECT_EQ(started.table().seats_size(), 3);
  EXPECT_EQ(started.table().state(), lobby::v1::TABLE_STATE_OPEN);
  ASSERT_TRUE(contribute(ana_, table.table_id(), "ana").ok());
  EXPECT_TRUE(answer_.begun());
}

TEST_F(ContributeTest, WhoWasMatchedAddsToTheDiceOfTheTable) {
  lobby::v1::FindRequest request;
  request.set_game("azul");
  request.set_contribute_later(true);
  grpc::ClientContext for_ana;
  for_ana.AddMetadata("authorization", "Bearer " + ana_.token());
  grpc::ClientContext for_ben;
  for_ben.AddMetadata("authorization", "Bearer " + ben_.token());
  const auto ana = finds_->Find(&for_ana, request);
  request.set_contribute_later(false);  // of an older client
  const auto ben = finds_->Find(&for_ben, request);
  const auto match = matched(*ana);
  EXPECT_EQ(match.table().state(), lobby::v1::TABLE_STATE_OPEN);
  EXPECT_EQ(match.table().commitment().size(), 32);
  const auto seat = static_cast<int>(match.seat());
  EXPECT_EQ(match.table().seats(seat).contribution(), CONTRIBUTION_STATE_AWAITED);
  EXPECT_EQ(match.table().seats(1 - seat).contribution(), CONTRIBUTION_STATE_UNSPECIFIED);
  EXPECT_EQ(matched(*ben).table().table_id(), match.table().table_id());
  ASSERT_TRUE(contribute(ana_, match.table().table_id(), "ana").ok());
  EXPECT_TRUE(answer_.begun());
}

TEST_F(ContributeTest, WhoWatchesForFreeSeatsIsNotToldOfATableForOneThatIsTaken) {
  const store::TableFilter open{.game = {}, .state = store::TableState::kOpen, .player = {}};
  store::TableRow table{.id = TableId{1},
                        .game = "2048",
                        .config = {},
                        .state = store::TableState::kOpen,
                        .seat_count = 1,
                        .seats = {},
                        .epoch = Epoch{1},
                        .ending = {}};
  EXPECT_TRUE(concerns(table, open));
  table.seats.push_back({.seat = Seat{0}, .player = PlayerId{1}, .display_name = "Ana"});
  EXPECT_FALSE(concerns(table, open));
  table.seat_count = 2;
  EXPECT_TRUE(concerns(table, open));
}

TEST_F(ContributeTest, WhatCannotBeIsRefused) {
  lobby::v1::CreateTableRequest both;
  both.set_game("2048");
  both.set_contribute_later(true);
  both.set_contribution("x");
  EXPECT_THAT(refusal(both).error_message(), HasSubstr("Either"));
  lobby::v1::CreateTableRequest watching;
  watching.set_game("2048");
  watching.set_contribute_later(true);
  watching.set_watch_only(true);
  EXPECT_THAT(refusal(watching).error_message(), HasSubstr("watch_only"));
  lobby::v1::CreateTableRequest daily;
  daily.set_game("2048");
  daily.set_daily(true);
  daily.set_contribute_later(true);
  EXPECT_THAT(refusal(daily).error_message(), HasSubstr("contribute_later out"));
}

}  // namespace
}  // namespace tesela::services
