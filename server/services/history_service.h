// tesela.lobby.v1.HistoryService over gRPC.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "server/base/io_pool.h"
#include "server/quota/admission_control.h"
#include "server/services/replays.h"
#include "server/store/store.h"
#include "tesela/lobby/v1/history.grpc.pb.h"

namespace tesela::services {

/// Threading as LobbyService.
class HistoryService final : public lobby::v1::HistoryService::CallbackService {
 public:
  struct Parts {
    base::IoPool& io;
    quota::AdmissionControl& admission;
    store::EventLog& log;
    store::Store& store;
    base::IoPool* executions{};  // where games are executed again; none: on `io`
  };

  explicit HistoryService(Parts parts)
      : parts_(parts),
        replays_(parts.executions != nullptr ? *parts.executions : parts.io, parts.log,
                 parts.store) {}

  grpc::ServerUnaryReactor* GetRecord(grpc::CallbackServerContext* context,
                                      const lobby::v1::GetRecordRequest* request,
                                      lobby::v1::GetRecordResponse* response) override;
  grpc::ServerUnaryReactor* Verify(grpc::CallbackServerContext* context,
                                   const lobby::v1::VerifyRequest* request,
                                   lobby::v1::VerifyResponse* response) override;
  grpc::ServerWriteReactor<lobby::v1::ReplayResponse>* Replay(
      grpc::CallbackServerContext* context, const lobby::v1::ReplayRequest* request) override;

 private:
  boost::asio::awaitable<Expected<lobby::v1::GetRecordResponse>> get_record(std::string table_id,
                                                                            quota::QuotaPtr from);
  boost::asio::awaitable<Expected<lobby::v1::VerifyResponse>> verify_game(std::string table_id,
                                                                          quota::QuotaPtr from);

  Parts parts_;
  Replays replays_;
};

}  // namespace tesela::services
