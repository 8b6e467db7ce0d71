// Has searches for opponents answered by the server that finds them for all.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/core/result.h"
#include "server/base/loop.h"
#include "server/base/places.h"
#include "server/base/relay_limits.h"
#include "server/metrics/metrics.h"
#include "server/nodes/owner_cache.h"
#include "server/nodes/relays.h"
#include "server/quota/admission_control.h"
#include "server/rpc/method.h"
#include "server/store/life.h"
#include "server/store/ownership.h"

namespace tesela::nodes {

/// The quota that a call takes at this server while it is relayed, or why it is not relayed.
using HoldCall = std::function<Expected<std::shared_ptr<quota::Slots>>(const rpc::Caller&)>;

/// One of the servers on a database has a duty (store::Duty), and answers the calls about it. Any
/// thread. Outlives its calls.
class SearchRelays {
 public:
  struct Parts {
    Relays& relays;
    store::Ownership& ownership;
    const store::Life& life;
    metrics::Metrics& metrics;
    base::Loop& loop;  // where the holder of the duty is looked up
    store::Duty duty{store::Duty::kMatch};
    std::function<bool()> leads;  // whether this server has the duty, as far as it knows
    std::chrono::milliseconds hold_time{limits::kSearchHoldTime};
  };

  explicit SearchRelays(Parts parts);
  SearchRelays(const SearchRelays&) = delete;
  SearchRelays& operator=(const SearchRelays&) = delete;

  /// Works from now on until `stop`. Once.
  void start();
  /// Returns when that has ended. The calls end after Relays::stop. Any thread, while the loop
  /// runs.
  boost::asio::awaitable<void> stop();

  /// The same methods, each of which streams, but that a call is answered by the server that has
  /// the duty, here or elsewhere. When that server gives it up, ends or falls silent, which is
  /// kFenced of the methods, the call begins again at the one that has the duty next, and the
  /// caller's stream goes on. No server is waited for longer than `hold_time`: then the error is
  /// kUnavailable. Calls run on threads of loops.
  [[nodiscard]] std::vector<rpc::Method> relayed(std::vector<rpc::Method> methods, HoldCall hold);

 private:
  /// The method of this server, for when it has the duty.
  using Here = std::shared_ptr<const rpc::Method>;
  class Call;

  /// The holder of the duty at the last look.
  struct Look {
    std::mutex mutex;
    bool under_way = false;
    std::optional<Expected<std::optional<store::Owner>>> found{};
    std::chrono::steady_clock::time_point at{};
  };

  boost::asio::awaitable<Expected<rpc::StreamPtr>> open(Here here, HoldCall hold,
                                                        rpc::RequestPtr request,
                                                        rpc::Caller caller);
  /// Another server that has the duty. Errors: kFenced where it is this one, nobody, or not known
  /// yet; kUnavailable for a server without a node port.
  boost::asio::awaitable<Expected<RemoteOwner>> leader();
  boost::asio::awaitable<std::optional<Expected<std::optional<store::Owner>>>> look();
  boost::asio::awaitable<void> watch();
  boost::asio::awaitable<void> stop_here();

  const Parts parts_;
  base::Places places_{limits::kSearchesRelayedMax};
  const std::shared_ptr<Look> look_ = std::make_shared<Look>();
  boost::asio::steady_timer pause_;  // of the watch, as all that follows
  boost::asio::steady_timer ended_;
  bool running_ = false;
  bool stopping_ = false;
};

}  // namespace tesela::nodes
