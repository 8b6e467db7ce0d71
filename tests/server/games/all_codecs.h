// The codecs of all games that ship, as the types of a typed test.
#pragma once

#include <codecs_of_games.h>
#include <gtest/gtest.h>

namespace tesela::test {

template <class, class... Types>
using TypesAfter = ::testing::Types<Types...>;

using AllCodecs = TypesAfter<void
#define TESELA_GAME(game) , games::game##Codec
#include "server/games/games.def"
#undef TESELA_GAME
                             >;

}  // namespace tesela::test
