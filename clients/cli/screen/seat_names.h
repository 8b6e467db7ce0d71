// Who sits where, for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

/// The players' names by seat; empty for a free seat.
[[nodiscard]] std::vector<std::string> names_of(const play::v1::Seating& seating);

/// A strategy plays in place of a player; of one who is away, or has given up.
inline constexpr std::string_view kByBot = "by bot";
inline constexpr std::string_view kResigned = "resigned";

/// How each seat is played, by seat: "bot", kByBot, kResigned, or "away" for a player without a
/// stream. Empty for a player who is there, and a free seat.
[[nodiscard]] std::vector<std::string> marks_of(const play::v1::Seating& seating);

[[nodiscard]] bool is_known(std::uint32_t seat, const std::vector<std::string>& names);
/// Of a player; "player 2" where the name is not known.
[[nodiscard]] std::string name_of(std::uint32_t seat, const std::vector<std::string>& names);

}  // namespace tesela::cli
