// Which display names may be shown to others.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::lobby {

/// The name as others will see it: trimmed of white space, 1 to limits::kDisplayNameMax Unicode
/// characters, nothing among them that cannot be seen or that turns the text around it (control and
/// format characters, bidirectional overrides, line separators, fillers, private use). Error:
/// kInvalidArgument, with what is wrong.
[[nodiscard]] Expected<std::string> shown_name(std::string_view name);

}  // namespace tesela::lobby
