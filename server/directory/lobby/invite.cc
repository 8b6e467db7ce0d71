#include "server/directory/lobby/invite.h"

#include "server/base/crypto.h"
#include "server/base/text_encoding.h"

namespace tesela::directory {

std::string random_invite() {
  for (;;) {
    const auto secret = base::random_secret();
    std::string invite =
        base::encode_base64url({reinterpret_cast<const char*>(secret.data()), secret.size()});
    if (!invite.starts_with('-')) return invite;
  }
}

}  // namespace tesela::directory
