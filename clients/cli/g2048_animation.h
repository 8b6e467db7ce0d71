// The stages of a move of 2048 as a short film: which tile stands where, and for how long. Knows no
// rules and no screen: what happened is in the stages' motions.
#pragma once

#include <google/protobuf/repeated_field.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "tesela/game/v1/g2048.pb.h"

namespace tesela::cli {

/// A tile on its way. Rows and columns may lie between cells.
struct Sprite {
  enum class Look : std::uint8_t { kPlain, kMerged, kFresh };

  std::uint32_t exponent = 0;
  double row = 0;
  double column = 0;
  Look look = Look::kPlain;

  friend bool operator==(const Sprite&, const Sprite&) = default;
};

/// One picture.
struct Frame {
  std::vector<Sprite> sprites;
  std::chrono::milliseconds time{};
};

using Cells = google::protobuf::RepeatedField<std::uint32_t>;
using Stages = google::protobuf::RepeatedPtrField<game::v1::Game2048Stage>;

/// The tiles of a grid at rest.
[[nodiscard]] std::vector<Sprite> sprites_of(const Cells& cells, std::uint32_t size);

/// From the grid `before` a move through its stages. The last frame shows the grid after the last
/// stage. Empty when there are no stages, or when they do not fit the grid.
[[nodiscard]] std::vector<Frame> animate(const Cells& before, const Stages& stages,
                                         std::uint32_t size);

}  // namespace tesela::cli
