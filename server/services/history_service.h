// tesela.lobby.v1.HistoryService over gRPC.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "server/base/io_pool.h"
#include "server/quota/gate.h"
#include "server/services/replays.h"
#include "server/store/store.h"
#include "tesela/lobby/v1/history.grpc.pb.h"

namespace tesela::lobby {

/// Threading as LobbyService.
class HistoryService final : public v1::HistoryService::CallbackService {
 public:
  struct Parts {
    net::IoPool& io;
    net::Gate& gate;
    store::EventLog& log;
    store::Store& store;
    net::IoPool* executions{};  // where games are executed again; none: on `io`
  };

  explicit HistoryService(Parts parts)
      : parts_(parts),
        replays_(parts.executions != nullptr ? *parts.executions : parts.io, parts.log,
                 parts.store) {}

  grpc::ServerUnaryReactor* GetRecord(grpc::CallbackServerContext* context,
                                      const v1::GetRecordRequest* request,
                                      v1::GetRecordResponse* response) override;
  grpc::ServerUnaryReactor* Verify(grpc::CallbackServerContext* context,
                                   const v1::VerifyRequest* request,
                                   v1::VerifyResponse* response) override;
  grpc::ServerWriteReactor<v1::ReplayResponse>* Replay(grpc::CallbackServerContext* context,
                                                       const v1::ReplayRequest* request) override;

 private:
  boost::asio::awaitable<Expected<v1::GetRecordResponse>> get_record(std::string table_id,
                                                                     net::AccountPtr from);
  boost::asio::awaitable<Expected<v1::VerifyResponse>> verify_game(std::string table_id,
                                                                   net::AccountPtr from);

  Parts parts_;
  Replays replays_;
};

}  // namespace tesela::lobby
