// The commitment to the server's seed, and how the seed of a game's dice is computed. The bytes are
// specified in engine/README.md ("Fair by proof"); tests/verify is a second implementation. Pure:
// any thread.
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

/// A seed from its stored bytes; empty when they are not 32.
[[nodiscard]] std::optional<Seed> seed_of(std::string_view bytes);

/// The terms of a game that the commitment covers.
struct Terms {
  std::string_view game;    // its name
  std::string_view config;  // the game's message with defaults filled in, as in the log
  std::uint8_t seats{};
};

/// The hash that the server shows before the first move. It binds the server to its seed and to the
/// terms without revealing the seed.
[[nodiscard]] base::Sha256 commitment(const Seed& server_seed, const Terms& terms);

/// The maximum size of a contribution, in bytes.
inline constexpr std::size_t kContributionBytesMax = 64;

/// Whether a player's `bytes` may be a contribution. Error: kInvalidArgument.
[[nodiscard]] Expected<void> check_contribution(std::string_view bytes);

/// The state of a seat's contribution: tesela.play.v1.ContributionState, by the same numbers, which
/// are also stored.
enum class ContributionState : std::uint8_t {
  kNone = 0,             // no contribution
  kAwaited = 1,          // the game waits for it
  kAfterCommitment = 2,  // made in a call of its own, after the commitment was shown
  kWithSeat = 3,         // made in the call that took the seat
  kWithheld = 4,         // missing when its time was over
};

/// The bytes that a player adds to the seed of the dice.
struct Contribution {
  Seat seat;
  std::string bytes;  // chosen by the player; may be empty

  friend bool operator==(const Contribution&, const Contribution&) = default;
};

/// The seed of the game's dice: a hash of the server's secret seed and the players' contributions,
/// which the server did not know at the time of the commitment. `contributions` are in the order of
/// the seats, one for each seat that has one; there may be none. Error: kInvalidArgument.
[[nodiscard]] Expected<Seed> game_seed(const Seed& server_seed,
                                       std::span<const Contribution> contributions);

/// The server's seed for the daily game of a day (UTC, years 1 to 9999). `secret` has at least 32
/// bytes; the seed of one day reveals nothing about that of another.
[[nodiscard]] Seed daily_seed(std::string_view secret, std::chrono::year_month_day day,
                              std::string_view game);

}  // namespace tesela::games
