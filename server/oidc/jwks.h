// The keys of a provider (JSON Web Key Set, RFC 7517).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/accounts/jwt.h"
#include "server/accounts/public_key.h"

namespace tesela::oidc {

/// Immutable: any thread.
class Jwks {
 public:
  /// Public keys for signatures, at most limits::kOidcKeysMax; those that algorithm_of does not
  /// take are left out. Empty for what is no set of keys.
  [[nodiscard]] static std::optional<Jwks> read(std::string_view json);

  /// Whether one of the keys has signed the token: the one that its `kid` names, or without `kid`
  /// any of its algorithm. False: a newer set may have the key, also under a name that was another
  /// key's.
  [[nodiscard]] bool have_signed(const accounts::Jwt& token) const;

 private:
  struct Key {
    std::string id;  // `kid`; may be empty
    accounts::PublicKey key;
  };

  std::vector<Key> keys_;
};

}  // namespace tesela::oidc
