// The one list of the games that are played and thought about here, without a server.
#pragma once

#include "clients/cli/simulation/azul_words.h"
#include "clients/cli/simulation/g2048_words.h"
#include "clients/cli/simulation/g2248_words.h"
#include "clients/cli/simulation/samegame_words.h"
#include "server/games/azul.h"
#include "server/games/g2048.h"
#include "server/games/g2248.h"
#include "server/games/samegame.h"

namespace tesela::cli {

/// How a game is told of, and how its configuration is read.
template <GameWords W, class C>
struct LocalGame {
  using Words = W;
  using Codec = C;
  using G = typename W::Game;
};

/// Calls visit(LocalGame<…>{}) for each. A new game is a line here.
template <class Visit>
void each_local_game(Visit&& visit) {
  visit(LocalGame<G2048Words, games::G2048Codec>{});
  visit(LocalGame<G2248Words, games::G2248Codec>{});
  visit(LocalGame<SameGameWords, games::SameGameCodec>{});
  visit(LocalGame<AzulWords, games::AzulCodec>{});
}

}  // namespace tesela::cli
