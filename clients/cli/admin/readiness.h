// Whether a server says that it is ready.
#pragma once

#include "clients/cli/client/server_address.h"
#include "clients/cli/client/task.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// What GET /readyz answers. Errors: kUnavailable, with the server's reason, or with why it cannot
/// be asked within kConnectTimeMax.
Task<Expected<void>> readiness(ServerAddress server);

}  // namespace tesela::cli
