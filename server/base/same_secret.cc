#include "server/base/same_secret.h"

#include <openssl/crypto.h>

namespace tesela::base {

bool same_secret(std::string_view shown, std::string_view secret) {
  return shown.size() == secret.size() &&
         CRYPTO_memcmp(shown.data(), secret.data(), secret.size()) == 0;
}

}  // namespace tesela::base
