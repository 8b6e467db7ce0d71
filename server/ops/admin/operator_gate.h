// Admits operators to their services, and logs what they do.
#pragma once

#include <spdlog/spdlog.h>

#include <boost/asio/awaitable.hpp>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "server/base/log/seldom_log.h"
#include "server/ops/admin/operator_list.h"
#include "server/rpc/method.h"

namespace tesela::ops {

/// Any thread.
class OperatorGate {
 public:
  /// `token`: the admin token. `http_only`: the gRPC port is open to more than operators.
  OperatorGate(std::string token, std::vector<Operator> operators, bool http_only)
      : holder_{.name = {}, .role = Role::kOperate, .token = std::move(token)},
        http_only_(http_only),
        operators_(std::move(operators)) {}

  /// From now on, these are the operators beside whoever has the admin token.
  void replace(std::vector<Operator> operators);

  /// The operator that a call comes from, by a port where operators are answered.
  [[nodiscard]] std::optional<Operator> find(const rpc::Caller& caller) const;

  /// Has the operator of a list act by the own name, whatever the request says.
  template <class Request>
  void sign(Request& request, const rpc::Caller& caller) const {
    if (auto found = find(caller); found && !found->name.empty()) {
      request.set_operator_(std::move(found->name));
    }
  }

  /// Checks the token and the role, does `work`, and logs `what` that is. A wrong token is logged.
  template <class Response>
  boost::asio::awaitable<Expected<Response>> attend(
      rpc::Caller caller, Role role, std::string what,
      boost::asio::awaitable<Expected<Response>> work) {
    const auto who = admit(caller, role);
    if (!who) co_return std::unexpected(who.error());
    const std::string name = who->name.empty() ? "admin" : "admin " + who->name;
    spdlog::info("{}: {}", name, what);
    auto done = co_await std::move(work);
    if (!done) spdlog::info("{}: {}: refused: {}", name, what, done.error().message);
    co_return done;
  }

 private:
  [[nodiscard]] Expected<Operator> admit(const rpc::Caller& caller, Role role);

  const Operator holder_;  // of the admin token
  const bool http_only_;
  mutable std::mutex mutex_;
  std::vector<Operator> operators_;  // under the mutex
  base::SeldomLog refusal_lines_;
};

}  // namespace tesela::ops
