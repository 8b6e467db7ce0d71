// The position of a table as a picture for previews of links, in the colours of the page.
#pragma once

#include <string>
#include <vector>

#include "server/picture/canvas.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::picture {

inline constexpr int kWidth = 1200;
inline constexpr int kHeight = 630;

/// The words of a picture.
struct Caption {
  std::string game;                // "Azul"
  std::vector<std::string> names;  // of the seats
  std::string text;                // how the game stands
};

/// Raised with whatever changes in what is drawn: it is part of the entity tag.
inline constexpr int kDrawing = 1;

/// A PNG of kWidth and kHeight. A name with characters that the fonts lack is drawn as that of its
/// seat. Empty for a position that cannot be drawn, which is none of tesela.game.v1. Throws
/// std::runtime_error when a font cannot be read. Takes about 15 ms.
[[nodiscard]] std::string draw(const play::v1::Snapshot& position, const Caption& caption,
                               const Fonts& fonts);

}  // namespace tesela::picture
