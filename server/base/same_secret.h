// Comparing what somebody shows with what must stay secret.
#pragma once

#include <string_view>

namespace tesela::base {

/// Whether both are the same. Takes as long for a text that is nearly right as for any other of its
/// length. Any thread.
[[nodiscard]] bool same_secret(std::string_view shown, std::string_view secret);

}  // namespace tesela::base
