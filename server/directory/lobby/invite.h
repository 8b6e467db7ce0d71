// The codes of invitations and challenges.
#pragma once

#include <string>

namespace tesela::directory {

/// 128 random bits in base64url. It does not begin with "-", as options of programs do.
[[nodiscard]] std::string random_invite();

}  // namespace tesela::directory
