// The stages of a move on a grid as a short animation: where each tile is, and for how long. It has
// no rules and does not draw: the stages' motions say what happened.
#pragma once

#include <google/protobuf/repeated_field.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "tesela/game/v1/grid.pb.h"

namespace tesela::cli {

/// A tile, which may be moving: row and column may be between cells.
struct Sprite {
  enum class Look : std::uint8_t { kPlain, kMerged, kFresh, kLeaving };

  std::uint32_t content = 0;  // what the game writes into a cell, not 0
  double row = 0;
  double column = 0;
  Look look = Look::kPlain;

  friend bool operator==(const Sprite&, const Sprite&) = default;
};

/// The contents of the cells of a grid, row-major; 0 is empty.
using Cells = google::protobuf::RepeatedField<std::uint32_t>;
using Motions = google::protobuf::RepeatedPtrField<game::v1::Motion>;

/// A stage of any game that is played on a grid.
struct GridStage {
  Cells cells;                           // after the stage
  Motions motions{};                     // of the tiles that move
  std::vector<std::uint32_t> leaving{};  // cells whose tiles are removed
  std::vector<std::uint32_t> merged{};   // cells whose tile has changed
  std::vector<std::uint32_t> fresh{};    // cells whose tile is new
  std::chrono::milliseconds pause{};     // before the next stage
};

/// A grid of tiles, at rest or during an animation.
class GridAnimation {
 public:
  /// Shows the grid at rest.
  void rest(const Cells& cells, std::uint32_t columns);
  /// Starts the animation of `stages` from the grid at rest to `after`. Stages that do not fit the
  /// grid are not shown.
  void play(const std::vector<GridStage>& stages, const Cells& after);

  /// Goes to the next picture, and gives how long it is shown. Empty at rest.
  std::optional<std::chrono::milliseconds> next_frame();
  /// To the end of the animation.
  void settle();

  [[nodiscard]] const std::vector<Sprite>& sprites() const { return sprites_; }

 private:
  struct Frame {
    std::vector<Sprite> sprites;
    std::chrono::milliseconds time{};
  };

  [[nodiscard]] bool fits(const GridStage& stage) const;
  [[nodiscard]] Sprite sprite_at(std::uint32_t content, std::uint32_t cell) const;
  [[nodiscard]] std::vector<Sprite> standing(const Cells& cells) const;
  [[nodiscard]] std::vector<Sprite> in_between(const Cells& before, const GridStage& stage,
                                               double part) const;
  void add_frames(const Cells& before, const GridStage& stage);
  void mark(Frame& frame, const std::vector<std::uint32_t>& cells, Sprite::Look look) const;

  Cells cells_;  // of the grid at rest
  std::uint32_t columns_ = 1;
  std::vector<Sprite> sprites_;
  std::deque<Frame> frames_;  // still to be shown
};

}  // namespace tesela::cli
