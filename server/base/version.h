// The version of this build, as the project's CMakeLists.txt states it.
#pragma once

#include <string_view>

namespace tesela::base {

inline constexpr std::string_view kVersion = TESELA_VERSION;

}  // namespace tesela::base
