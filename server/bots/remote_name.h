// The names of remote bots.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::bots {

/// The name as a strategy of the bot that is offered as `name`: "ext/" and the name, which no
/// strategy of the engine begins with. Error: kInvalidArgument for what is not 1 to
/// limits::kRemoteNameMax of the letters a to z, digits and hyphens.
[[nodiscard]] Expected<std::string> remote_strategy(std::string_view name);

/// Whether a strategy's name is one of those, whether or not the bot is offered.
[[nodiscard]] bool is_remote(std::string_view strategy);

}  // namespace tesela::bots
