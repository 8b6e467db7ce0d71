// Answers the calls that other servers pass on, at the owner of the table.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.h"
#include "server/metrics/metrics.h"
#include "server/net/http/http_router.h"
#include "server/nodes/relays.h"
#include "server/nodes/tables_here.h"
#include "server/quota/admission_control.h"
#include "server/rpc/calls.h"
#include "server/rpc/connect_gateway.h"
#include "server/rpc/method.h"

namespace tesela::nodes {

/// The methods of a service that need the owner of the table that their request names.
[[nodiscard]] std::vector<rpc::Method> methods_of_owner(std::vector<rpc::Method> methods);

/// Any thread. Outlives its calls.
class OwnerCalls {
 public:
  struct Parts {
    TablesHere here;
    Relays& relays;  // knows what this server owns
    quota::AdmissionControl& admission;
    metrics::Metrics& metrics;
    std::vector<rpc::Method> methods;  // those of methods_of_owner
  };

  explicit OwnerCalls(Parts parts);
  OwnerCalls(const OwnerCalls&) = delete;
  OwnerCalls& operator=(const OwnerCalls&) = delete;

  /// What answers the calls of a path, in the Connect protocol; null: nothing.
  [[nodiscard]] const net::Route* find(std::string_view path) const { return router_.find(path); }

  /// Whether the table is live here, or its owner is this server's life. False also when the lease
  /// may be over, and when the store does not answer.
  boost::asio::awaitable<bool> owns(TableId table);

 private:
  boost::asio::awaitable<bool> owns_here(TableId table);

  const TablesHere here_;
  Relays& relays_;
  rpc::Calls calls_;
  rpc::ConnectGateway gateway_{calls_};
  net::HttpRouter router_;
};

}  // namespace tesela::nodes
