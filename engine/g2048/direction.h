// The four moves of 2048.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tesela::g2048 {

/// Where the tiles slide.
enum class Direction : std::uint8_t { kLeft, kRight, kUp, kDown };

/// In the order in which moves are listed.
inline constexpr std::array kDirections{Direction::kLeft, Direction::kRight, Direction::kUp,
                                        Direction::kDown};

/// "left", "right", "up" or "down".
[[nodiscard]] constexpr std::string_view name(Direction direction) {
  constexpr std::array<std::string_view, kDirections.size()> kNames{"left", "right", "up", "down"};
  return kNames[static_cast<std::size_t>(direction)];
}

}  // namespace tesela::g2048
