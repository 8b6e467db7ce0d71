// The players of a table and the result of a game, in words.
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

/// Marks of a seat that a strategy plays for its player, or whose player has resigned.
inline constexpr std::string_view kByBot = "by bot";
inline constexpr std::string_view kResigned = "resigned";

/// How each seat is played, by seat: "bot", kByBot, kResigned, or "away" for a player without a
/// stream. Empty for a connected player, and a free seat.
[[nodiscard]] std::vector<std::string> marks_of(const play::v1::Seating& seating);

/// Whether `names` has the name of the player on `seat`.
[[nodiscard]] bool is_known(std::uint32_t seat, const std::vector<std::string>& names);
/// The player's name; "player 2" where it is not known.
[[nodiscard]] std::string name_of(std::uint32_t seat, const std::vector<std::string>& names);

/// Whether a player has resigned.
[[nodiscard]] bool has_resigned(const play::v1::Result& result);

/// "resigned" when a player has resigned, else `words`, which are the game's own.
[[nodiscard]] std::string unless_resigned(const std::optional<play::v1::Result>& result,
                                          std::string words);

/// "Bob wins, 20 : 35.", "Ann and Bob share the first place, 20 : 20."; points in the order of
/// seats.
[[nodiscard]] std::string winner_words(const play::v1::Result& result,
                                       const std::vector<std::string>& names);

/// The result of a game in which somebody has resigned: "Ann has resigned. Bob wins, 20 : 35.", or
/// with one seat "Ann has resigned, with 120 points."
[[nodiscard]] std::string resigned_words(const play::v1::Result& result,
                                         const std::vector<std::string>& names);

}  // namespace tesela::cli
