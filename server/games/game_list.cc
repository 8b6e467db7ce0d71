// The games of games.def, or of the list of a program that brings its own: it compiles this source
// once more, with TESELA_GAMES_DEF as the name of its list (tesela_programs_with_games in
// cmake/tesela.cmake). The linker then leaves the object of the library out, which therefore
// defines nothing else.
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
