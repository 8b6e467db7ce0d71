// Sentences about a game of Azul: moves, stages, and how it ended. Lines, rows and factory displays
// count from 1, as the keys do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tesela/game/v1/azul.pb.h"

namespace tesela::cli {

/// B blue, Y yellow, R red, K black, W white, M the starting-player marker; '.' for 0, an empty
/// space.
[[nodiscard]] char piece_letter(std::uint32_t piece);
[[nodiscard]] std::string colour_word(std::uint32_t colour);

/// "Ann takes 3 red from factory 2 to line 3, 1 falls to the floor".
[[nodiscard]] std::string move_sentence(const game::v1::AzulEvent& event, const std::string& who);

/// "3 red from factory 2 to line 3, fills it: +4, 1 to the floor: -1".
[[nodiscard]] std::string proposal_sentence(const game::v1::AzulMove& move,
                                            const game::v1::AzulGain& gain);

/// "Ann tiles white in row 3: +4". `after` is the view after the move, which the sentences about
/// the deal and the end of the game need.
[[nodiscard]] std::string stage_sentence(const game::v1::AzulStage& stage,
                                         const game::v1::AzulView& after,
                                         const std::vector<std::string>& names);

/// Why the game is over: "no tile reached a wall for three rounds". Empty while it is in play.
[[nodiscard]] std::string end_words(const game::v1::AzulView& view);

}  // namespace tesela::cli
