// Operators' commands to one process, whichever server received them.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>

#include "engine/core/result.h"
#include "server/directory/directory.h"
#include "server/directory/operator_access.h"
#include "server/metrics/metrics.h"
#include "server/ops/health.h"
#include "tesela/admin/v1/admin.pb.h"

namespace tesela::ops {

/// Any thread.
class ThisNode {
 public:
  /// What it uses; outlives it.
  struct Parts {
    directory::Directory& directory;
    const Health& health;
    metrics::Metrics& metrics;
    /// Stops accepting work and sends Goodbye to all clients; returns when it was sent. May be
    /// called again, from any thread.
    std::function<boost::asio::awaitable<void>()> drain;
    /// Drain::undo.
    std::function<Expected<void>()> undrain;
    /// Ends the process after the responses under way. Any thread.
    std::function<void()> exit;
  };

  explicit ThisNode(Parts parts);

  [[nodiscard]] boost::asio::awaitable<admin::v1::GetStatusResponse> status();
  /// Returns when everybody has been told.
  boost::asio::awaitable<admin::v1::DrainResponse> drain(bool exit);
  /// Takes a drain back. Errors: kUnavailable, kPermissionDenied.
  Expected<void> undrain() { return parts_.undrain(); }
  /// The level before. Error: kInvalidArgument for a level that is none.
  Expected<admin::v1::LogLevel> set_log_level(admin::v1::LogLevel level);

 private:
  const Parts parts_;
  directory::OperatorAccess tables_{parts_.directory};
  const std::chrono::system_clock::time_point started_at_;
  const std::chrono::steady_clock::time_point started_;
};

}  // namespace tesela::ops
