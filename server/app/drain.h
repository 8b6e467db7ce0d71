// The orderly end of a server: it accepts nothing new and hands its tables over.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <string_view>

#include "server/directory/directory.h"
#include "server/matchmaking/matcher.h"
#include "server/ops/archiver.h"
#include "server/ops/erasure_follower.h"
#include "server/ops/health.h"
#include "server/retention/retention.h"
#include "server/rpc/grpc/grpc_server.h"
#include "server/services/bot_service.h"
#include "server/services/history_service.h"
#include "server/services/lobby_service.h"
#include "server/sweeping/sweeper.h"

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
    matchmaking::Matcher& matcher;
    ops::Archiver& archiver;
    sweeping::Sweeper& sweeper;
    retention::Retention& retention;
    directory::Directory& directory;
    ops::ErasureFollower& erasures;
    bool hands_over;                       // whether streams come to this server's tables at others
    std::chrono::milliseconds notice_max;  // how long proxies may take to notice
  };

  struct Step {
    std::string_view what;
    boost::asio::awaitable<void> work;
    bool leaves_time = false;  // to the steps after it, however long it would take
  };

  explicit Drain(const Parts& parts) : parts_(parts) {}
  Drain(const Drain&) = delete;
  Drain& operator=(const Drain&) = delete;

  /// The server is not ready from now on.
  void begin();
  /// The steps after `begin`, in order.
  std::array<Step, 8> steps();
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
