// A finished game as the server shows it again.
#pragma once

#include <optional>
#include <utility>

#include "clients/cli/client/server_address.h"
#include "clients/cli/client/server_stream.h"
#include "clients/cli/client/task.h"
#include "engine/core/result.h"
#include "tesela/lobby/v1/history.pb.h"

namespace tesela::cli {

/// HistoryService.Replay, frame after frame. One thread.
class ReplayStream {
 public:
  ReplayStream(ServerAddress server, lobby::v1::ReplayRequest request)
      : stream_(std::move(server), {}), request_(std::move(request)) {}

  /// A Snapshot first, and then Events; empty at the end. Errors: what the server answers;
  /// kUnavailable when it cannot be reached or breaks off.
  Task<Expected<std::optional<play::v1::ServerFrame>>> next();

 private:
  ServerStream stream_;
  lobby::v1::ReplayRequest request_;
  bool started_ = false;
};

/// Who played, as the stream of the table told it while all were there.
[[nodiscard]] play::v1::Seating seating_of(const lobby::v1::Table& table);

}  // namespace tesela::cli
