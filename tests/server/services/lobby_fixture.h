// The whole lobby over the real store, asked through gRPC.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

#include "server/rpc/calls.h"
#include "server/rpc/grpc/grpc_server.h"
#include "server/services/bot_service.h"
#include "server/services/history/history_service.h"
#include "server/services/leaderboard_service.h"
#include "server/services/lobby_service.h"
#include "server/services/matchmaking_service.h"
#include "server/store/backend/backend.h"
#include "tesela/lobby/v1/history.grpc.pb.h"
#include "tesela/lobby/v1/leaderboard.grpc.pb.h"
#include "tesela/lobby/v1/lobby.grpc.pb.h"
#include "tesela/lobby/v1/matchmaking.grpc.pb.h"

namespace tesela::services {

class LobbyFixture : public testing::Test {
 protected:
  /// `table_idle`: how long a table stays in memory that nobody uses.
  explicit LobbyFixture(std::chrono::milliseconds table_idle = std::chrono::minutes{1});
  ~LobbyFixture() override;

  /// A connection to the gRPC server; `from`: where it comes from, if the server is to know.
  std::shared_ptr<grpc::Channel> connect(const std::string& from = {});
  lobby::v1::SignInResponse sign_in(const std::string& name = "Ana");
  grpc::Status create(const std::string& token, const lobby::v1::CreateTableRequest& request,
                      lobby::v1::CreateTableResponse& response);
  /// Calls a method with a token.
  template <class Request, class Response>
  grpc::Status call(grpc::Status (lobby::v1::LobbyService::Stub::*method)(grpc::ClientContext*,
                                                                          const Request&,
                                                                          Response*),
                    const std::string& token, const Request& request, Response& response) {
    grpc::ClientContext context;
    context.AddMetadata("authorization", "Bearer " + token);
    return (stub_.get()->*method)(&context, request, &response);
  }
  lobby::v1::Table look_at(const std::string& table_id, const std::string& token = {});
  /// The table when it is in this state; a test fails when that takes longer than a minute.
  lobby::v1::Table wait_for(const std::string& table_id, lobby::v1::TableState state);
  grpc::Status join(const std::string& token, const lobby::v1::JoinTableRequest& request,
                    lobby::v1::JoinTableResponse& response) {
    return call(&lobby::v1::LobbyService::Stub::JoinTable, token, request, response);
  }
  /// Asks for a table of Azul where bots do not play while a test looks.
  static lobby::v1::CreateTableRequest azul_of(std::uint32_t players);
  /// A table of 2048 with the owner of `token`.
  lobby::v1::Table create(const std::string& token);
  /// A game that is over as it begins: its first tiles have reached the objective that ends it.
  lobby::v1::Table over_at_once();

  /// Of an analysis.
  static constexpr std::chrono::milliseconds kEffort{100};

  const std::filesystem::path data_;
  const std::chrono::milliseconds table_idle_;
  std::atomic<directory::Directory*> live_{nullptr};
  std::unique_ptr<store::Backend> backend_;
  store::EventLog* log_{&backend_->log()};
  store::TableRows* table_rows_{&backend_->table_rows()};
  store::Store* store_{&backend_->store()};
  metrics::Metrics metrics_;
  base::IoPool io_{2};
  bots::BotThreads bots_{
      {.threads = 1, .time_max = std::chrono::milliseconds{5}, .alone_interval = {}}, metrics_};
  bots::RemoteBots remote_bots_{{.time_max = std::chrono::milliseconds{500}}, metrics_};
  directory::TableFeed feed_;
  accounts::Tokens tokens_{std::string(32, 's'), std::chrono::hours{1}};
  history::DailyGames daily_games_{std::string(32, 'd')};
  accounts::Players players_{*store_, backend_->accounts(), tokens_, metrics_};
  directory::Directory directory_{{.io = io_,
                                   .log = *log_,
                                   .snapshots = backend_->snapshots(),
                                   .table_rows = *table_rows_,
                                   .store = *store_,
                                   .ownership = backend_->ownership(),
                                   .life = backend_->life(),
                                   .feed = feed_,
                                   .metrics = metrics_,
                                   .bots = bots_,
                                   .remote_bots = remote_bots_,
                                   .bot_pace = std::chrono::milliseconds{0},
                                   .bot_pace_alone = std::chrono::milliseconds{0},
                                   .table_idle = table_idle_,
                                   .executions = &io_,
                                   .frames_per_second_max = 0}};
  quota::AdmissionControl admission_{
      {.sign_ins_per_minute = 1, .tables_per_minute = 3, .connections_per_address = 2},
      metrics_};  // for calls with an address
  LobbyService service_{{.io = io_,
                         .admission = admission_,
                         .store = *store_,
                         .directory = directory_,
                         .players = players_,
                         .tokens = tokens_,
                         .daily_games = daily_games_,
                         .remote_bots = remote_bots_,
                         .feed = feed_}};
  HistoryService history_{{.admission = admission_,
                           .tokens = tokens_,
                           .log = backend_->history(),
                           .snapshots = backend_->snapshots(),
                           .table_rows = *table_rows_,
                           .aside = directory_.aside(),
                           .bots = bots_,
                           .analysis = kEffort}};
  matchmaking::Matcher matcher_{{.loop = io_.any(),
                                 .store = *store_,
                                 .ownership = backend_->ownership(),
                                 .life = backend_->life(),
                                 .directory = directory_,
                                 .metrics = metrics_}};
  MatchmakingService matchmaking_{{.admission = admission_,
                                   .tokens = tokens_,
                                   .players = players_,
                                   .live_tables = directory_.live_tables(),
                                   .matcher = matcher_}};
  LeaderboardService leaderboard_{
      {.store = *store_, .tokens = tokens_, .daily_games = daily_games_}};
  BotService bot_service_{{.io = io_,
                           .admission = admission_,
                           .store = *store_,
                           .friends = backend_->friends(),
                           .players = players_,
                           .remote_bots = remote_bots_}};
  rpc::Calls calls_{
      {service_.methods(), history_.methods(), matchmaking_.methods(), leaderboard_.methods()},
      admission_,
      metrics_};
  rpc::GrpcServer grpc_{{.calls = {.calls = calls_, .io = io_, .admission = admission_},
                         .metrics = metrics_,
                         .services = {bot_service_.named()}}};
  std::shared_ptr<grpc::Channel> channel_ = connect();
  std::unique_ptr<lobby::v1::LobbyService::Stub> stub_ = lobby::v1::LobbyService::NewStub(channel_);
};

}  // namespace tesela::services
