// The client of a connection: what the connection takes of the server and of its address.
#pragma once

#include "server/net/connection_limit.h"
#include "server/quota/admission_control.h"

namespace tesela::net {

/// Move-only. Whoever owns the socket keeps it.
struct Client {
  ConnectionSlot connection_slot{};  // of the server's connections
  quota::QuotaPtr quota{};           // of the address
  quota::Slot quota_slot{};          // of the address's connections
};

/// Who has as many connections as may be.
enum class Full {
  kServer,
  kAddress,
};

}  // namespace tesela::net
