// Challenges that a passkey signs or a provider sends back. Nothing is stored of them until they
// are answered.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "engine/core/ids.h"
#include "engine/core/result.h"

namespace tesela::accounts {

/// How long a challenge may be answered.
inline constexpr std::chrono::minutes kChallengeTime{5};

/// What a challenge is for.
enum class Purpose : std::uint8_t { kRegister = 1, kSignIn = 2 };

/// Immutable: any thread.
class Challenges {
 public:
  using Time = std::chrono::system_clock::time_point;

  /// All servers on a database have the same key.
  explicit Challenges(std::string key) : key_(std::move(key)) {}

  /// A challenge of `player`; of nobody yet: PlayerId{0}. It contains a random id, so each one is
  /// another, and its signature (HMAC-SHA-256), which is also over `bound`, a secret of the client.
  [[nodiscard]] std::string make(Purpose purpose, PlayerId player, Time now,
                                 std::string_view bound = {},
                                 std::chrono::minutes lasts = kChallengeTime) const;

  /// The id of a challenge of `make` with the same purpose, player and secret: whoever accepts an
  /// answer ensures that it is the only one. Error: kPermissionDenied, with what to do.
  [[nodiscard]] Expected<std::string> check(std::string_view challenge, Purpose purpose,
                                            PlayerId player, Time now,
                                            std::string_view bound = {}) const;

 private:
  [[nodiscard]] std::string signature(std::string_view content) const;

  const std::string key_;
};

}  // namespace tesela::accounts
