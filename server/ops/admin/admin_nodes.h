// Operators' commands to all servers on the database, and to one of them.
#pragma once

#include <google/protobuf/message.h>

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "server/ops/admin/this_node.h"
#include "server/rpc/method.h"
#include "server/store/life.h"
#include "server/store/nodes.h"
#include "tesela/admin/v1/admin.pb.h"

namespace tesela::ops {

/// Calls a method of tesela.node.v1.NodeService, such as "GetNode", at the server with this address
/// (store::Owner), and gives its answer until `until`. `request` is there until then. Errors:
/// kUnavailable, and those of the method.
using AskNode = std::function<boost::asio::awaitable<Expected<rpc::MessagePtr>>(
    std::string address, std::string method, const google::protobuf::Message& request,
    std::chrono::steady_clock::time_point until)>;

/// Any thread.
class AdminNodes {
 public:
  /// What it uses; outlives it.
  struct Parts {
    store::Nodes& nodes;
    const store::Life& life;
    ThisNode& here;
    AskNode ask{};  // empty: this server has no node port
  };

  explicit AdminNodes(Parts parts) : parts_(std::move(parts)) {}

  /// AdminService.ListNodes. Those that do not answer in limits::kNodeAnswerTimeMax are listed with
  /// the reason.
  boost::asio::awaitable<Expected<admin::v1::ListNodesResponse>> list();
  /// AdminService.Drain.
  boost::asio::awaitable<Expected<admin::v1::DrainResponse>> drain(admin::v1::DrainRequest request);
  /// AdminService.Undrain.
  boost::asio::awaitable<Expected<admin::v1::UndrainResponse>> undrain(std::string name);
  /// AdminService.SetLogLevel.
  boost::asio::awaitable<Expected<admin::v1::SetLogLevelResponse>> set_log_level(
      admin::v1::SetLogLevelRequest request);

 private:
  using Rows = std::vector<store::NodeRow>;

  [[nodiscard]] bool is_here(const store::NodeRow& row) const {
    return row.life == parts_.life.id();
  }
  /// The living server that `name` means.
  boost::asio::awaitable<Expected<store::NodeRow>> find(std::string name);
  /// Why it is not asked; nothing otherwise.
  [[nodiscard]] Expected<void> can_ask(const store::NodeRow& row) const;
  boost::asio::awaitable<Expected<admin::v1::GetStatusResponse>> status_of(store::NodeRow row);
  boost::asio::awaitable<Expected<admin::v1::UndrainResponse>> undrain_there(store::NodeRow row);
  boost::asio::awaitable<Expected<admin::v1::LogLevel>> set_level_of(store::NodeRow row,
                                                                     admin::v1::LogLevel level);
  boost::asio::awaitable<void> add_status(store::NodeRow row, admin::v1::NodeReport& shown);
  boost::asio::awaitable<void> add_level(store::NodeRow row, admin::v1::LogLevel level,
                                         admin::v1::NodeLogLevel& shown);
  boost::asio::awaitable<Expected<admin::v1::SetLogLevelResponse>> set_all_levels(
      admin::v1::LogLevel level);

  const Parts parts_;
};

}  // namespace tesela::ops
