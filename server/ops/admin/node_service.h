// The methods of tesela.node.v1.NodeService: operators' commands from other servers.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/core/result.h"
#include "server/ops/admin/this_node.h"
#include "server/rpc/method.h"
#include "server/store/life.h"
#include "tesela/node/v1/node.pb.h"

namespace tesela::ops {

/// Callers have proved that they know the servers' secret. Any thread. Outlives its calls.
class NodeService {
 public:
  /// What it uses; outlives it.
  struct Parts {
    ThisNode& here;
    const store::Life& life;
    std::function<std::uint32_t()> bot_searches;  // that run or wait
    std::function<std::uint32_t()> remote_bots;   // that are offered here
  };

  explicit NodeService(Parts parts) : parts_(std::move(parts)) {}

  [[nodiscard]] std::vector<rpc::Method> methods();

 private:
  template <class T>
  using Answer = boost::asio::awaitable<Expected<T>>;

  Answer<node::v1::GetNodeResponse> get_node(node::v1::GetNodeRequest request, rpc::Caller caller);
  Answer<node::v1::SetLogLevelResponse> set_log_level(node::v1::SetLogLevelRequest request,
                                                      rpc::Caller caller);
  Answer<node::v1::DrainResponse> drain(node::v1::DrainRequest request, rpc::Caller caller);
  Answer<node::v1::UndrainResponse> undrain(node::v1::UndrainRequest request, rpc::Caller caller);

  const Parts parts_;
};

}  // namespace tesela::ops
