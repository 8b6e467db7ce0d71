// The orderly end of a server: it accepts nothing new and hands its tables over. An operator may
// have it do so without an end.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "server/app/running_part.h"
#include "server/base/worker.h"
#include "server/directory/directory.h"
#include "server/ops/health.h"
#include "server/ops/revocation_follower.h"
#include "server/rpc/grpc/grpc_server.h"
#include "server/services/bot_service.h"
#include "server/services/history/history_service.h"
#include "server/services/lobby_service.h"

namespace tesela {

/// Any thread, while the loops run. May be done again, also while it is under way.
class Drain {
 public:
  struct Parts {
    ops::Health& health;
    rpc::GrpcServer& grpc;
    services::LobbyService& lobby;
    services::HistoryService& history;
    services::BotService& bots;
    directory::Directory& directory;
    ops::RevocationFollower& revocations;
    std::vector<base::Worker*> workers;    // which end before the tables do, the last one first
    bool hands_over;                       // whether streams come to this server's tables at others
    std::chrono::milliseconds notice_max;  // how long proxies may take to notice
  };

  explicit Drain(Parts parts) : parts_(std::move(parts)) {}
  Drain(const Drain&) = delete;
  Drain& operator=(const Drain&) = delete;

  /// The server stops: it is not ready from now on, for good.
  void begin();
  /// The parts that end after `begin`, the last one first.
  std::vector<RunningPart> parts();
  /// An operator's drain: with other servers to hand the tables to there is a way back. Otherwise
  /// it is all of a stop but the end.
  boost::asio::awaitable<void> run();
  /// After `run` the server takes everything again; without effect where it does. Errors:
  /// kUnavailable (it stops, or `run` is under way), kPermissionDenied (there is no way back).
  Expected<void> undo();

 private:
  struct Run;

  boost::asio::awaitable<void> run_all();
  boost::asio::awaitable<void> leave_tables();
  void take_nothing();
  void take_nothing_new();
  boost::asio::awaitable<void> hand_over();
  boost::asio::awaitable<void> dismiss_bots();

  const Parts parts_;
  std::atomic<bool> noticed_{false};  // the time for proxies is over, or runs
  std::mutex mutex_;                  // guards all below, and what `undo` does
  bool stops_ = false;
  bool drained_ = false;
  int runs_ = 0;  // calls of `run` that have not returned
};

}  // namespace tesela
