// Seats and bots over LobbyService.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "engine/strategy/registry.h"
#include "server/base/text_encoding.h"
#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using grpc::StatusCode;
using testing::HasSubstr;

class SeatsTest : public LobbyFixture {
 protected:
  lobby::v1::Table create_azul(const std::string& token) {
    lobby::v1::CreateTableRequest request;
    request.set_game("azul");
    lobby::v1::CreateTableResponse response;
    EXPECT_TRUE(create(token, request, response).ok());
    return response.table();
  }
  grpc::Status list(const lobby::v1::ListTablesRequest& request,
                    lobby::v1::ListTablesResponse& response) {
    return call(&lobby::v1::LobbyService::Stub::ListTables, "", request, response);
  }
};

TEST_F(SeatsTest, ATableIsOpenUntilItsLastSeatIsTaken) {
  const auto table = create_azul(sign_in("Ana").token());
  EXPECT_EQ(table.state(), lobby::v1::TABLE_STATE_OPEN);
  EXPECT_EQ(table.seat_count(), 2);
  EXPECT_EQ(table.seats_size(), 1);
  lobby::v1::ListTablesRequest open;
  open.mutable_filter()->set_state(lobby::v1::TABLE_STATE_OPEN);
  lobby::v1::ListTablesResponse listed;
  ASSERT_TRUE(list(open, listed).ok());
  ASSERT_EQ(listed.tables_size(), 1);

  lobby::v1::JoinTableRequest request;
  request.set_table_id(table.table_id());
  lobby::v1::JoinTableResponse response;
  const auto bob = sign_in("Bob");
  ASSERT_TRUE(join(bob.token(), request, response).ok());
  EXPECT_EQ(response.table().state(), lobby::v1::TABLE_STATE_IN_PLAY);
  ASSERT_EQ(response.table().seats_size(), 2);
  EXPECT_EQ(response.table().seats(1).player_id(), bob.player_id());
  EXPECT_EQ(response.table().seats(1).display_name(), "Bob");
  ASSERT_TRUE(list(open, listed).ok());
  EXPECT_EQ(listed.tables_size(), 0);
}

TEST_F(SeatsTest, EachRefusalSaysWhatWouldBeRight) {
  const auto ana = sign_in("Ana");
  const auto table = create_azul(ana.token());
  const auto bob = sign_in("Bob");
  lobby::v1::JoinTableResponse response;
  lobby::v1::JoinTableRequest request;
  request.set_table_id("nonsense");
  EXPECT_EQ(join(bob.token(), request, response).error_code(), StatusCode::INVALID_ARGUMENT);
  request.set_table_id(base::to_text(TableId{1}));
  EXPECT_EQ(join(bob.token(), request, response).error_code(), StatusCode::NOT_FOUND);
  request.set_table_id(table.table_id());
  EXPECT_EQ(join("nonsense", request, response).error_code(), StatusCode::UNAUTHENTICATED);
  request.set_seat(2);
  const auto no_seat = join(bob.token(), request, response);
  EXPECT_EQ(no_seat.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(no_seat.error_message(), HasSubstr("from 0 to 1"));
  request.set_seat(300);
  EXPECT_EQ(join(bob.token(), request, response).error_code(), StatusCode::INVALID_ARGUMENT);
  request.set_seat(0);
  EXPECT_EQ(join(bob.token(), request, response).error_code(), StatusCode::FAILED_PRECONDITION);
}

TEST_F(SeatsTest, ATableIsMadeWithItsBots) {
  const auto ana = sign_in("Ana");
  auto request = azul_of(3);
  request.add_bots()->set_strategy("safe");
  auto& first = *request.add_bots();
  first.set_strategy("uct");
  first.set_seat(0);
  lobby::v1::CreateTableResponse response;
  ASSERT_TRUE(create(ana.token(), request, response).ok());
  const auto& table = response.table();
  EXPECT_EQ(table.state(), lobby::v1::TABLE_STATE_IN_PLAY);
  EXPECT_EQ(table.owner_id(), ana.player_id());
  EXPECT_EQ(table.options().bot_pace_ms(), 60'000);
  ASSERT_EQ(table.seats_size(), 3);
  EXPECT_EQ(table.seats(0).strategy(), "uct");
  EXPECT_TRUE(table.seats(0).bot());
  EXPECT_EQ(table.seats(1).player_id(), ana.player_id());
  EXPECT_FALSE(table.seats(1).bot());
  EXPECT_EQ(table.seats(2).strategy(), "safe");
}

TEST_F(SeatsTest, ABotOrPaceThatCannotBeIsRefused) {
  const auto token = sign_in("Ana").token();
  lobby::v1::CreateTableRequest request;
  lobby::v1::CreateTableResponse response;
  request.set_game("azul");
  request.add_bots()->set_strategy("deep-blue");
  auto status = create(token, request, response);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("there are random, diagonal"));
  request.mutable_bots(0)->set_strategy("safe");
  request.mutable_bots(0)->set_seat(4);
  EXPECT_EQ(create(token, request, response).error_code(), StatusCode::INVALID_ARGUMENT);
  request.mutable_bots(0)->clear_seat();
  request.add_bots()->set_strategy("safe");
  status = create(token, request, response);
  EXPECT_EQ(status.error_code(), StatusCode::FAILED_PRECONDITION);
  request.mutable_bots()->RemoveLast();
  request.mutable_options()->set_bot_pace_ms(60'001);
  status = create(token, request, response);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("0 to 60000"));
}

TEST_F(SeatsTest, TheOwnerSeatsBotsAndPlayersLeave) {
  const auto ana = sign_in("Ana");
  const auto bob = sign_in("Bob");
  lobby::v1::AddBotRequest add;
  add.set_table_id(create_azul(ana.token()).table_id());
  add.mutable_bot()->set_strategy("rush");
  lobby::v1::AddBotResponse added;
  const auto add_bot = &lobby::v1::LobbyService::Stub::AddBot;
  EXPECT_EQ(call(add_bot, bob.token(), add, added).error_code(), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(call(add_bot, "nonsense", add, added).error_code(), StatusCode::UNAUTHENTICATED);

  lobby::v1::FreeSeatRequest leave;
  leave.set_table_id(add.table_id());
  lobby::v1::FreeSeatResponse left;
  const auto free_seat = &lobby::v1::LobbyService::Stub::FreeSeat;
  EXPECT_EQ(call(free_seat, bob.token(), leave, left).error_code(), StatusCode::PERMISSION_DENIED);
  leave.set_seat(1);
  EXPECT_EQ(call(free_seat, bob.token(), leave, left).error_code(), StatusCode::NOT_FOUND);

  ASSERT_TRUE(call(add_bot, ana.token(), add, added).ok());
  EXPECT_EQ(added.table().state(), lobby::v1::TABLE_STATE_IN_PLAY);
  EXPECT_EQ(call(free_seat, ana.token(), leave, left).error_code(),
            StatusCode::FAILED_PRECONDITION);
}

TEST_F(SeatsTest, TheOwnerBeginsWithBots) {
  const auto ana = sign_in("Ana");
  lobby::v1::StartTableRequest request;
  request.set_table_id(create_azul(ana.token()).table_id());
  lobby::v1::StartTableResponse response;
  const auto start = &lobby::v1::LobbyService::Stub::StartTable;
  const auto by_bob = call(start, sign_in("Bob").token(), request, response);
  EXPECT_EQ(by_bob.error_code(), StatusCode::PERMISSION_DENIED);
  request.set_bot_level(99);
  const auto no_level = call(start, ana.token(), request, response);
  EXPECT_EQ(no_level.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(no_level.error_message(), HasSubstr("there are the levels 1, "));
  request.set_bot_level(4);
  ASSERT_TRUE(call(start, ana.token(), request, response).ok());
  EXPECT_EQ(response.table().state(), lobby::v1::TABLE_STATE_IN_PLAY);
  EXPECT_EQ(response.table().seats(1).strategy(), "uct");
  request.set_strategy("safe");
  ASSERT_TRUE(call(start, ana.token(), request, response).ok());
  EXPECT_EQ(response.table().seats(1).strategy(), "uct");
}

TEST_F(SeatsTest, TheStrategiesOfAGameAreListed) {
  lobby::v1::ListStrategiesRequest request;
  lobby::v1::ListStrategiesResponse response;
  const auto list_strategies = &lobby::v1::LobbyService::Stub::ListStrategies;
  ASSERT_TRUE(call(list_strategies, "", request, response).ok());
  const auto has_level = [](const Listed& listed) { return listed.description.level != 0; };
  EXPECT_EQ(response.strategies_size(), std::ranges::count_if(games::all_strategies(), has_level));
  request.set_game("azul");
  ASSERT_TRUE(call(list_strategies, "", request, response).ok());
  ASSERT_EQ(response.strategies_size(), 6) << "without those that play at random";
  EXPECT_EQ(response.strategies(0).name(), "novice");
  EXPECT_EQ(response.strategies(0).level(), 1);
  EXPECT_EQ(response.strategies(0).thought(), lobby::v1::THOUGHT_INSTANT);
  request.set_game("chess");
  EXPECT_EQ(call(list_strategies, "", request, response).error_code(),
            StatusCode::INVALID_ARGUMENT);
}

}  // namespace
}  // namespace tesela::services
