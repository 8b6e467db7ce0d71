// What a passkey has signed or made (Web Authentication, Level 2), judged by libfido2. Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::accounts {

/// What the browser says of a call (CollectedClientData).
struct ClientData {
  std::string type;       // "webauthn.create" or "webauthn.get"
  std::string challenge;  // decoded
  std::string origin;     // of the page
  bool cross_origin{};    // inside a page of another origin

  /// Error: kInvalidArgument.
  [[nodiscard]] static Expected<ClientData> read(std::string_view json);
};

/// The algorithms of passkeys, by their numbers at IANA (COSE), the preferred first: ES256, EdDSA,
/// RS256.
inline constexpr std::array kPasskeyAlgorithms{-7, -8, -257};

/// The least size of an id: ids of other credentials are shorter, so that no passkey takes one.
inline constexpr std::size_t kPasskeyIdBytesMin = 16;

/// A passkey that was made.
struct MadePasskey {
  std::string id;
  std::string public_key;  // SubjectPublicKeyInfo, DER: ES256 (P-256), EdDSA (Ed25519) or RS256
  std::int64_t uses{};     // its signature counter
};

/// Reads the authenticator data of a new passkey for the relying party. What the authenticator says
/// of itself (attestation) is not asked for. Errors: kInvalidArgument (not authenticator data,
/// another algorithm, or an id of less than kPasskeyIdBytesMin), kPermissionDenied (another relying
/// party, or no user was there).
[[nodiscard]] Expected<MadePasskey> read_made(std::string_view rp_id,
                                              std::string_view authenticator_data);

/// What a passkey has signed.
struct Assertion {
  std::string_view client_data_json;
  std::string_view authenticator_data;
  std::string_view signature;
};

/// The signature counter of an assertion for the relying party under the public key. Errors:
/// kInvalidArgument (not authenticator data), kPermissionDenied (another relying party, no user was
/// there, or another key).
[[nodiscard]] Expected<std::int64_t> verify(std::string_view rp_id, std::string_view public_key,
                                            const Assertion& assertion);

}  // namespace tesela::accounts
