#include "engine/samegame/text.h"

namespace tesela::samegame {

std::string draw(const Setting& setting, std::span<const Colour> cells) {
  std::string text;
  for (std::uint16_t cell = 0; cell < setting.cell_count(); ++cell) {
    const Colour colour = cells[cell];
    text.push_back(colour == kEmpty ? '.' : static_cast<char>('0' + colour));
    text.push_back((cell + 1) % setting.columns == 0 ? '\n' : ' ');
  }
  return text;
}

}  // namespace tesela::samegame
