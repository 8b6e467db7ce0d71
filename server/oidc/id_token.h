// What an ID token must say (OpenID Connect Core 1.0, section 3.1.3.7).
#pragma once

#include <string>

#include "engine/core/result.h"
#include "server/accounts/jwt.h"

namespace tesela::oidc {

struct Terms {
  std::string issuer;     // the exact claim `iss`
  std::string client_id;  // one of `aud`, and `azp` if that is there or there are several
  std::string nonce;
};

/// The subject of a token whose signature was judged. Error: kPermissionDenied, with what is wrong.
[[nodiscard]] Expected<std::string> subject_of(const accounts::Jwt& token, const Terms& terms,
                                               accounts::Jwt::Time now);

}  // namespace tesela::oidc
