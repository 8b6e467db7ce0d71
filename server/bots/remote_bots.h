// Bots in other processes: those that are offered, and the open requests to them.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/games/bot_request.h"
#include "server/metrics/metrics.h"
#include "server/store/offered_bots.h"

namespace tesela::bots {

/// A request to a remote bot, from 1 on.
using BotRequestId = Strong<struct BotRequestTag, std::uint64_t>;

/// A request as it is sent to a remote bot.
struct RemoteRequest {
  BotRequestId id;
  std::string_view config;  // an encoded google.protobuf.Any
  const games::BotRequest& position;
  std::chrono::milliseconds time;  // after which an answer is ignored
};

/// Sends messages to one bot, here or at another server. Called from any thread, without a lock;
/// must not block.
class RemoteBot {
 public:
  RemoteBot() = default;
  RemoteBot(const RemoteBot&) = delete;
  RemoteBot& operator=(const RemoteBot&) = delete;
  virtual ~RemoteBot() = default;

  virtual void ask(const RemoteRequest& request) = 0;
  /// The request has ended without the bot's answer; `why` is a sentence.
  virtual void dismiss(BotRequestId request, const std::string& why) = 0;
  /// Its offer does not hold any more.
  virtual void send_away(const Error& /*why*/) {}
};

/// Any thread. No function blocks.
class RemoteBots {
 public:
  struct Options {
    std::chrono::milliseconds time_max;  // of a bot's answer
  };
  struct Offer {
    PlayerId owner;
    std::string game;
    std::string strategy;  // of `remote_strategy`
    std::string description;
    store::OfferId id{};  // among the offers of all servers; 0: not among them
  };
  struct Entry {
    Offer offer;
    std::shared_ptr<RemoteBot> bot;
  };
  struct Request {
    std::string game;
    std::string strategy;
    std::string config;  // an encoded google.protobuf.Any
    games::BotRequest position;
    std::stop_token stop;  // requested when the answer is no longer needed
    /// Called once, unless stopped: with a legal move; or empty when the bot is not offered, has
    /// too many requests, is late, leaves, or answers with something else.
    std::move_only_function<void(std::optional<games::BotReply>)> answer;
    bool only_here = false;  // not of a bot at another server
    std::chrono::milliseconds time{std::chrono::milliseconds::max()};  // where shorter than usual
  };

  RemoteBots(Options options, metrics::Metrics& metrics);
  ~RemoteBots();
  RemoteBots(const RemoteBots&) = delete;
  RemoteBots& operator=(const RemoteBots&) = delete;

  /// Offers a bot of this server until `withdraw`. Errors: kAlreadyOffered; kResourceExhausted
  /// beyond limits::kRemoteBotsMax, or kRemoteBotsPerPlayerMax of one owner, at this server.
  [[nodiscard]] Expected<void> offer(Offer offer, std::shared_ptr<RemoteBot> bot);
  /// Whether `offer` would be refused. Errors: its own.
  [[nodiscard]] Expected<void> check_offer(const Offer& offer) const;
  /// The bots of other servers from now on, but those that this server has itself. Open requests to
  /// those that are gone end without an answer.
  void set_elsewhere(std::vector<Entry> bots);
  /// The bots of this server, by game and name.
  [[nodiscard]] std::vector<Entry> here() const;
  /// Removes the bot, if it is offered, and says whether it was. Its open requests end without an
  /// answer.
  bool withdraw(const RemoteBot& bot);
  /// The bots of a game, of all servers, by name.
  [[nodiscard]] std::vector<Offer> offered(std::string_view game) const;
  /// Whether a strategy of the game can be asked. Error: kInvalidArgument for a remote bot that is
  /// not offered now.
  [[nodiscard]] Expected<void> check(std::string_view game, std::string_view strategy) const;
  /// Whether the bot is offered and may get another request.
  [[nodiscard]] bool has_time(std::string_view game, std::string_view strategy) const;

  /// Returns the id of the request; 0 where it was stopped before.
  BotRequestId ask(Request request);
  /// The bot's answer: an encoded message of the type.
  void answer(RemoteBot& bot, BotRequestId request, std::string_view type, std::string_view move);
  /// Its request ends without an answer, if it is open.
  void give_up(const RemoteBot& bot, BotRequestId request);
  /// Ends a request without an answer or a call of `answer`, if it is open, and tells its bot.
  void stop(BotRequestId request, const std::string& why);
  /// Tells a bot of this server that an answer of it cannot be used.
  void dismiss(std::string_view game, std::string_view strategy, BotRequestId request,
               const std::string& why) const;

  /// The time of a bot for an answer.
  [[nodiscard]] std::chrono::milliseconds time_max() const { return options_.time_max; }

 private:
  using Key = std::pair<std::string, std::string>;  // the game and the strategy
  struct Offered {
    Offer offer;
    std::shared_ptr<RemoteBot> bot;
    bool here = true;      // its stream is this server's
    std::size_t open = 0;  // requests
  };
  struct OpenRequest;
  /// In the order of their deadlines. Requests are removed under the mutex and ended without it,
  /// because their callbacks may call this class.
  using OpenRequests = std::list<OpenRequest>;

  [[nodiscard]] Expected<void> check(const Key& key, PlayerId owner) const;
  [[nodiscard]] std::shared_ptr<RemoteBot> enter(OpenRequests& asked, bool only_here);
  void take_all(const RemoteBot& bot, OpenRequests& into);
  void take(OpenRequests::iterator request, OpenRequests& into);
  [[nodiscard]] OpenRequests take(BotRequestId id, const RemoteBot* bot);
  void give_up(OpenRequests& requests, std::string_view outcome);
  void keep_time(const std::stop_token& stop);

  const Options options_;
  metrics::Metrics& metrics_;
  std::atomic<std::uint64_t> last_id_{0};
  mutable std::mutex mutex_;
  std::map<Key, Offered> bots_;  // from here on under the mutex
  OpenRequests open_;
  std::unordered_map<BotRequestId, OpenRequests::iterator> by_id_;
  std::condition_variable_any asked_;
  std::jthread clock_;  // last: it uses everything above
};

}  // namespace tesela::bots
