// The terminal games of server/games/games.def, or of the list that a program brings instead of it,
// as server/games/game_list.cc says.
#include <array>

#include "clients/cli/games/games.h"

#ifndef TESELA_GAMES_DEF
#define TESELA_GAMES_DEF "server/games/games.def"
#endif

namespace tesela::cli {

#define TESELA_GAME(game) extern const TerminalGame kTerminal##game;
#include TESELA_GAMES_DEF
#undef TESELA_GAME

std::span<const TerminalGame* const> all_games() {
  static constexpr std::array kGames{
#define TESELA_GAME(game) &kTerminal##game,
#include TESELA_GAMES_DEF
#undef TESELA_GAME
  };
  return kGames;
}

}  // namespace tesela::cli
