// Who sits where in a tournament.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tesela::cli {

/// The bots of one game, by seat; a bot is its number.
using Seating = std::vector<std::uint8_t>;

/// The most bots of a tournament.
inline constexpr std::size_t kBotsMax = 32;

/// Every group of so many of the bots, in every rotation around the table, so that nobody has a
/// better seat. `seats` is from 1 to `bots`.
[[nodiscard]] std::vector<Seating> round_robin(std::size_t bots, std::size_t seats);

}  // namespace tesela::cli
