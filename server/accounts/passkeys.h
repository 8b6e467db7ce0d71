// Makes passkeys of this server, and recognises their owners.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/accounts/challenges.h"
#include "server/accounts/webauthn.h"

namespace tesela::accounts {

/// The bytes by which a passkey names its player (user handle): the id, most significant first.
[[nodiscard]] std::string user_handle_of(PlayerId player);

/// Immutable: any thread.
class Passkeys {
 public:
  using Time = Challenges::Time;

  /// `origin`: of the page, as "https://HOST[:PORT]". Its host is the relying party.
  Passkeys(std::string origin, std::string key);

  [[nodiscard]] const std::string& rp_id() const { return rp_id_; }
  [[nodiscard]] const Challenges& challenges() const { return challenges_; }

  /// A passkey that was made for `player`. Errors: those of ClientData::read, Challenges::check and
  /// read_made; kPermissionDenied for another page or another call.
  [[nodiscard]] Expected<MadePasskey> made(std::string_view client_data_json,
                                           std::string_view authenticator_data, PlayerId player,
                                           Time now) const;

  struct SignedIn {
    std::string challenge;  // its id
    std::int64_t uses{};    // the signature counter
  };

  /// Whether the owner of a public key has signed a challenge for a sign-in. Errors likewise, and
  /// those of `verify`.
  [[nodiscard]] Expected<SignedIn> signed_in(const Assertion& assertion,
                                             std::string_view public_key, Time now) const;

 private:
  /// The id of the challenge.
  [[nodiscard]] Expected<std::string> check(std::string_view client_data_json,
                                            std::string_view type, Purpose purpose, PlayerId player,
                                            Time now) const;

  std::string origin_;
  std::string rp_id_;
  Challenges challenges_;
};

}  // namespace tesela::accounts
