// The port of operators, as it is configured.
#pragma once

#include <optional>
#include <utility>

#include "server/base/io_pool.h"
#include "server/net/endpoint.h"
#include "server/net/http/http_session.h"
#include "server/net/listener.h"
#include "server/ops/config.h"

namespace tesela {

/// Binds; empty without --ops-port. Throws std::runtime_error with a sentence.
[[nodiscard]] inline std::optional<net::Listener<net::HttpSession>> open_ops_port(
    const ops::Config& config, base::IoPool& io, net::HttpSession::Parts parts) {
  if (!config.ops_port) return std::nullopt;
  return std::optional<net::Listener<net::HttpSession>>{
      std::in_place, net::Endpoint{config.ops_address, *config.ops_port}, io, std::move(parts)};
}

}  // namespace tesela
