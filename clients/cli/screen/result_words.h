// How a game ended, whatever game it was.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

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
