// The daily game: one seed and one try a day.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <ranges>
#include <string>
#include <vector>

#include "engine/samegame/samegame.h"
#include "server/base/clock.h"
#include "server/base/text_encoding.h"
#include "server/codec/record.h"
#include "server/games/fair.h"
#include "tesela/game/v1/g2048.pb.h"
#include "tesela/game/v1/samegame.pb.h"
#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using grpc::StatusCode;
using std::chrono::days;
using testing::HasSubstr;

class DailyTest : public LobbyFixture {
 protected:
  static lobby::v1::CreateTableRequest try_at(const std::string& game) {
    lobby::v1::CreateTableRequest request;
    request.set_game(game);
    request.set_daily(true);
    return request;
  }
  lobby::v1::Table daily_table(const std::string& token) {
    lobby::v1::CreateTableResponse created;
    const auto status = create(token, try_at("2048"), created);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return created.table();
  }
  grpc::Status daily(const std::string& game, const std::string& date,
                     lobby::v1::GetDailyResponse& response) {
    grpc::ClientContext context;
    lobby::v1::GetDailyRequest request;
    request.set_game(game);
    request.set_date(date);
    return leaderboard_stub_->GetDaily(&context, request, &response);
  }
  lobby::v1::GetDailyResponse daily_of(store::Day day) {
    lobby::v1::GetDailyResponse response;
    EXPECT_TRUE(daily("2048", base::date_text(day), response).ok());
    return response;
  }

  /// Ends the game of a table, as its last move does.
  void end(const lobby::v1::Table& table) {
    store::Append append{
        .table = *base::parse_id<TableId>(table.table_id()),
        .epoch = Epoch{1},
        .version = Version{2},
        .record = codec::encode(
            {.at_ms = 1,
             .event = codec::Moved{.seat = Seat{0}, .move_id = "m", .move = {}, .strategy = {}},
             .digest = 1}),
        .ending = store::Ending{.result = {}, .ended_ms = base::unix_ms()}};
    auto work = log_->append(std::move(append));
    EXPECT_TRUE(boost::asio::co_spawn(io_.any(), std::move(work), boost::asio::use_future).get());
  }

  std::unique_ptr<lobby::v1::LeaderboardService::Stub> leaderboard_stub_ =
      lobby::v1::LeaderboardService::NewStub(channel_);
  std::unique_ptr<lobby::v1::HistoryService::Stub> history_stub_ =
      lobby::v1::HistoryService::NewStub(channel_);
  const store::Day today_ = base::today();
};

TEST_F(DailyTest, EverybodyIsDealtTheSame) {
  const auto ana = daily_table(sign_in("Ana").token());
  const auto bob = daily_table(sign_in("Bob").token());
  const auto today = daily_of(today_);
  EXPECT_EQ(ana.commitment(), bob.commitment());
  EXPECT_EQ(ana.commitment(), today.commitment());
  EXPECT_EQ(ana.daily_date(), base::date_text(today_));
  EXPECT_TRUE(ana.options().ranked());
  EXPECT_EQ(ana.config().value(), today.config().value());
  EXPECT_NE(daily_of(today_ - days{1}).commitment(), today.commitment());
  EXPECT_NE(create(sign_in().token()).commitment(), today.commitment());
}

TEST_F(DailyTest, ASecondTryIsRefusedUntilTomorrow) {
  const auto ana = sign_in("Ana");
  daily_table(ana.token());
  lobby::v1::CreateTableResponse created;
  const auto status = create(ana.token(), try_at("2048"), created);
  EXPECT_EQ(status.error_code(), StatusCode::ALREADY_EXISTS);
  EXPECT_THAT(status.error_message(),
              HasSubstr("begins on " + base::date_text(today_ + days{1}) + " at 00:00 UTC"));
  EXPECT_TRUE(create(ana.token(), try_at("2248"), created).ok());
}

TEST_F(DailyTest, NobodyHasAnAdvantage) {
  const auto refusal = [&](const std::function<void(lobby::v1::CreateTableRequest&)>& wish) {
    auto request = try_at("2048");
    wish(request);
    lobby::v1::CreateTableResponse created;
    const auto status = create(sign_in().token(), request, created);
    EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT);
    return status.error_message();
  };
  const auto same = HasSubstr("the same for everybody");
  EXPECT_THAT(refusal([](auto& r) { r.mutable_config(); }), same);
  EXPECT_THAT(refusal([](auto& r) { r.add_bots()->set_strategy("random"); }), same);
  EXPECT_THAT(refusal([](auto& r) { r.set_watch_only(true); }), same);
  EXPECT_THAT(refusal([](auto& r) { r.set_contribution("dice"); }), same);
  EXPECT_THAT(refusal([](auto& r) { r.set_game("azul"); }), HasSubstr("no daily game of azul"));
}

/// R-SG-1: the tiles of the first position, from the server's seed.
std::vector<std::uint32_t> tiles_of(const Seed& seed) {
  Rng dice(games::game_seed(seed, {}).value());
  const samegame::Config config;
  std::vector<std::uint32_t> tiles(config.setting.cell_count());
  for (auto& tile : tiles) tile = 1 + dice.uniform(config.setting.colours);
  return tiles;
}

TEST_F(DailyTest, TheTilesOfTheDayLieAtNoOtherTable) {
  const auto make = [&](const std::vector<std::uint32_t>& tiles, game::v1::SameGamePenalty rule,
                        bool practice) {
    game::v1::SameGameConfig config;
    config.set_penalty(rule);
    config.mutable_cells()->Add(tiles.begin(), tiles.end());
    lobby::v1::CreateTableRequest request;
    request.set_game("samegame");
    request.mutable_config()->PackFrom(config);
    request.mutable_options()->set_practice(practice);
    lobby::v1::CreateTableResponse created;
    return create(sign_in().token(), request, created);
  };
  const auto today = tiles_of(daily_games_.seed("samegame", today_));
  for (const bool practice : {true, false}) {
    for (const auto rule :
         {game::v1::SAME_GAME_PENALTY_PER_COLOUR, game::v1::SAME_GAME_PENALTY_NONE}) {
      const auto status = make(today, rule, practice);
      EXPECT_EQ(status.error_code(), StatusCode::FAILED_PRECONDITION);
      EXPECT_THAT(status.error_message(), HasSubstr("tiles of a daily game"));
    }
  }
  const auto before = tiles_of(daily_games_.seed("samegame", today_ - days{2}));
  EXPECT_TRUE(make(before, game::v1::SAME_GAME_PENALTY_PER_COLOUR, true).ok());
}

TEST_F(DailyTest, WhatTheDiceDealIsNeverTakenForTheTilesOfADay) {
  google::protobuf::Any usual;
  usual.PackFrom(game::v1::Game2048Config{});
  // One deal in some five hundred has the same two tiles.
  for (const auto ago : std::views::iota(0, 5000)) {
    EXPECT_FALSE(daily_games_.are_laid_by(usual, "2048", today_ - days{ago})) << ago;
  }
}

TEST_F(DailyTest, TheSeedIsShownWhenTheDayIsOver) {
  EXPECT_TRUE(daily_of(today_).server_seed().empty());
  const auto yesterday = daily_of(today_ - days{1});
  ASSERT_EQ(yesterday.server_seed().size(), 32);
  Seed seed{};
  std::ranges::copy(yesterday.server_seed(), seed.begin());
  const auto promise =
      games::commitment(seed, {.game = "2048", .config = yesterday.config().value(), .seats = 1});
  EXPECT_EQ(yesterday.commitment(), std::string(promise.begin(), promise.end()));
  EXPECT_EQ(yesterday.ends_at().seconds(),
            std::chrono::sys_seconds{today_}.time_since_epoch().count());
  EXPECT_EQ(yesterday.board().date(), yesterday.date());
  EXPECT_EQ(yesterday.board().kind(), lobby::v1::BOARD_KIND_DAILY);
}

TEST_F(DailyTest, AFinishedTryIsNotShownToThoseWhoHaveOne) {
  const auto table = daily_table(sign_in().token());
  end(table);
  grpc::ClientContext context;
  lobby::v1::GetRecordRequest request;
  request.set_table_id(table.table_id());
  lobby::v1::GetRecordResponse response;
  const auto status = history_stub_->GetRecord(&context, request, &response);
  EXPECT_EQ(status.error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("once its day is over"));
}

TEST_F(DailyTest, WhatIsNoDailyGameIsRefused) {
  lobby::v1::GetDailyResponse response;
  const auto tomorrow = daily("2048", base::date_text(today_ + days{1}), response);
  EXPECT_EQ(tomorrow.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(tomorrow.error_message(), HasSubstr("not known before its day"));
  EXPECT_EQ(daily("2048", "2026-02-30", response).error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(daily("azul", "", response).error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(daily("chess", "", response).error_code(), StatusCode::INVALID_ARGUMENT);
}

}  // namespace
}  // namespace tesela::services
