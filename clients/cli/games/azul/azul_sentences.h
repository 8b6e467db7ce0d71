// Azul in the words of a player: what was played, and what came of it. Lines, rows and factory
// displays are counted from 1 here, as the keys are.
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

/// "Ann tiles white in row 3: +4". Of what comes last, the deal or the end, with what `after`, the
/// view behind it, says of it.
[[nodiscard]] std::string stage_sentence(const game::v1::AzulStage& stage,
                                         const game::v1::AzulView& after,
                                         const std::vector<std::string>& names);

/// Why the rules have ended it: "no tile reached a wall for three rounds". Empty while they have
/// not.
[[nodiscard]] std::string end_words(const game::v1::AzulView& view);

}  // namespace tesela::cli
