// A bot from outside whose stream is at another server.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "server/base/io_pool.h"
#include "server/bots/remote_bots.h"
#include "server/nodes/node_calls.h"
#include "tesela/node/v1/node.pb.h"

namespace tesela::services {

/// Asks the bot by NodeBotService of that server (proto/tesela/node/v1/node.proto). When that
/// server cannot be reached, tried twice, or does not have the bot any more, withdraws it here. Any
/// thread.
/// Stays as long as a call of it is under way: those end in time, or soon after Relays::stop.
class BotElsewhere final : public bots::RemoteBot,
                           public std::enable_shared_from_this<BotElsewhere> {
 public:
  /// What it uses; outlives it.
  struct Parts {
    base::IoPool& io;
    nodes::NodeCalls& calls;
    bots::RemoteBots& remote_bots;
  };

  /// `address`: of the server, as in store::OfferedBot.
  BotElsewhere(Parts parts, std::string game, std::string strategy, std::string address);

  void ask(const bots::RemoteRequest& request) override;
  void dismiss(bots::BotRequestId request, const std::string& why) override;

 private:
  /// A request whose call is under way.
  struct Asked {
    std::string key;
    std::optional<std::uint64_t> question{};  // as the bot knows it, once it has answered
  };

  boost::asio::awaitable<void> ask_there(std::shared_ptr<BotElsewhere> self,
                                         bots::BotRequestId request, node::v1::AskBotRequest asked,
                                         std::chrono::steady_clock::time_point until);
  boost::asio::awaitable<void> dismiss_there(std::shared_ptr<BotElsewhere> self,
                                             node::v1::DismissBotRequest dismissal);
  void answered(bots::BotRequestId request, std::uint64_t question);
  void forget(bots::BotRequestId request);

  const Parts parts_;
  const std::string game_;
  const std::string strategy_;
  const std::string address_;
  std::mutex mutex_;
  std::unordered_map<bots::BotRequestId, Asked> asked_;  // under the mutex
};

}  // namespace tesela::services
