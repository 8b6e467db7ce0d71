// HistoryService: the record of a game, and whether it is true.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/base/analysis_limits.h"
#include "server/base/limits.h"
#include "server/base/scale_limits.h"
#include "server/base/text_encoding.h"
#include "server/execution/verify.h"
#include "server/games/fair.h"
#include "tests/server/services/lobby_fixture.h"

namespace tesela::services {
namespace {

using grpc::StatusCode;
using testing::AnyOf;
using testing::HasSubstr;

class HistoryTest : public LobbyFixture {
 protected:
  grpc::Status record(const std::string& table_id, lobby::v1::GetRecordResponse& response) {
    grpc::ClientContext context;
    lobby::v1::GetRecordRequest request;
    request.set_table_id(table_id);
    return history_stub_->GetRecord(&context, request, &response);
  }
  grpc::Status verify_table(const std::string& table_id, lobby::v1::VerifyResponse& response) {
    grpc::ClientContext context;
    lobby::v1::VerifyRequest request;
    request.set_table_id(table_id);
    return history_stub_->Verify(&context, request, &response);
  }

  struct Shown {
    std::vector<play::v1::ServerFrame> frames;
    grpc::Status status;
  };
  Shown replay(const std::string& table_id, std::uint64_t from = 0, std::uint64_t to = 0) {
    grpc::ClientContext context;
    lobby::v1::ReplayRequest request;
    request.set_table_id(table_id);
    request.set_from_version(from);
    request.set_to_version(to);
    const auto reader = history_stub_->Replay(&context, request);
    Shown shown;
    lobby::v1::ReplayResponse response;
    while (reader->Read(&response)) shown.frames.push_back(response.frame());
    shown.status = reader->Finish();
    return shown;
  }

  /// A table of Azul whose bots play, when `bots` fill it.
  lobby::v1::Table make_azul(std::initializer_list<const char*> bots,
                             const std::string& contribution) {
    lobby::v1::CreateTableRequest request;
    request.set_game("azul");
    request.set_contribution(contribution);
    for (const char* bot : bots) request.add_bots()->set_strategy(bot);
    request.set_watch_only(bots.size() == 2);
    lobby::v1::CreateTableResponse response;
    EXPECT_TRUE(create(sign_in().token(), request, response).ok());
    return response.table();
  }

  /// The record of a game that bots have played to its end.
  lobby::v1::GameRecord finished_game() {
    const auto table = make_azul({"safe", "greedy"}, "");
    wait_for(table.table_id(), lobby::v1::TABLE_STATE_OVER);
    lobby::v1::GetRecordResponse response;
    EXPECT_TRUE(record(table.table_id(), response).ok());
    EXPECT_EQ(response.record().table().commitment(), table.commitment());
    return response.record();
  }

  std::unique_ptr<lobby::v1::HistoryService::Stub> history_stub_ =
      lobby::v1::HistoryService::NewStub(channel_);
};

TEST_F(HistoryTest, AFinishedGameIsTrue) {
  const auto record = finished_game();
  EXPECT_EQ(record.server_seed().size(), 32);
  EXPECT_EQ(record.table().state(), lobby::v1::TABLE_STATE_OVER);
  lobby::v1::VerifyResponse verdict;
  ASSERT_TRUE(verify_table(record.table().table_id(), verdict).ok());
  EXPECT_TRUE(verdict.ok()) << verdict.message();
  EXPECT_EQ(verdict.versions(), record.moves_size() + 1);
  EXPECT_EQ(verdict.commitment(), record.table().commitment());
  EXPECT_EQ(verdict.server_seed(), record.server_seed());
}

TEST_F(HistoryTest, LooksAtFinishedGamesWaitWithAllExecutions) {
  const std::string table = finished_game().table().table_id();
  tesela::replay::ExecutionQueue& queue = *directory_.aside().queue;
  std::vector<tesela::replay::ExecutionQueue::Turn> turns;
  while (turns.size() < limits::kExecutionsAtOnce) {
    auto turn =
        boost::asio::co_spawn(io_.any(), queue.enter(tesela::replay::Urgency::kPlayer, TableId{1}),
                              boost::asio::use_future);
    turns.push_back(turn.get().value());
  }
  auto verdict = std::async(std::launch::async, [&] {
    lobby::v1::VerifyResponse response;
    return verify_table(table, response).ok() && response.ok();
  });
  auto shown = std::async(std::launch::async, [&] { return replay(table).status.ok(); });
  const auto ends = [](const auto& call) {
    return call.wait_for(std::chrono::milliseconds{1}) == std::future_status::ready;
  };
  while (queue.waiting() < 2 && !ends(verdict) && !ends(shown)) {
  }
  EXPECT_EQ(queue.waiting(), 2);
  turns.clear();
  EXPECT_TRUE(verdict.get());
  EXPECT_TRUE(shown.get());
}

TEST_F(HistoryTest, AGameThatWasOverAsItBeganIsTrue) {
  const auto table = over_at_once();
  EXPECT_EQ(table.state(), lobby::v1::TABLE_STATE_OVER);
  lobby::v1::GetRecordResponse response;
  ASSERT_TRUE(record(table.table_id(), response).ok());
  EXPECT_EQ(response.record().server_seed().size(), 32);
  EXPECT_EQ(response.record().moves_size(), 0);
  lobby::v1::VerifyResponse verdict;
  ASSERT_TRUE(verify_table(table.table_id(), verdict).ok());
  EXPECT_TRUE(verdict.ok()) << verdict.message();
  auto& standing = *response.mutable_record()->mutable_table()->mutable_result();
  standing.mutable_standings(0)->set_points(7);
  EXPECT_FALSE(execution::verify(response.record()).ok());
}

TEST_F(HistoryTest, AGameInPlayThatNotEverybodyMayWatchIsNotRead) {
  const auto token = sign_in().token();
  for (const bool by_invite : {true, false}) {
    lobby::v1::CreateTableRequest request;
    request.set_game("2048");
    request.mutable_options()->set_invite_only(by_invite);
    request.mutable_options()->set_spectators_off(!by_invite);
    lobby::v1::CreateTableResponse made;
    ASSERT_TRUE(create(token, request, made).ok());
    lobby::v1::GetRecordResponse response;
    const auto refused = record(made.table().table_id(), response);
    EXPECT_EQ(refused.error_code(), StatusCode::PERMISSION_DENIED);
    EXPECT_THAT(refused.error_message(), HasSubstr("until it is over"));
  }
}

TEST_F(HistoryTest, EveryForgeryIsFound) {
  const auto honest = finished_game();
  ASSERT_TRUE(execution::verify(honest).ok());
  const auto forged = [&](const std::function<void(lobby::v1::GameRecord&)>& forge) {
    lobby::v1::GameRecord record = honest;
    forge(record);
    const auto verdict = execution::verify(record);
    EXPECT_FALSE(verdict.ok());
    return verdict.message();
  };
  const auto flip = [](std::string& bytes) { bytes[0] = static_cast<char>(bytes[0] ^ 1); };
  EXPECT_THAT(forged([&](auto& r) { flip(*r.mutable_server_seed()); }), HasSubstr("committed"));
  EXPECT_THAT(forged([&](auto& r) { flip(*r.mutable_table()->mutable_commitment()); }),
              HasSubstr("committed"));
  EXPECT_THAT(forged([](auto& r) { r.clear_config(); }), HasSubstr("committed"));
  EXPECT_THAT(forged([&](auto& r) { flip(*r.mutable_game_seed()); }), HasSubstr("dice"));
  EXPECT_THAT(forged([](auto& r) { r.add_contributions()->set_bytes("x"); }), HasSubstr("dice"));
  EXPECT_THAT(forged([](auto& r) { r.set_first_digest(1); }), HasSubstr("Version 1"));
  EXPECT_THAT(forged([](auto& r) { r.mutable_moves(3)->set_digest(1); }), HasSubstr("Version 5"));
  EXPECT_THAT(forged([](auto& r) { r.mutable_moves(0)->set_seat(7); }), HasSubstr("no game has"));
  EXPECT_THAT(forged([](auto& r) { r.mutable_moves(2)->mutable_move()->set_value("nonsense"); }),
              HasSubstr("Version 4"));
  EXPECT_THAT(forged([](auto& r) { r.mutable_moves()->DeleteSubrange(4, 1); }),
              HasSubstr("Version 6: it is missing"));
  // What is said first depends on whether the last two moves were played in the same millisecond.
  EXPECT_THAT(forged([](auto& r) { r.mutable_moves()->RemoveLast(); }),
              AnyOf(HasSubstr("not over"), HasSubstr("ended when its last event happened")));
  EXPECT_THAT(forged([](auto& r) {
                auto& standing = *r.mutable_table()->mutable_result()->mutable_standings(0);
                standing.set_points(standing.points() + 1);
              }),
              HasSubstr("result"));
}

TEST_F(HistoryTest, TheSeedsStaySecretUntilTheEnd) {
  const auto table = create(sign_in().token());  // 2048, in play
  EXPECT_EQ(table.commitment().size(), 32);
  lobby::v1::GetRecordResponse response;
  ASSERT_TRUE(record(table.table_id(), response).ok());
  EXPECT_TRUE(response.record().server_seed().empty());
  EXPECT_TRUE(response.record().game_seed().empty());
  lobby::v1::VerifyResponse verdict;
  const auto status = verify_table(table.table_id(), verdict);
  EXPECT_EQ(status.error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("once it is over"));
}

TEST_F(HistoryTest, WhatThePlayersAddIsInTheRecord) {
  const auto table = make_azul({"random"}, "my dice");
  lobby::v1::GetRecordResponse response;
  ASSERT_TRUE(record(table.table_id(), response).ok());
  ASSERT_EQ(response.record().contributions_size(), 1);
  EXPECT_EQ(response.record().contributions(0).bytes(), "my dice");
  EXPECT_EQ(response.record().contributions(0).seat(), 0);
  lobby::v1::CreateTableRequest request;
  request.set_game("azul");
  request.set_contribution(std::string(games::kContributionBytesMax + 1, 'x'));
  lobby::v1::CreateTableResponse created;
  EXPECT_EQ(create(sign_in().token(), request, created).error_code(), StatusCode::INVALID_ARGUMENT);
}

TEST_F(HistoryTest, AGameIsShownAgainFromAnyVersion) {
  const auto record = finished_game();
  const auto all = replay(record.table().table_id());
  ASSERT_TRUE(all.status.ok()) << all.status.error_message();
  ASSERT_EQ(all.frames.size(), static_cast<std::size_t>(record.moves_size()) + 1);
  EXPECT_EQ(all.frames.front().snapshot().version(), 1);
  for (int i = 0; i < record.moves_size(); ++i) {
    const auto& event = all.frames[static_cast<std::size_t>(i) + 1].event();
    EXPECT_EQ(event.version(), record.moves(i).version());
    EXPECT_EQ(event.at_ms(), record.moves(i).at_ms());
    EXPECT_EQ(event.move_id(), record.moves(i).move_id());
    EXPECT_FALSE(event.body().value().empty());
  }
  EXPECT_EQ(all.frames.back().event().result().SerializeAsString(),
            record.table().result().SerializeAsString());

  const auto part = replay(record.table().table_id(), 5, 8);
  ASSERT_TRUE(part.status.ok());
  ASSERT_EQ(part.frames.size(), 4);
  EXPECT_EQ(part.frames[0].snapshot().version(), 5);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_EQ(part.frames[i].SerializeAsString(), all.frames[4 + i].SerializeAsString());
  }
}

TEST_F(HistoryTest, APlayerHasALimitOfTheirOwnWhereverTheyCallFrom) {
  const auto id = finished_game().table().table_id();
  const auto token = sign_in("Ben").token();
  std::vector<std::unique_ptr<rpc::StreamCall>> calls;
  int addresses = 0;
  const auto begin = [&](const std::string& method, auto request, const std::string& with) {
    request.set_table_id(id);
    rpc::Caller caller{.token = with};
    caller.quota =
        admission_.address(boost::asio::ip::address_v4{static_cast<unsigned>(++addresses)});
    auto& call = *calls.emplace_back(
        calls_.stream(*calls_.find("/tesela.lobby.v1.HistoryService/" + method)));
    auto beginning = call.begin(std::make_unique<decltype(request)>(request), std::move(caller));
    return boost::asio::co_spawn(io_.any(), std::move(beginning), boost::asio::use_future).get();
  };
  const auto expect_at_most = [&](const std::string& method, auto request, std::size_t most) {
    for (std::size_t i = 0; i < most; ++i) EXPECT_TRUE(begin(method, request, token).ok()) << i;
    const auto refused = begin(method, request, token);
    EXPECT_EQ(refused.error_code(), StatusCode::RESOURCE_EXHAUSTED) << method;
    EXPECT_THAT(refused.error_message(), HasSubstr("You have " + std::to_string(most)));
    EXPECT_TRUE(begin(method, request, "").ok()) << "who has no token is only of an address";
  };
  expect_at_most("Replay", lobby::v1::ReplayRequest{}, limits::kReplaysPerPlayer);
  expect_at_most("Analyse", lobby::v1::AnalyseRequest{}, limits::kAnalysesPerPlayer);
}

TEST_F(HistoryTest, WhatIsNotThereIsNotShown) {
  EXPECT_EQ(replay("nonsense").status.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(replay(base::to_text(TableId{1})).status.error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(replay(make_azul({}, "").table_id()).status.error_code(),
            StatusCode::FAILED_PRECONDITION);
  const auto table = create(sign_in().token());  // 2048, in play
  EXPECT_EQ(replay(table.table_id()).frames.size(), 1);
  const auto beyond = replay(table.table_id(), 2);
  EXPECT_EQ(beyond.status.error_code(), StatusCode::NOT_FOUND);
  EXPECT_THAT(beyond.status.error_message(), HasSubstr("has 1 versions; there is no version 2"));
}

TEST_F(HistoryTest, ATableWithoutAGameHasNoRecord) {
  lobby::v1::GetRecordResponse response;
  EXPECT_EQ(record("nonsense", response).error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(record(base::to_text(TableId{1}), response).error_code(), StatusCode::NOT_FOUND);
  const auto open = make_azul({}, "");
  EXPECT_EQ(record(open.table_id(), response).error_code(), StatusCode::FAILED_PRECONDITION);
}

}  // namespace
}  // namespace tesela::services
