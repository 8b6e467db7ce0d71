// Who has a connection, and what it takes.
#pragma once

#include "server/net/connection_limit.h"
#include "server/quota/gate.h"

namespace tesela::net {

/// Move-only. Whoever owns the socket keeps it.
struct Visitor {
  ConnectionSlot slot{};
  quota::AccountPtr account{};  // of the address
  quota::Place place{};         // of its connections
};

/// Who has as many connections as may be.
enum class Full {
  kServer,
  kAddress,
};

}  // namespace tesela::net
