#include "clients/cli/games/screens.h"

#include <algorithm>
#include <array>

#include "clients/cli/games/azul/azul_screen.h"
#include "clients/cli/games/g2048/g2048_screen.h"
#include "clients/cli/games/g2248/g2248_screen.h"
#include "clients/cli/games/samegame/samegame_screen.h"

namespace tesela::cli {
namespace {

struct Entry {
  std::string_view game;
  std::unique_ptr<GameScreen> (*make)();
};

template <class Screen>
std::unique_ptr<GameScreen> make() {
  return std::make_unique<Screen>();
}

// A new game is a line here.
constexpr std::array kScreens = {
    Entry{"2048", &make<G2048Screen>},
    Entry{"2248", &make<G2248Screen>},
    Entry{"samegame", &make<SameGameScreen>},
    Entry{"azul", &make<AzulScreen>},
};

}  // namespace

std::unique_ptr<GameScreen> make_screen(std::string_view game) {
  const auto* entry = std::ranges::find(kScreens, game, &Entry::game);
  return entry == kScreens.end() ? nullptr : entry->make();
}

}  // namespace tesela::cli
