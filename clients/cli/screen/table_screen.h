// A table on the whole of a terminal: what is the same for every game, around what the game draws.
#pragma once

#include <string>

#include "clients/cli/link.h"
#include "clients/cli/screen/canvas.h"
#include "clients/cli/screen/game_screen.h"

namespace tesela::cli {

struct TablePicture {
  std::string game;  // its name; empty before Welcome
  std::string table_id;
  std::string link_url;  // for spectators
  std::string invite{};  // of a private table
  Link link;
  bool spectating = false;
  std::string message;  // the last thing worth saying
  TableStatus status{};
};

/// How others come to watch.
[[nodiscard]] std::string watch_words(const TablePicture& picture);

/// `screen` draws once there is a position; null before.
void draw_table(const TablePicture& picture, const GameScreen* screen, Canvas& canvas);

}  // namespace tesela::cli
