// Admits operators to their services, and logs what they do.
#pragma once

#include <spdlog/spdlog.h>

#include <boost/asio/awaitable.hpp>
#include <string>
#include <utility>

#include "engine/core/result.h"
#include "server/base/log/seldom_log.h"
#include "server/rpc/method.h"

namespace tesela::ops {

/// Any thread.
class OperatorGate {
 public:
  /// `http_only`: the gRPC port is open to more than operators.
  OperatorGate(std::string token, bool http_only)
      : token_(std::move(token)), http_only_(http_only) {}

  /// Whether a call comes from an operator, by a port where operators are answered.
  [[nodiscard]] bool admits(const rpc::Caller& caller) const;

  /// Checks the admin token, does `work`, and logs `what` that is. A wrong token is logged.
  template <class Response>
  boost::asio::awaitable<Expected<Response>> attend(
      rpc::Caller caller, std::string what, boost::asio::awaitable<Expected<Response>> work) {
    if (auto admitted = admit(caller); !admitted) {
      co_return std::unexpected(std::move(admitted.error()));
    }
    spdlog::info("admin: {}", what);
    auto done = co_await std::move(work);
    if (!done) spdlog::info("admin: {}: refused: {}", what, done.error().message);
    co_return done;
  }

 private:
  [[nodiscard]] Expected<void> admit(const rpc::Caller& caller);

  const std::string token_;
  const bool http_only_;
  base::SeldomLog refusal_lines_;
};

}  // namespace tesela::ops
