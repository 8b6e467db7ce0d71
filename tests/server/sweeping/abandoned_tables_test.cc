// Abandoned tables are closed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <string>
#include <thread>

#include "server/base/limits.h"
#include "server/sweeping/abandoned_tables.h"
#include "server/sweeping/sweeper.h"
#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using grpc::StatusCode;

class AbandonedTablesTest : public LobbyFixture {
 protected:
  lobby::v1::Table open_azul() {
    lobby::v1::CreateTableRequest request;
    request.set_game("azul");
    lobby::v1::CreateTableResponse response;
    EXPECT_TRUE(create(sign_in().token(), request, response).ok());
    return response.table();
  }
  /// How many tables are closed when games may rest for `in_play`, and tables wait for `waiting`.
  std::size_t search(std::chrono::milliseconds in_play, std::chrono::milliseconds waiting) {
    base::Loop& loop = io_.any();
    sweeping::AbandonedTables tables{
        {.store = *store_, .directory = directory_, .in_play = in_play, .waiting = waiting}};
    return asio::co_spawn(loop, tables.search(), asio::use_future).get();
  }
};

TEST_F(AbandonedTablesTest, GamesAndWaitingTablesHaveTimesOfTheirOwn) {
  const auto waiting = open_azul();
  const auto in_play = create(sign_in().token());
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(search(1h, 1h), 0);
  EXPECT_EQ(search(1h, 10ms), 1);
  EXPECT_EQ(look_at(waiting.table_id()).state(), lobby::v1::TABLE_STATE_CLOSED);
  EXPECT_TRUE(look_at(waiting.table_id()).has_ended_at());
  EXPECT_EQ(look_at(in_play.table_id()).state(), lobby::v1::TABLE_STATE_IN_PLAY);
  EXPECT_EQ(search(10ms, 10ms), 1);
  EXPECT_EQ(look_at(in_play.table_id()).state(), lobby::v1::TABLE_STATE_CLOSED);
  EXPECT_EQ(search(10ms, 10ms), 0);
  lobby::v1::JoinTableRequest seat;
  seat.set_table_id(waiting.table_id());
  lobby::v1::JoinTableResponse response;
  EXPECT_EQ(join(sign_in("Bob").token(), seat, response).error_code(), StatusCode::NOT_FOUND);
}

TEST_F(AbandonedTablesTest, EveryPageIsSearched) {
  for (std::size_t i = 0; i <= limits::kPageMax; ++i) static_cast<void>(create(sign_in().token()));
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(search(10ms, 1h), limits::kPageMax + 1);
}

TEST_F(AbandonedTablesTest, ATableInMemoryStays) {
  const auto table = open_azul();
  lobby::v1::JoinTableRequest seat;
  seat.set_table_id(table.table_id());
  seat.set_seat(0);
  lobby::v1::JoinTableResponse response;
  EXPECT_EQ(join(sign_in("Bob").token(), seat, response).error_code(),
            StatusCode::FAILED_PRECONDITION);  // which has loaded it
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(search(10ms, 10ms), 0);
  EXPECT_EQ(look_at(table.table_id()).state(), lobby::v1::TABLE_STATE_OPEN);
}

TEST_F(AbandonedTablesTest, WatchersAreTold) {
  const auto table = open_azul();
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + 20s);
  lobby::v1::WatchTablesRequest request;
  request.mutable_filter()->set_state(lobby::v1::TABLE_STATE_OPEN);
  const auto watch = stub_->WatchTables(&context, request);
  lobby::v1::WatchTablesResponse told;
  ASSERT_TRUE(watch->Read(&told));
  EXPECT_EQ(told.table().state(), lobby::v1::TABLE_STATE_OPEN);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(search(1h, 10ms), 1);
  ASSERT_TRUE(watch->Read(&told));
  EXPECT_EQ(told.table().table_id(), table.table_id());
  EXPECT_EQ(told.table().state(), lobby::v1::TABLE_STATE_CLOSED);
  context.TryCancel();
  EXPECT_EQ(watch->Finish().error_code(), StatusCode::CANCELLED);
}

TEST_F(AbandonedTablesTest, TheyAreSearchedForAgainAndAgainUntilItStops) {
  const auto table = open_azul();
  sweeping::Sweeper sweeper{{.loop = io_.any(),
                             .store = *store_,
                             .ownership = backend_->ownership(),
                             .life = backend_->life(),
                             .directory = directory_,
                             .in_play = 1h,
                             .waiting = 20ms}};
  sweeper.start();
  wait_for(table.table_id(), lobby::v1::TABLE_STATE_CLOSED);
  wait_for(open_azul().table_id(), lobby::v1::TABLE_STATE_CLOSED);
  asio::co_spawn(io_.any(), sweeper.stop(), asio::use_future).get();
}

}  // namespace
}  // namespace tesela::services
