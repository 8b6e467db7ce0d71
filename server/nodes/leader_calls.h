// Answers the calls that other servers pass on to the one that has a duty for all of them.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "server/base/places.h"
#include "server/metrics/metrics.h"
#include "server/net/http/http_router.h"
#include "server/nodes/node_methods.h"
#include "server/quota/admission_control.h"
#include "server/rpc/method.h"

namespace tesela::nodes {

/// Any thread. Outlives its calls.
class LeaderCalls {
 public:
  struct Parts {
    std::vector<rpc::Method> methods{};  // which may answer with streams
    std::function<bool()> leads{};       // whether this server has the duty; empty: never
    std::size_t at_once_max{};
  };

  /// Both must outlive it. `clients` counts the clients of relayed calls.
  LeaderCalls(Parts parts, quota::AdmissionControl& clients, metrics::Metrics& metrics);
  LeaderCalls(const LeaderCalls&) = delete;
  LeaderCalls& operator=(const LeaderCalls&) = delete;

  /// What answers the calls of a path, in the Connect protocol; null: nothing.
  [[nodiscard]] const net::Route* find(std::string_view path) const { return methods_.find(path); }
  /// Whether this server has the duty, as far as it knows.
  [[nodiscard]] bool leads() const { return leads_ && leads_(); }
  /// A place among the calls that are open at once; null: there is none.
  [[nodiscard]] base::Places::Place enter() { return places_.take(); }

 private:
  NodeMethods methods_;
  const std::function<bool()> leads_;
  base::Places places_;
};

}  // namespace tesela::nodes
