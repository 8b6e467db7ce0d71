#include "server/oidc/id_token.h"

#include <utility>

#include "server/base/crypto.h"
#include "server/base/limits.h"
#include "server/oidc/oidc_limits.h"

namespace tesela::oidc {
namespace {

using accounts::Jwt;
using accounts::text_in;

std::unexpected<Error> refuse_token(std::string sentence) {
  return refuse(ErrorCode::kPermissionDenied, std::move(sentence));
}

bool is_for(const Jwt& token, const std::string& client_id) {
  const auto audience = token.claims.find("aud");
  const bool several =
      audience != token.claims.end() && audience->is_array() && audience->size() > 1;
  const bool authorized = token.claims.contains("azp") || several;
  return token.is_for(client_id) && (!authorized || text_in(token.claims, "azp") == client_id);
}

bool is_recent(const Jwt& token, Jwt::Time now) {
  const auto issued = token.time("iat");
  return token.times_at(now) == Jwt::Times::kValid && issued &&
         *issued - limits::kIssuerClockSkew <= now && *issued + limits::kOidcTokenAge > now;
}

}  // namespace

Expected<std::string> subject_of(const Jwt& token, const Terms& terms, Jwt::Time now) {
  if (text_in(token.claims, "iss") != terms.issuer) {
    return refuse_token("The ID token is of another provider.");
  }
  if (!is_for(token, terms.client_id)) return refuse_token("The ID token is meant for others.");
  if (!base::same_secret(text_in(token.claims, "nonce"), terms.nonce)) {
    return refuse_token("The ID token was made for another sign-in: begin again.");
  }
  if (!is_recent(token, now)) {
    return refuse_token("The ID token is too old or not valid yet: begin again.");
  }
  std::string subject = text_in(token.claims, "sub");
  if (subject.empty() || subject.size() > limits::kOidcSubjectBytesMax ||
      subject.find('\0') != std::string::npos) {
    return refuse_token("The ID token does not say whose it is.");
  }
  return subject;
}

}  // namespace tesela::oidc
