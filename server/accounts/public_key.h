// Keys that verify signatures of JSON Web Tokens: RS256 and ES256 (RFC 7518, sections 3.3 and 3.4),
// and EdDSA over Ed25519 (RFC 8037, section 3.1).
#pragma once

#include <openssl/evp.h>

#include <string_view>

#include "server/base/crypto.h"

namespace tesela::accounts {

using PublicKey = base::Owned<EVP_PKEY, EVP_PKEY_free>;

/// The least size of a key of RSA.
inline constexpr int kRsaBitsMin = 2048;

/// The one algorithm of a key: RS256 (RSA of at least kRsaBitsMin), ES256 (P-256) or EdDSA
/// (Ed25519). Empty for any other key.
[[nodiscard]] std::string_view algorithm_of(const EVP_PKEY* key);

}  // namespace tesela::accounts
