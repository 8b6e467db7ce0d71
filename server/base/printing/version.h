// The version of this build.
#pragma once

#include <string_view>

namespace tesela::base {

/// "1.2.0" at the tag v1.2.0; after it "1.2.0-3-g1f2e3d4", by the commits since then. Without a tag
/// the version of the project's CMakeLists.txt and the commit. cmake/version.cmake finds it.
extern const std::string_view kVersion;

}  // namespace tesela::base
