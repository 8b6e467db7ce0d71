// The five colours, and five small counts in one word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tesela::azul {

/// In the order in which everything of several colours is listed and drawn.
enum class Colour : std::uint8_t { kBlue, kYellow, kRed, kBlack, kWhite };
inline constexpr std::size_t kColourCount = 5;
inline constexpr std::array<Colour, kColourCount> kColours{
    Colour::kBlue, Colour::kYellow, Colour::kRed, Colour::kBlack, Colour::kWhite};

/// "blue", "yellow", "red", "black", "white".
[[nodiscard]] std::string_view name(Colour colour);

/// A byte for each colour: byte n belongs to colour n. The three upper bytes are 0.
using Lanes = std::uint64_t;

/// 1 in the byte of every colour.
inline constexpr Lanes kEachLane = 0x01'01'01'01'01;

/// By how many bits the byte of a colour is shifted.
[[nodiscard]] constexpr unsigned lane_shift(Colour colour) {
  return 8 * static_cast<unsigned>(colour);
}

/// The bytes added up; the sum is at most 255.
[[nodiscard]] constexpr unsigned lane_sum(Lanes lanes) {
  return static_cast<unsigned>(lanes * kEachLane >> 32 & 0xff);
}

/// A thing among those that the bytes count, the colours in their order.
struct NthOfLanes {
  Colour colour;
  unsigned nth;  // among those of its colour, from 0
};

/// The `nth` of all, from 0. The bytes add up to at most 127, and to more than `nth`.
[[nodiscard]] constexpr NthOfLanes nth_of_lanes(Lanes lanes, unsigned nth) {
  // Which colour is drawn cannot be foreseen by a branch: byte n of `up_to` counts the colours up
  // to n, and the high bits say which of these counts are not more than `nth`.
  const Lanes up_to = lanes * kEachLane;
  const Lanes passed = (((nth | 0x80) * kEachLane - (up_to & 0x7f * kEachLane)) >> 7) & kEachLane;
  const unsigned colour = lane_sum(passed);
  const auto before = static_cast<unsigned>(up_to << 8 >> 8 * colour & 0xff);
  return {.colour = static_cast<Colour>(colour), .nth = nth - before};
}

/// 0xff in the byte of each colour whose byte is not 0. The bytes are at most 127.
[[nodiscard]] constexpr Lanes lanes_in_use(Lanes lanes) {
  return ((lanes + 0x7f * kEachLane) >> 7 & kEachLane) * 0xff;
}

inline std::string_view name(Colour colour) {
  constexpr std::array<std::string_view, kColourCount> kNames{"blue", "yellow", "red", "black",
                                                              "white"};
  return kNames[static_cast<std::size_t>(colour)];
}

}  // namespace tesela::azul
