// The command `tesela-server migrate`.
#pragma once

#include "server/ops/data_command.h"

namespace tesela {

/// Runs the command and prints its progress, the relations at the end, and how servers are started
/// on it. The exit status: 0 done, 1 failed.
[[nodiscard]] int migrate(const ops::DataCommand& command);

}  // namespace tesela
