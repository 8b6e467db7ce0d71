// Draws a search for opponents on a whole terminal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "clients/cli/screen/canvas.h"
#include "tesela/lobby/v1/matchmaking.pb.h"

namespace tesela::cli {

struct SearchPicture {
  std::string game;
  std::uint32_t party_size = 1;                    // the player included
  std::optional<lobby::v1::Searching> standing{};  // empty before the server's first message
  std::string message{};                           // such as a lost connection
};

void draw_search(const SearchPicture& picture, Canvas& canvas);

}  // namespace tesela::cli
