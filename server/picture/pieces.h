// Coloured tiles, as the page has them (clients/web/src/styles/tiles.css, widgets/Patterns.svelte).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "server/picture/canvas.h"
#include "server/picture/path.h"

namespace tesela::picture {

inline constexpr std::uint32_t kInk = 0x2d2118;
inline constexpr std::uint32_t kPaper = 0xfffaf2;

/// The colour of 2 to the power of `exponent`.
inline std::uint32_t colour_of_value(std::size_t exponent) {
  constexpr std::array<std::uint32_t, 18> kColours{
      0x2b2536, 0xf9efdf, 0xf2dcb6, 0xf6bd7a, 0xf09e5a, 0xe87f4e, 0xc24a30, 0xb0324a, 0x952a62,
      0x74307d, 0x513a96, 0xf4c430, 0x3b56b4, 0x2a73a4, 0x177b80, 0x257846, 0x5d6f1f, 0x2b2536};
  return kColours.at(std::min(exponent, kColours.size() - 1));
}

/// The colour of the number on it.
inline std::uint32_t ink_of_value(std::size_t exponent) {
  return (exponent >= 1 && exponent <= 5) || exponent == 11 ? kInk : kPaper;
}

/// A tile with its pattern. Patterns are drawn on squares with sides of 40.
struct Piece {
  std::uint32_t colour{};
  std::uint32_t pattern{};
  double line{};  // the width of `lines`
  std::string_view lines{};
  std::string_view shapes{};
  std::array<Point, 4> dots{};  // with a radius of `dot`
  double dot{};
};

/// Of pieces 1 to 9, and 0 the starting-player marker.
inline const Piece& piece(std::size_t number) {
  static constexpr std::array<Piece, 10> kPieces{{
      {.colour = 0xfdf6e3, .pattern = 0xa4412a, .line = 4.5, .lines = "M16 12.5 L22 9 L22 31"},
      {.colour = 0x2660b4,
       .pattern = 0xbcd6ff,
       .line = 3.5,
       .lines = "M20 5 L35 20 L20 35 L5 20 Z",
       .shapes = "M20 13.5 L26.5 20 L20 26.5 L13.5 20 Z"},
      {.colour = 0xf0b429,
       .pattern = 0x7a4c00,
       .line = 3.5,
       .lines = "M20 4 L20 10 M20 30 L20 36 M4 20 L10 20 M30 20 L36 20 M8.7 8.7 L12.9 12.9"
                "M27.1 27.1 L31.3 31.3 M31.3 8.7 L27.1 12.9 M12.9 27.1 L8.7 31.3",
       .dots = {{{20, 20}, {20, 20}, {20, 20}, {20, 20}}},
       .dot = 6.5},
      {.colour = 0xc8352f,
       .pattern = 0xffd3c4,
       .shapes = "M20 18.5 C12 16 12 7 20 4.5 C28 7 28 16 20 18.5 Z"
                 "M20 21.5 C28 24 28 33 20 35.5 C12 33 12 24 20 21.5 Z"
                 "M18.5 20 C16 28 7 28 4.5 20 C7 12 16 12 18.5 20 Z"
                 "M21.5 20 C24 12 33 12 35.5 20 C33 28 24 28 21.5 20 Z"},
      {.colour = 0x2c2f3a,
       .pattern = 0x9aa6c0,
       .line = 3.5,
       .lines = "M7 7 L33 7 L33 33 L7 33 Z M15 15 L25 15 L25 25 L15 25 Z"},
      {.colour = 0xeef4f6,
       .pattern = 0x2c8a94,
       .line = 3,
       .lines = "M20 5 L20 35 M5 20 L35 20 M13 8 L20 14 L27 8 M13 32 L20 26 L27 32"
                "M8 13 L14 20 L8 27 M32 13 L26 20 L32 27"},
      {.colour = 0x3c8d4d, .pattern = 0xd6f5d2, .line = 3.5, .lines = "M20 6 L34 32 L6 32 Z"},
      {.colour = 0x7b4bb3,
       .pattern = 0xead7ff,
       .line = 3.5,
       .lines = "M5 14 Q12.5 5 20 14 Q27.5 23 35 14 M5 26 Q12.5 17 20 26 Q27.5 35 35 26"},
      {.colour = 0xe8772e, .pattern = 0x4a1f00, .line = 4.5, .lines = "M8 8 L32 32 M32 8 L8 32"},
      {.colour = 0x5cc3d8,
       .pattern = 0x0c4b5a,
       .dots = {{{12, 12}, {28, 12}, {12, 28}, {28, 28}}},
       .dot = 4.5},
  }};
  return kPieces.at(number);
}

/// `opacity`: below 1 a place for this piece alone.
inline void draw_piece(Canvas& canvas, std::size_t number, Point at, double side,
                       double opacity = 1) {
  const Piece& drawn = piece(number);
  const double scale = side / 40;
  const Colour pattern{.rgb = drawn.pattern, .opacity = opacity};
  const auto ground = Path::rounded(at.x, at.y, side, side, 6 * scale);
  canvas.fill(ground, {.rgb = drawn.colour, .opacity = opacity});
  canvas.stroke(ground, 1.5 * scale, {.rgb = 0, .opacity = 0.22 * opacity});
  if (!drawn.lines.empty()) {
    canvas.stroke(Path::of(drawn.lines, at, scale), drawn.line * scale, pattern);
  }
  if (!drawn.shapes.empty()) canvas.fill(Path::of(drawn.shapes, at, scale), pattern);
  if (drawn.dot == 0) return;
  for (const Point& dot : drawn.dots) {
    const Point middle{.x = at.x + scale * dot.x, .y = at.y + scale * dot.y};
    canvas.fill(Path::circle(middle, drawn.dot * scale), pattern);
  }
}

}  // namespace tesela::picture
