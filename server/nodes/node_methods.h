// Answers the calls that other servers make for themselves: tesela.node.v1.
#pragma once

#include <string_view>
#include <vector>

#include "server/metrics/metrics.h"
#include "server/net/http/http_router.h"
#include "server/quota/admission_control.h"
#include "server/rpc/calls.h"
#include "server/rpc/connect_gateway.h"
#include "server/rpc/method.h"

namespace tesela::nodes {

/// Adds the paths of all services that the methods are of.
void add_routes(rpc::ConnectGateway& gateway, net::HttpRouter& router,
                const std::vector<rpc::Method>& methods);

/// Any thread. Outlives its calls. Callers are checked before.
class NodeMethods {
 public:
  /// Both must outlive it.
  NodeMethods(const std::vector<rpc::Method>& methods, quota::AdmissionControl& admission,
              metrics::Metrics& metrics);
  NodeMethods(const NodeMethods&) = delete;
  NodeMethods& operator=(const NodeMethods&) = delete;

  /// What answers the calls of a path, in the Connect protocol; null: nothing.
  [[nodiscard]] const net::Route* find(std::string_view path) const { return router_.find(path); }

 private:
  rpc::Calls calls_;
  rpc::ConnectGateway gateway_{calls_};
  net::HttpRouter router_;
};

}  // namespace tesela::nodes
