// Unpredictable numbers, from the operating system by way of OpenSSL. Any thread.
#pragma once

#include <array>
#include <cstdint>

#include "engine/core/ids.h"

namespace tesela::base {

/// 256 bits that key a game's dice.
[[nodiscard]] std::array<std::uint8_t, 32> random_seed();

/// 128 bits that nobody guesses.
[[nodiscard]] std::array<std::uint8_t, 16> random_secret();

/// A new id: 1..2^63 - 1.
[[nodiscard]] TableId random_table_id();
[[nodiscard]] PlayerId random_player_id();
[[nodiscard]] TicketId random_ticket_id();

}  // namespace tesela::base
