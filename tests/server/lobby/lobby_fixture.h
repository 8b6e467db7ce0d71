// The whole lobby over the real store, asked through gRPC.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include "server/lobby/lobby_service.h"
#include "server/net/grpc_server.h"
#include "server/store/sqlite/sqlite_store.h"

namespace tesela::lobby {

class LobbyFixture : public testing::Test {
 protected:
  LobbyFixture();
  ~LobbyFixture() override;

  v1::SignInResponse sign_in(const std::string& name = "Ana");
  grpc::Status create(const std::string& token, const v1::CreateTableRequest& request,
                      v1::CreateTableResponse& response);
  /// A table of 2048 with the owner of `token`.
  v1::Table create(const std::string& token);

  const std::filesystem::path data_;
  std::unique_ptr<store::SqliteStore> store_;
  ops::Metrics metrics_{"test"};
  net::IoPool io_{2};
  TableFeed feed_;
  Tokens tokens_{std::string(32, 's'), std::chrono::hours{1}};
  Players players_{*store_, tokens_};
  Directory directory_{{.io = io_,
                        .log = *store_,
                        .store = *store_,
                        .feed = feed_,
                        .metrics = metrics_,
                        .table_idle = std::chrono::minutes{1},
                        .frames_per_second_max = 0}};
  LobbyService service_{{.io = io_,
                         .store = *store_,
                         .directory = directory_,
                         .players = players_,
                         .tokens = tokens_,
                         .feed = feed_}};
  std::array<grpc::Service*, 1> services_{&service_};
  net::GrpcServer grpc_{{"127.0.0.1", 0}, services_, metrics_};
  std::unique_ptr<v1::LobbyService::Stub> stub_ = v1::LobbyService::NewStub(grpc_.in_process());
};

}  // namespace tesela::lobby
