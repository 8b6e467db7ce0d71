// The games of games.def. A program with its own list compiles this source again with
// TESELA_GAMES_DEF (tesela_programs_with_games in cmake/tesela.cmake); the linker then does not
// take the library's object, which therefore defines nothing else.
#include <array>

#include "server/games/games.h"

#ifndef TESELA_GAMES_DEF
#define TESELA_GAMES_DEF "server/games/games.def"
#endif

namespace tesela::games {

#define TESELA_GAME(game) struct game##Codec;
#include TESELA_GAMES_DEF
#undef TESELA_GAME

std::span<const GameEntry> all_games() {
  static const std::array kGames{
#define TESELA_GAME(game) make_entry<game##Codec>(),
#include TESELA_GAMES_DEF
#undef TESELA_GAME
  };
  return kGames;
}

}  // namespace tesela::games
