// LeaderboardService: ratings and boards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "server/base/text_encoding.h"
#include "server/games/games.h"
#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using grpc::StatusCode;
using testing::ElementsAre;
using testing::HasSubstr;

class BoardsTest : public LobbyFixture {
 protected:
  /// A page of a board, asked for by the player of `token`.
  grpc::Status board(const lobby::v1::GetBoardRequest& request,
                     lobby::v1::GetBoardResponse& response, const std::string& token = {}) {
    grpc::ClientContext context;
    if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
    return leaderboard_stub_->GetBoard(&context, request, &response);
  }
  static lobby::v1::GetBoardRequest request_for(const std::string& game,
                                                std::uint32_t page_size = 0) {
    lobby::v1::GetBoardRequest request;
    request.mutable_board()->set_game(game);
    request.set_page_size(page_size);
    return request;
  }
  lobby::v1::GetRatingResponse rating(const std::string& player_id) {
    grpc::ClientContext context;
    lobby::v1::GetRatingRequest request;
    request.set_game("azul");
    request.set_player_id(player_id);
    lobby::v1::GetRatingResponse response;
    const auto status = leaderboard_stub_->GetRating(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  /// A game of Azul that two bots have played to its end.
  lobby::v1::Table azul_of_bots(bool ranked) {
    lobby::v1::CreateTableRequest request;
    request.set_game("azul");
    request.add_bots()->set_strategy("greedy");
    request.add_bots()->set_strategy("random");
    request.set_watch_only(true);
    request.mutable_options()->set_ranked(ranked);
    lobby::v1::CreateTableResponse created;
    EXPECT_TRUE(create(sign_in().token(), request, created).ok());
    return finished(created.table().table_id());
  }
  lobby::v1::Table finished(const std::string& table_id) {
    lobby::v1::GetTableRequest request;
    request.set_table_id(table_id);
    lobby::v1::GetTableResponse response;
    for (int i = 0; i < 2000 && response.table().state() != lobby::v1::TABLE_STATE_OVER; ++i) {
      grpc::ClientContext context;
      EXPECT_TRUE(stub_->GetTable(&context, request, &response).ok());
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    return response.table();
  }

  template <class T>
  T wait(boost::asio::awaitable<T> work) {
    return boost::asio::co_spawn(io_.any(), std::move(work), boost::asio::use_future).get();
  }
  /// A player whose game of 2048, in the default configuration, has ended with these points.
  lobby::v1::SignInResponse player_with(std::int64_t points) {
    auto player = sign_in("P" + std::to_string(points));
    const TableId table = *base::parse_id<TableId>(create(player.token()).table_id());
    const auto config = games::find_game("2048").value()->configure(nullptr);
    store::Append append{.table = table, .epoch = Epoch{1}, .version = Version{2}, .record = "r"};
    append.ending = store::Ending{.result = "", .ended_ms = points};
    append.outcome = {.game = "2048",
                      .scores = {{{store::BoardKind::kBest, "2048", config->any, {}},
                                  *base::parse_id<PlayerId>(player.player_id()),
                                  points}}};
    EXPECT_TRUE(wait(log_->append(std::move(append))));
    return player;
  }
  static std::vector<std::int64_t> points_of(const lobby::v1::GetBoardResponse& page) {
    std::vector<std::int64_t> points;
    for (const auto& entry : page.entries()) points.push_back(entry.points());
    return points;
  }

  std::unique_ptr<lobby::v1::LeaderboardService::Stub> leaderboard_stub_ =
      lobby::v1::LeaderboardService::NewStub(channel_);
};

TEST_F(BoardsTest, ARankedGameMovesTheRatingsOfBotsToo) {
  const auto table = azul_of_bots(true);
  const auto first = rating(table.seats(0).player_id());
  const auto second = rating(table.seats(1).player_id());
  EXPECT_EQ(first.display_name(), "greedy");
  EXPECT_EQ(first.rating().games(), 1);
  EXPECT_LT(first.rating().deviation(), 250);
  const auto& standings = table.result().standings();
  EXPECT_EQ(standings[0].rank() < standings[1].rank(),
            first.rating().shown() > second.rating().shown());
  lobby::v1::GetBoardResponse page;
  ASSERT_TRUE(board(request_for("azul"), page).ok());
  EXPECT_EQ(page.board().kind(), lobby::v1::BOARD_KIND_RATINGS);
  ASSERT_EQ(page.entries_size(), 2);
  EXPECT_EQ(page.entries(0).points(), page.entries(0).rating().shown());
  EXPECT_GE(page.entries(0).points(), page.entries(1).points());
  EXPECT_EQ(page.entries(1).place(), 2);
}

TEST_F(BoardsTest, AGameThatIsNotRankedMovesNone) {
  const auto table = azul_of_bots(false);
  EXPECT_EQ(rating(table.seats(0).player_id()).rating().games(), 0);
  EXPECT_EQ(rating(table.seats(0).player_id()).rating().shown(), 1000);
  EXPECT_EQ(rating(table.seats(0).player_id()).rating().deviation(), 250);
}

TEST_F(BoardsTest, AGameForOneIsNotMadeRanked) {
  lobby::v1::CreateTableRequest request;
  request.set_game("2048");
  request.mutable_options()->set_ranked(true);
  lobby::v1::CreateTableResponse created;
  const auto status = create(sign_in().token(), request, created);
  EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("games of several players"));
}

TEST_F(BoardsTest, TheBestScoresComeInPages) {
  for (const std::int64_t points : {30, 50, 10, 40, 20}) player_with(points);
  auto request = request_for("2048", 2);
  lobby::v1::GetBoardResponse page;
  ASSERT_TRUE(board(request, page).ok());
  EXPECT_EQ(page.board().kind(), lobby::v1::BOARD_KIND_BEST);
  EXPECT_TRUE(page.board().has_config());
  EXPECT_THAT(points_of(page), ElementsAre(50, 40));
  EXPECT_EQ(page.entries(0).display_name(), "P50");
  EXPECT_FALSE(page.entries(0).table_id().empty());
  request.set_page_token(page.next_page_token());
  ASSERT_TRUE(board(request, page).ok());
  EXPECT_THAT(points_of(page), ElementsAre(30, 20));
  EXPECT_EQ(page.entries(0).place(), 3);
  request.set_page_token(page.next_page_token());
  ASSERT_TRUE(board(request, page).ok());
  EXPECT_THAT(points_of(page), ElementsAre(10));
  EXPECT_TRUE(page.next_page_token().empty());
}

TEST_F(BoardsTest, TheCallerStandsAmongItsNeighbours) {
  std::string token;
  for (const std::int64_t points : {10, 20, 30, 40, 50}) {
    auto player = player_with(points);
    if (points == 30) token = player.token();
  }
  auto request = request_for("2048", 3);
  request.set_around_me(true);
  lobby::v1::GetBoardResponse page;
  ASSERT_TRUE(board(request, page, token).ok());
  EXPECT_THAT(points_of(page), ElementsAre(40, 30, 20));
  EXPECT_TRUE(page.next_page_token().empty());
  EXPECT_EQ(board(request, page).error_code(), StatusCode::UNAUTHENTICATED);
}

TEST_F(BoardsTest, WhoIsNotOnABoardStandsAmongNobody) {
  static_cast<void>(player_with(10));
  auto request = request_for("2048", 3);
  request.set_around_me(true);
  lobby::v1::GetBoardResponse page;
  ASSERT_TRUE(board(request, page, sign_in().token()).ok());
  EXPECT_TRUE(page.entries().empty());
  EXPECT_TRUE(page.next_page_token().empty());
  EXPECT_EQ(page.board().game(), "2048");
}

TEST_F(BoardsTest, WhatIsNoBoardIsRefused) {
  lobby::v1::GetBoardResponse page;
  const auto refusal = [&](const lobby::v1::GetBoardRequest& request) {
    const auto status = board(request, page);
    EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
    return status.error_message();
  };
  EXPECT_THAT(refusal(request_for("chess")), HasSubstr("no game 'chess'"));
  EXPECT_THAT(refusal(request_for("2048", 101)), HasSubstr("at most 100"));
  auto request = request_for("2048");
  request.set_page_token("nonsense");
  EXPECT_THAT(refusal(request), HasSubstr("page_token"));
  request = request_for("2048");
  request.mutable_board()->set_kind(lobby::v1::BOARD_KIND_BEST_OF_DAY);
  request.mutable_board()->set_date("yesterday");
  EXPECT_THAT(refusal(request), HasSubstr("write it as 2026-11-21"));
  request.mutable_board()->clear_date();
  request.mutable_board()->set_kind(lobby::v1::BOARD_KIND_RATINGS);
  *request.mutable_board()->mutable_config() = create(sign_in().token()).config();
  EXPECT_THAT(refusal(request), HasSubstr("leave board.config out"));
  request = request_for("azul");
  request.mutable_board()->set_kind(lobby::v1::BOARD_KIND_DAILY);
  EXPECT_THAT(refusal(request), HasSubstr("no daily game of azul"));
}

TEST_F(BoardsTest, TheFinishedGamesOfAPlayerComeInPages) {
  const auto table = azul_of_bots(false);
  const auto again = azul_of_bots(false);
  lobby::v1::ListTablesRequest request;
  request.mutable_filter()->set_player_id(table.seats(0).player_id());
  request.mutable_filter()->set_state(lobby::v1::TABLE_STATE_OVER);
  request.set_page_size(1);
  std::vector<std::string> seen;
  do {
    grpc::ClientContext context;
    lobby::v1::ListTablesResponse page;
    ASSERT_TRUE(stub_->ListTables(&context, request, &page).ok());
    for (const auto& row : page.tables()) seen.push_back(row.table_id());
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_THAT(seen, ElementsAre(again.table_id(), table.table_id()));
}

}  // namespace
}  // namespace tesela::services
