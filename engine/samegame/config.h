// How a table of SameGame plays (R-SG-1, R-SG-5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/result.h"

namespace tesela::samegame {

/// The content of a cell: kEmpty, or a colour from 1.
using Colour = std::uint8_t;

inline constexpr Colour kEmpty = 0;
inline constexpr std::uint8_t kSideMin = 2;  // rows and columns
inline constexpr std::uint8_t kSideMax = 30;
inline constexpr Colour kColoursMin = 2;
inline constexpr Colour kColoursMax = 9;

/// The penalty for tiles that are left (R-SG-5).
enum class Penalty : std::uint8_t { kPerColour, kRemaining, kNone };

/// The part of the configuration that a position needs.
struct Setting {
  std::uint8_t rows{15};
  std::uint8_t columns{15};
  std::uint8_t colours{5};
  Penalty penalty{Penalty::kPerColour};

  [[nodiscard]] constexpr std::uint16_t cell_count() const {
    return static_cast<std::uint16_t>(rows * columns);
  }

  friend bool operator==(const Setting&, const Setting&) = default;
};

/// A default-made one is the usual game.
struct Config {
  Setting setting{};
  std::vector<Colour> cells{};  // the board, row-major; none: it is drawn

  friend bool operator==(const Config&, const Config&) = default;
};

/// Error: kInvalidArgument, with the fault and the right form.
[[nodiscard]] Expected<void> validate(const Config& config);

/// Whether a board is as moves leave it: no tile above an empty cell, no empty column to the
/// left of one that is not. Refuses like `validate`. The setting may be smaller than those that are
/// played; `cells` are as many as it has.
[[nodiscard]] Expected<void> validate_settled(const Setting& setting,
                                              const std::vector<Colour>& cells);

}  // namespace tesela::samegame
