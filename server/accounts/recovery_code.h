// Recovery codes: eight words that can be said aloud, by which a player signs in again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tesela::accounts {

/// Each word has 16 bits, written as a proquint (D. S. Wilkerson, "A Proposal for Proquints:
/// Identifiers that are Readable, Spellable, and Pronounceable", 2009). The first three find the
/// account and the other five prove that it is the player's.
struct RecoveryCode {
  std::string locator;  // kLocatorBytes
  std::string secret;   // kSecretBytes

  static constexpr std::size_t kLocatorBytes = 6;
  static constexpr std::size_t kSecretBytes = 10;

  [[nodiscard]] static RecoveryCode random();
  /// Accepts what `words` returns, in any case; only letters count. Error: kInvalidArgument.
  [[nodiscard]] static Expected<RecoveryCode> read(std::string_view words);
  /// "lusab-babad-gutih-…".
  [[nodiscard]] std::string words() const;

  friend bool operator==(const RecoveryCode&, const RecoveryCode&) = default;
};

/// The work and memory of a hash: scrypt's N and r; p is 1.
inline constexpr std::uint64_t kScryptCost = 1U << 15U;
inline constexpr std::uint32_t kScryptBlock = 8;
inline constexpr std::uint64_t kScryptMemory = 128 * kScryptCost * kScryptBlock;

/// What is stored of a secret: a random salt and the secret's scrypt hash (RFC 7914) with it. Takes
/// kScryptMemory and some 80 ms.
[[nodiscard]] std::string hash_of(std::string_view secret);

/// Whether `hash` is of the secret. The same work for a hash that is not one, which no secret has.
[[nodiscard]] bool is_hash_of(std::string_view hash, std::string_view secret);

}  // namespace tesela::accounts
