// Options that do not go together.
#pragma once

#include <string>

#include "server/ops/config.h"

namespace tesela::ops {

/// Checks combinations of options: a sentence, empty if they are valid.
[[nodiscard]] std::string contradiction(const Config& config);

}  // namespace tesela::ops
