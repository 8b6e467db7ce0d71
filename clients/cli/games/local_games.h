// The one list of the games that are played and thought about here, without a server.
#pragma once

#include "clients/cli/games/azul/azul_text.h"
#include "clients/cli/games/g2048/g2048_text.h"
#include "clients/cli/games/g2248/g2248_text.h"
#include "clients/cli/games/samegame/samegame_text.h"
#include "server/codec/azul.h"
#include "server/codec/g2048.h"
#include "server/codec/g2248.h"
#include "server/codec/samegame.h"

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
  visit(LocalGame<G2048Words, codec::G2048Codec>{});
  visit(LocalGame<G2248Words, codec::G2248Codec>{});
  visit(LocalGame<SameGameWords, codec::SameGameCodec>{});
  visit(LocalGame<AzulWords, codec::AzulCodec>{});
}

}  // namespace tesela::cli
