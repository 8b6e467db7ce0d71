// The orderly end of a server: it accepts nothing new and hands its tables over.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <utility>
#include <vector>

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

  /// The server is not ready from now on.
  void begin();
  /// The parts that end after `begin`, the last one first.
  std::vector<RunningPart> parts();
  /// All of it.
  boost::asio::awaitable<void> run();

 private:
  void take_nothing_new();
  boost::asio::awaitable<void> hand_over();
  boost::asio::awaitable<void> dismiss_bots();

  const Parts parts_;
  std::atomic<bool> noticed_{false};  // the time for proxies is over, or runs
};

}  // namespace tesela
