// Reads the options of a command line.
#pragma once

#include <expected>
#include <vector>

#include "server/ops/config.h"

namespace tesela::ops {

inline std::expected<Config, EarlyExit> read(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "tesela-server");
  return read_config(static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace tesela::ops
