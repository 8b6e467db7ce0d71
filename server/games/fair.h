// Fair by proof: what the server promises before the first move, and how the dice of a game come
// about. The bytes stand in engine/README.md; tests/verify is a second implementation. Pure: any
// thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/chacha20.h"
#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/crypto.h"

namespace tesela::games {

/// A seed as it is stored and sent; none when it is not 32 bytes long.
[[nodiscard]] std::optional<Seed> seed_of(std::string_view bytes);

/// What is played, as the players see it before they sit down.
struct Terms {
  std::string_view game;    // its name
  std::string_view config;  // the game's message with defaults filled in, as in the log
  std::uint8_t seats{};
};

/// What the server shows before the first move: it binds the server to its seed and to the terms,
/// and tells nothing about the seed.
[[nodiscard]] base::Sha256 commitment(const Seed& server_seed, const Terms& terms);

/// The most bytes that a player may add to the dice.
inline constexpr std::size_t kContributionBytesMax = 64;

/// Where a seat stands with the dice: tesela.play.v1.ContributionState, by the same numbers; stored
/// by them too.
enum class ContributionState : std::uint8_t {
  kNone = 0,             // the player adds nothing
  kAwaited = 1,          // the game does not begin before
  kAfterCommitment = 2,  // added in a call of its own, which the commitment preceded
  kWithSeat = 3,         // added in the call that took the seat
  kWithheld = 4,         // was awaited, and the game has begun without it
};

/// What a player adds to the dice, after having seen the commitment.
struct Contribution {
  Seat seat;
  std::string bytes;  // as the player chose; may be empty

  friend bool operator==(const Contribution&, const Contribution&) = default;
};

/// The key of the game's dice: the server's seed, which nobody else knows, mixed with what the
/// players added, which the server did not know when it committed itself. `contributions` are in
/// the order of the seats, one for each that has made one; there may be none. Error:
/// kInvalidArgument.
[[nodiscard]] Expected<Seed> game_seed(const Seed& server_seed,
                                       std::span<const Contribution> contributions);

/// The server's seed of a day (UTC) for a game. `secret` is the server's own, at least 32 bytes:
/// the seed of one day tells nothing about that of another. `day` is a day of the years 1 to 9999.
[[nodiscard]] Seed daily_seed(std::string_view secret, std::chrono::year_month_day day,
                              std::string_view game);

}  // namespace tesela::games
