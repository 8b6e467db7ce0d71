#include "engine/azul/colour.h"

namespace tesela::azul {

std::string_view name(Colour colour) {
  constexpr std::array<std::string_view, kColourCount> kNames{"blue", "yellow", "red", "black",
                                                              "white"};
  return kNames[static_cast<std::size_t>(colour)];
}

}  // namespace tesela::azul
