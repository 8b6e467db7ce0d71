// What a link to a table shows where it is posted.
#pragma once

#include <string>

#include "server/store/table_rows.h"

namespace tesela::services {

struct LinkPreview {
  std::string title{"Tesela"};
  std::string description{};
};

/// Who plays, and how the game ended; of a table by invitation or without spectators only the game,
/// and of a daily game only that it is one. In English.
[[nodiscard]] LinkPreview link_preview(const store::TableRow& row);

}  // namespace tesela::services
