// Passes streams and calls on to the owners of their tables.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/loop.h"
#include "server/base/relay_limits.h"
#include "server/metrics/metrics.h"
#include "server/net/client.h"
#include "server/net/http/http_message.h"
#include "server/net/transport.h"
#include "server/nodes/owner_cache.h"
#include "server/nodes/relay.h"
#include "server/nodes/relay_headers.h"
#include "server/store/life.h"
#include "server/store/ownership.h"

namespace tesela::nodes {

/// A stream that has arrived and has no answer yet.
struct Arrival {
  net::Transport transport;
  UpgradeRequest request;
  net::Client client;
};

/// A unary call that has arrived.
struct CallRequest {
  net::RequestHead head;  // asks for 100 Continue before the body is sent
  std::string body;
  boost::asio::ip::address client;
  std::chrono::steady_clock::time_point until;  // deadline of its answer
};

/// The beginning of an answer that is a stream.
struct Opened {
  Answer answer;
  std::shared_ptr<Relay> relay{};  // after kGiven
};

/// Any thread. Outlives its coroutines.
class Relays {
 public:
  struct Parts {
    store::Ownership& ownership;
    const store::Life& life;
    metrics::Metrics& metrics;
    std::string proof{};  // of the servers' shared secret
  };

  explicit Relays(Parts parts) : parts_(std::move(parts)) {}
  Relays(const Relays&) = delete;
  Relays& operator=(const Relays&) = delete;

  /// Passes a stream on to the owner of its table, and returns true when it has ended. False: the
  /// stream is to be served here, and `arrival` is as it was: nobody else has the table, its owner
  /// has no node port or cannot be reached, or the store does not answer. An owner that cannot be
  /// reached is waited for up to limits::kRelayHoldTime, until it answers or is declared dead; one
  /// whose address another life has likewise. On `loop`, that of the table.
  boost::asio::awaitable<bool> pass_on(base::Loop& loop, Arrival& arrival, TableId table);

  /// Passes a call on likewise, and returns the answer. Empty: it is to be answered here. The owner
  /// gets the body only when it has said that the table is its own. Error: kUnavailable when it has
  /// not answered after that; what was asked may have been done. On `loop`, that of the table.
  boost::asio::awaitable<std::optional<Expected<CallAnswer>>> pass_on(base::Loop& loop,
                                                                      CallRequest call,
                                                                      TableId table);

  /// Has one server answer a call that is about no table, which it takes for its own. Error:
  /// kUnavailable when it cannot be reached, has another secret, or has not answered until then;
  /// then what was asked may have been done. On `loop`.
  boost::asio::awaitable<Expected<CallAnswer>> call(base::Loop& loop, CallRequest call,
                                                    NodeAddress server);

  /// Has one server begin an answer that is a stream, and returns the connection after kGiven
  /// (Relay::answered), which counts as open until it is destroyed. On `loop`, where it is used and
  /// destroyed.
  boost::asio::awaitable<Opened> open(base::Loop& loop, CallRequest call, RemoteOwner server);
  /// Closes such connections to all lives but this one.
  void close_but(std::optional<store::LifeId> life);
  /// Whether there are any.
  [[nodiscard]] bool any_open() const;

  /// Whether this server's lease runs, so that nobody else has its tables. Any thread.
  [[nodiscard]] bool lease_runs() const { return parts_.life.may_speak(); }

  /// Whether this server's life owns the table. False also when the store does not answer.
  boost::asio::awaitable<bool> is_ours(TableId table);

  /// Closes the streams, and has pass_on begin nothing more. Calls that were passed on may take
  /// `calls_max` yet.
  void stop(std::chrono::milliseconds calls_max = {});
  [[nodiscard]] bool stopping() const { return stopping_; }

 private:
  enum class Kind : std::uint8_t { kStream, kCall };
  struct Open {
    base::Loop* loop;
    std::weak_ptr<Relay> relay;
    Kind kind;
    std::optional<store::LifeId> life{};  // at which an answer that is a stream is open
  };
  struct OpenRelays {
    std::mutex mutex;
    std::unordered_map<const Relay*, Open> relays;
  };
  class Entry;
  struct Kept;
  /// Asks one owner.
  using Ask = std::function<boost::asio::awaitable<Answer>(NodeAddress owner)>;

  /// Asks the owner of the table, and later owners. Returns whether one of them has taken the
  /// request. An unreachable owner is waited for until `until`.
  boost::asio::awaitable<bool> ask_owners(base::Loop& loop, TableId table, const Ask& ask,
                                          std::chrono::steady_clock::time_point until);
  boost::asio::awaitable<std::optional<RemoteOwner>> owner_of(TableId table);
  boost::asio::awaitable<Answer> ask_and_carry(base::Loop& loop, Arrival& arrival,
                                               NodeAddress owner);
  boost::asio::awaitable<Answer> ask_and_call(base::Loop& loop, const CallRequest& call,
                                              std::optional<Expected<CallAnswer>>& outcome,
                                              NodeAddress owner);
  boost::asio::awaitable<void> carry(base::Loop& loop, std::shared_ptr<Relay> relay,
                                     Arrival& arrival);
  /// The head of a request as it came, and what it is marked with.
  [[nodiscard]] std::string marked(net::RequestHead request,
                                   const boost::asio::ip::address& client) const;
  void count(Answer answer);
  void close_all(const std::function<bool(const Open&)>& which);

  const Parts parts_;
  OwnerCache owners_{limits::kOwnersKept};
  std::atomic<bool> stopping_{false};
  // Also of the coroutines that a loop has left when it is destroyed.
  const std::shared_ptr<OpenRelays> open_ = std::make_shared<OpenRelays>();
};

}  // namespace tesela::nodes
