// The command `tesela-server check`.
#pragma once

#include "server/ops/data_command.h"

namespace tesela {

/// Runs the command, and prints a line for each damage, and a line with the amount of data read.
/// The exit status: 0 nothing is damaged, 1 something is, or it could not be read.
[[nodiscard]] int check_data(const ops::DataCommand& command);

}  // namespace tesela
