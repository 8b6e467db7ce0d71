// Questions about Azul.
#pragma once

#include "clients/cli/base/rules_json.h"

namespace tesela::cli {

/// All legal moves of a position, the centre's first.
[[nodiscard]] Expected<Json> answer_azul_legal(const Json& question);
/// The position after a move; when it was the round's last, before tiling.
[[nodiscard]] Expected<Json> answer_azul_apply(const Json& question);
/// Tiling and penalties of a whole table, without bonuses and without the next deal.
[[nodiscard]] Expected<Json> answer_azul_round_end(const Json& question);
/// What full pattern lines score on a wall.
[[nodiscard]] Expected<Json> answer_azul_tiling(const Json& question);
/// What a wall earns at the end of the game.
[[nodiscard]] Expected<Json> answer_azul_bonus(const Json& question);
/// How many tiles a deal gives to whom, whatever is drawn.
[[nodiscard]] Expected<Json> answer_azul_refill(const Json& question);
/// Who has won with these points and complete rows.
[[nodiscard]] Expected<Json> answer_azul_winner(const Json& question);
/// A whole game, dealt as the question says.
[[nodiscard]] Expected<Json> answer_azul_game(const Json& question);

}  // namespace tesela::cli
