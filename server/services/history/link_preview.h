// What a link to a table shows where it is posted.
#pragma once

#include <string>

#include "server/store/table_rows.h"

namespace tesela::services {

struct LinkPreview {
  std::string title{"Tesela"};
  std::string description{};
  bool drawn{};  // TablePictures may draw the table
};

/// Whether anybody may see the table's game: not by invitation or without spectators, and no daily
/// game before its day is over.
[[nodiscard]] bool is_for_everybody(const store::TableRow& row);

/// "SameGame"
[[nodiscard]] std::string title_of_game(const store::TableRow& row);

/// Who plays, and how the game ended; of a table that is not for everybody only the game, and
/// whether it is a daily one. In English.
[[nodiscard]] LinkPreview link_preview(const store::TableRow& row);

}  // namespace tesela::services
