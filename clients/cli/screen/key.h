// Keys, as the screens of the games know them.
#pragma once

#include <optional>

namespace tesela::cli {

/// A character, or one of the keys below, which are above all characters.
using Key = char32_t;

namespace key {

constexpr Key kUp = 0x110000;  // above every character
constexpr Key kDown = kUp + 1;
constexpr Key kLeft = kUp + 2;
constexpr Key kRight = kUp + 3;
constexpr Key kEnter = kUp + 4;
constexpr Key kEscape = kUp + 5;
constexpr Key kBackspace = kUp + 6;
constexpr Key kHome = kUp + 7;
constexpr Key kEnd = kUp + 8;
constexpr Key kOther = kUp + 9;

}  // namespace key

/// A step on a grid.
struct Way {
  int rows = 0;
  int columns = 0;

  friend bool operator==(const Way&, const Way&) = default;
};

/// The direction of an arrow, of WASD, and of HJKL as in vi. Empty for other keys.
[[nodiscard]] constexpr std::optional<Way> way_of(Key key) {
  switch (key) {
    case key::kUp:
    case U'w':
    case U'k':
      return Way{.rows = -1};
    case key::kDown:
    case U's':
    case U'j':
      return Way{.rows = 1};
    case key::kLeft:
    case U'a':
    case U'h':
      return Way{.columns = -1};
    case key::kRight:
    case U'd':
    case U'l':
      return Way{.columns = 1};
    default:
      return std::nullopt;
  }
}

}  // namespace tesela::cli
