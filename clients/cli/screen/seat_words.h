// Who sits where, and how a game ended, in words.
#pragma once

#include <cstdint>
#include <optional>
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

/// Whether a player gave up.
[[nodiscard]] bool has_resigned(const play::v1::Result& result);

/// "resigned" when a player gave up, else the game's own word for how it stands.
[[nodiscard]] std::string unless_resigned(const std::optional<play::v1::Result>& result,
                                          std::string words);

/// "Bob wins, 20 : 35.", "Ann and Bob share the first place, 20 : 20."; points in the order of
/// seats.
[[nodiscard]] std::string winner_words(const play::v1::Result& result,
                                       const std::vector<std::string>& names);

/// How a game ended that somebody gave up: "Ann has resigned. Bob wins, 20 : 35.", or of one seat
/// "Ann has resigned, with 120 points."
[[nodiscard]] std::string resigned_words(const play::v1::Result& result,
                                         const std::vector<std::string>& names);

}  // namespace tesela::cli
