// Has searches for opponents answered by the server that finds them for all.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/core/result.h"
#include "server/base/loop.h"
#include "server/base/places.h"
#include "server/base/relay_limits.h"
#include "server/base/worker.h"
#include "server/metrics/metrics.h"
#include "server/nodes/owner_cache.h"
#include "server/nodes/relays.h"
#include "server/quota/admission_control.h"
#include "server/rpc/method.h"
#include "server/store/life.h"
#include "server/store/ownership.h"

namespace tesela::nodes {

/// One of the servers on a database has Duty::kMatch, and answers the searches of all. While calls
/// are open at a server that has lost the duty without knowing it, they are closed at intervals.
/// Any thread. Outlives its calls, which end after Relays::stop.
class SearchRelays final : public base::Worker {
 public:
  struct Parts {
    Relays& relays;
    store::Ownership& ownership;
    const store::Life& life;
    metrics::Metrics& metrics;
    base::Loop& loop;             // where the holder of the duty is looked up
    std::function<bool()> leads;  // whether this server has the duty, as far as it knows
    rpc::Method find;             // of this server, for when it has the duty
    /// The quota that a search takes at this server while it is relayed, or why it is not relayed.
    std::function<Expected<std::shared_ptr<quota::Slots>>(const rpc::Caller&)> hold;
    std::chrono::milliseconds hold_time{limits::kSearchHoldTime};
  };

  explicit SearchRelays(Parts parts);

  /// `Parts::find`, but that a search is answered by the server that has the duty, here or
  /// elsewhere. When that server gives it up, ends or falls silent, which is kFenced of the method,
  /// the search begins again at the one that has the duty next, and the caller's stream goes on. No
  /// server is waited for longer than `hold_time`: then the error is kUnavailable. Calls run on
  /// threads of loops.
  [[nodiscard]] rpc::Method find();

 private:
  class Call;

  /// The holder of the duty at the last look.
  struct Look {
    std::mutex mutex;
    bool under_way = false;
    std::optional<Expected<std::optional<store::Owner>>> found{};
    std::chrono::steady_clock::time_point at{};
  };

  boost::asio::awaitable<void> run() override;
  boost::asio::awaitable<Expected<rpc::StreamPtr>> open(rpc::RequestPtr request,
                                                        rpc::Caller caller);
  /// Another server that has the duty. Errors: kFenced where it is this one, nobody, or not known
  /// yet; kUnavailable for a server without a node port.
  boost::asio::awaitable<Expected<RemoteOwner>> leader();
  boost::asio::awaitable<std::optional<Expected<std::optional<store::Owner>>>> look();

  const Parts parts_;
  base::Places places_{limits::kSearchesRelayedMax};
  const std::shared_ptr<Look> look_ = std::make_shared<Look>();
};

}  // namespace tesela::nodes
