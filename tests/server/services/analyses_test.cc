// HistoryService.Analyse: what the moves of a finished game were worth.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "server/base/analysis_limits.h"
#include "server/services/history/table_cache.h"
#include "tesela/game/v1/azul.pb.h"
#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using grpc::StatusCode;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class AnalysisTest : public LobbyFixture {
 protected:
  struct Told {
    lobby::v1::AnalysisAbout about;
    std::vector<lobby::v1::AnalysedMove> moves;
    grpc::Status status;
  };
  Told analyse(const std::string& table_id) {
    grpc::ClientContext context;
    lobby::v1::AnalyseRequest request;
    request.set_table_id(table_id);
    const auto reader = history_stub_->Analyse(&context, request);
    Told told;
    lobby::v1::AnalyseResponse response;
    while (reader->Read(&response)) {
      if (response.has_about()) told.about = response.about();
      if (response.has_move()) told.moves.push_back(response.move());
    }
    told.status = reader->Finish();
    return told;
  }

  /// As another server analyses it, which knows nothing of the analyses of this one.
  Expected<std::vector<std::string>> analysed_elsewhere(
      const std::string& table_id, std::chrono::milliseconds time_max = limits::kAnalysedWaitMax) {
    Analyses elsewhere{{.aside = directory_.aside(),
                        .bots = bots_,
                        .source = {backend_->history(), backend_->snapshots()},
                        .table_rows = *table_rows_,
                        .effort = kEffort,
                        .time_max = time_max}};
    lobby::v1::AnalyseRequest request;
    request.set_table_id(table_id);
    base::Loop& loop = io_.any();
    const auto stream = elsewhere.analyse(request, {}, nullptr, loop.get_executor()).value();
    std::vector<std::string> moves;
    while (true) {
      const auto message =
          boost::asio::co_spawn(loop, stream->next(), boost::asio::use_future).get();
      if (!message) return std::unexpected(message.error());
      if (*message == nullptr) return moves;
      const auto& response = static_cast<const lobby::v1::AnalyseResponse&>(**message);
      if (response.has_move()) moves.push_back(response.move().SerializeAsString());
    }
  }

  /// The id of a game of Azul that bots have played to its end.
  std::string finished_azul() {
    lobby::v1::CreateTableRequest request;
    request.set_game("azul");
    for (const char* bot : {"safe", "greedy"}) request.add_bots()->set_strategy(bot);
    request.set_watch_only(true);
    lobby::v1::CreateTableResponse response;
    EXPECT_TRUE(create(sign_in().token(), request, response).ok());
    wait_for(response.table().table_id(), lobby::v1::TABLE_STATE_OVER);
    return response.table().table_id();
  }
  lobby::v1::GameRecord record_of(const std::string& table_id) {
    grpc::ClientContext context;
    lobby::v1::GetRecordRequest request;
    request.set_table_id(table_id);
    lobby::v1::GetRecordResponse response;
    EXPECT_TRUE(history_stub_->GetRecord(&context, request, &response).ok());
    return response.record();
  }

  std::unique_ptr<lobby::v1::HistoryService::Stub> history_stub_ =
      lobby::v1::HistoryService::NewStub(channel_);
};

TEST_F(AnalysisTest, EveryMoveOfAFinishedGameIsComparedWithTheBest) {
  const auto id = finished_azul();
  const auto record = record_of(id);
  const auto told = analyse(id);
  ASSERT_TRUE(told.status.ok()) << told.status.error_message();
  EXPECT_EQ(told.about.strategy(), "search");
  EXPECT_EQ(told.about.measure(), "share of the others left behind");
  EXPECT_GT(told.about.mistake(), 0);
  EXPECT_EQ(told.about.last_version(), record.moves_size() + 1U);
  ASSERT_EQ(told.moves.size(), static_cast<std::size_t>(record.moves_size()));
  for (int at = 0; at < record.moves_size(); ++at) {
    const auto& move = told.moves[static_cast<std::size_t>(at)];
    EXPECT_EQ(move.version(), record.moves(at).version());
    EXPECT_EQ(move.seat(), record.moves(at).seat());
    EXPECT_EQ(move.played().move().value(), record.moves(at).move().value());
    game::v1::AzulGain gain;
    ASSERT_TRUE(move.played().gain().UnpackTo(&gain));
    EXPECT_GT(gain.count(), 0U);
    ASSERT_GT(move.best_size(), 0);
    ASSERT_LE(move.best_size(), static_cast<int>(limits::kAnalysedBestMax));
    for (const auto& best : move.best()) {
      game::v1::AzulMove some;
      EXPECT_TRUE(best.move().UnpackTo(&some));
      if (best.has_value()) {
        EXPECT_GE(best.value(), 0);
        EXPECT_LE(best.value(), 1);
      }
    }
  }
}

TEST_F(AnalysisTest, WhatWasJudgedIsSentAgain) {
  const auto id = finished_azul();
  const auto first = analyse(id);
  const auto again = analyse(id);
  ASSERT_TRUE(again.status.ok());
  ASSERT_EQ(again.moves.size(), first.moves.size());
  for (std::size_t at = 0; at < first.moves.size(); ++at) {
    EXPECT_EQ(again.moves[at].SerializeAsString(), first.moves[at].SerializeAsString());
  }
  EXPECT_EQ(again.about.SerializeAsString(), first.about.SerializeAsString());
}

TEST_F(AnalysisTest, EveryServerJudgesAGameAlike) {
  const auto id = finished_azul();
  std::vector<std::string> here;
  for (const auto& move : analyse(id).moves) here.push_back(move.SerializeAsString());
  EXPECT_THAT(here, Not(IsEmpty()));
  EXPECT_EQ(analysed_elsewhere(id), here);
}

TEST_F(AnalysisTest, ASearchThatTakesTooLongEndsItWithoutAJudgement) {
  const auto told = analysed_elsewhere(finished_azul(), std::chrono::milliseconds{0});
  ASSERT_FALSE(told);
  EXPECT_EQ(told.error().code, ErrorCode::kResourceExhausted);
}

TEST_F(AnalysisTest, TablesThatNobodyWatchesDoNotKeepItWaiting) {
  const auto id = finished_azul();
  // The one bot thread is at work for such a table, and as many of them wait as may.
  const auto begun = std::make_shared<std::latch>(1);
  const auto go_on = std::make_shared<std::latch>(1);
  const auto ask = [&](const std::function<void()>& work) {
    return bots_.ask({.search =
                          [work](Rng&, const Budget&) {
                            work();
                            return games::BotReply{};
                          },
                      .stop = {},
                      .urgency = bots::BotThreads::Urgency::kAlone,
                      .answer = [](const games::BotReply&) {}});
  };
  ASSERT_TRUE(ask([begun, go_on] {
    begun->count_down();
    go_on->wait();
  }));
  begun->wait();
  while (ask([] {})) continue;
  const auto full = bots_.tasks();
  auto told = std::async(std::launch::async, [&] { return analyse(id); });
  const auto ended = [&] {
    return told.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
  };
  while (bots_.tasks() == full && !ended())
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  go_on->count_down();
  const auto status = told.get().status;
  EXPECT_TRUE(status.ok()) << status.error_message();
}

TEST_F(AnalysisTest, AGameInPlayIsNot) {
  const auto table = create(sign_in().token());
  const auto told = analyse(table.table_id());
  EXPECT_EQ(told.status.error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(told.status.error_message(), HasSubstr("once it is over"));
  EXPECT_EQ(analyse("x").status.error_code(), StatusCode::INVALID_ARGUMENT);
}

TEST_F(AnalysisTest, AGameThatWasOverAsItBeganHasNoMoves) {
  const auto told = analyse(over_at_once().table_id());
  EXPECT_TRUE(told.status.ok()) << told.status.error_message();
  EXPECT_EQ(told.about.last_version(), 1U);
  EXPECT_TRUE(told.moves.empty());
}

TEST_F(AnalysisTest, AServerThatStopsEndsThem) {
  const auto id = finished_azul();
  history_.drain();
  EXPECT_EQ(analyse(id).status.error_code(), StatusCode::UNAVAILABLE);
}

TEST(TableCache, DropsWhatWasAskedForLeastRecently) {
  TableCache<int> cache(3, 100);
  for (const std::uint64_t table : {0, 1, 2}) {
    cache.keep(TableId{table}, std::make_shared<int>(1), 1);
  }
  EXPECT_NE(cache.find(TableId{0}), nullptr);
  cache.keep(TableId{3}, std::make_shared<int>(1), 1);
  EXPECT_NE(cache.find(TableId{0}), nullptr);
  EXPECT_EQ(cache.find(TableId{1}), nullptr);
  EXPECT_NE(cache.find(TableId{2}), nullptr);
}

TEST(TableCache, KeepsNoMoreBytesThanItMay) {
  TableCache<int> cache(10, 100);
  cache.keep(TableId{0}, std::make_shared<int>(1), 26);
  EXPECT_EQ(cache.find(TableId{0}), nullptr) << "too large by itself";
  for (std::uint64_t table = 1; table <= 6; ++table) {
    cache.keep(TableId{table}, std::make_shared<int>(1), 20);
  }
  EXPECT_EQ(cache.find(TableId{1}), nullptr);
  EXPECT_NE(cache.find(TableId{6}), nullptr);
}

}  // namespace
}  // namespace tesela::services
