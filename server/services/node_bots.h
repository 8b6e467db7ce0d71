// tesela.node.v1.NodeBotService: the bots from outside whose streams are here, for the tables of
// other servers.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/core/result.h"
#include "server/bots/remote_bots.h"
#include "server/rpc/method.h"
#include "tesela/node/v1/node.pb.h"

namespace tesela::services {

/// Any thread. Outlives its calls.
class NodeBots {
 public:
  /// It must outlive this.
  explicit NodeBots(bots::RemoteBots& remote_bots) : remote_bots_(remote_bots) {}
  NodeBots(const NodeBots&) = delete;
  NodeBots& operator=(const NodeBots&) = delete;

  [[nodiscard]] std::vector<rpc::Method> methods();

 private:
  struct Asking;
  /// An open question.
  struct Open {
    bots::BotRequestId question;
    std::shared_ptr<Asking> asking;
  };

  boost::asio::awaitable<Expected<node::v1::AskBotResponse>> ask(node::v1::AskBotRequest request,
                                                                 rpc::Caller caller);
  boost::asio::awaitable<Expected<node::v1::DismissBotResponse>> dismiss(
      node::v1::DismissBotRequest request, rpc::Caller caller);
  [[nodiscard]] bool has(const std::string& game, const std::string& strategy) const;

  bots::RemoteBots& remote_bots_;
  std::mutex mutex_;
  std::unordered_map<std::string, Open> open_;  // by their keys; under the mutex
};

}  // namespace tesela::services
