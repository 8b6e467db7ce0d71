// Games that are shown again: HistoryService.Replay.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <cstddef>

#include "server/base/io_pool.h"
#include "server/rpc/client_address.h"
#include "server/store/store.h"
#include "tesela/lobby/v1/history.pb.h"

namespace tesela::services {

/// Any thread. Outlives its calls: the gRPC server has stopped before it is destroyed.
class Replays {
 public:
  using Reactor = grpc::ServerWriteReactor<lobby::v1::ReplayResponse>;

  Replays(base::IoPool& io, store::EventLog& log, store::Store& store)
      : io_(io), log_(log), store_(store) {}

  /// A call that plays the log as fast as it is read, a few frames ahead. It owns itself. At
  /// limits::kReplaysMax it ends at once.
  /// What is executed is charged to `from`.
  Reactor* show(const lobby::v1::ReplayRequest& request, Expected<rpc::CallSlots> slots,
                quota::QuotaPtr from);

 private:
  class Show;

  base::IoPool& io_;
  store::EventLog& log_;
  store::Store& store_;
  std::atomic<std::size_t> running_ = 0;
};

}  // namespace tesela::services
