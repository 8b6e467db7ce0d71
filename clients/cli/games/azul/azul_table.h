// Draws a table of Azul: the factory displays, the centre and the boards of two to four players.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clients/cli/games/azul/azul_choice.h"
#include "clients/cli/screen/canvas.h"
#include "clients/cli/screen/game_screen.h"
#include "tesela/game/v1/azul.pb.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

/// One picture of a table.
struct AzulPicture {
  game::v1::AzulTable table;
  std::uint32_t round = 0;               // from 1
  std::string sentence{};                // what happened last
  std::uint32_t seat = 0;                // on whose board
  std::vector<std::uint32_t> counted{};  // cells of that board's wall that made points
};

struct AzulFrame {
  const AzulPicture& picture;
  std::string headline;                      // the round, and the prompt
  const AzulChoice* choice = nullptr;        // of the player here, when on turn
  const play::v1::Result* result = nullptr;  // once the game is over
};

/// On the rows from kGameTop: two of words, the factory displays, the centre with bag and lid, and
/// the boards in two columns, each with its player's clock at its end. With four players all 19
/// rows of a terminal of 24 are in use.
void draw_azul(const AzulFrame& frame, const TableStatus& status, Canvas& canvas);

}  // namespace tesela::cli
