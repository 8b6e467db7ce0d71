#include "server/codec/move_type.h"

#include <algorithm>

#include "server/games/games.h"

namespace tesela::codec {

MoveType MoveType::named(std::string_view name) {
  MoveType type;
  const auto known = games::all_games();
  const auto game = std::ranges::find(known, name, &games::GameEntry::move_type);
  if (game != known.end()) {
    type.known_ = game->move_type;
  } else {
    type.other_ = name;
  }
  return type;
}

}  // namespace tesela::codec
