#include "clients/cli/screen/grid_animation.h"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <utility>

namespace tesela::cli {
namespace {

constexpr int kFramesPerSlide = 4;
constexpr std::chrono::milliseconds kFrameTime{16};
/// How long a tile that changes is marked.
constexpr std::chrono::milliseconds kMarkTime{48};
constexpr std::chrono::milliseconds kLeavingTime{120};

}  // namespace

void GridAnimation::rest(const Cells& cells, std::uint32_t columns) {
  cells_ = cells;
  columns_ = std::max(columns, 1U);
  settle();
}

void GridAnimation::play(const std::vector<GridStage>& stages, const Cells& after) {
  frames_.clear();
  if (std::ranges::all_of(stages, [this](const GridStage& stage) { return fits(stage); })) {
    for (const GridStage& stage : stages) {
      add_frames(cells_, stage);
      cells_ = stage.cells;
    }
  }
  cells_ = after;
}

std::optional<std::chrono::milliseconds> GridAnimation::next_frame() {
  if (frames_.empty()) {
    settle();
    return std::nullopt;
  }
  Frame frame = std::move(frames_.front());
  frames_.pop_front();
  sprites_ = std::move(frame.sprites);
  return frame.time;
}

void GridAnimation::settle() {
  frames_.clear();
  sprites_ = standing(cells_);
}

bool GridAnimation::fits(const GridStage& stage) const {
  const auto count = static_cast<std::uint32_t>(cells_.size());
  const auto inside = [count](std::uint32_t cell) { return cell < count; };
  return stage.cells.size() == cells_.size() && std::ranges::all_of(stage.leaving, inside) &&
         std::ranges::all_of(stage.merged, inside) && std::ranges::all_of(stage.fresh, inside) &&
         std::ranges::all_of(stage.motions, [&](const auto& motion) {
           return inside(motion.from()) && inside(motion.to());
         });
}

Sprite GridAnimation::sprite_at(std::uint32_t content, std::uint32_t cell) const {
  const std::uint32_t row = cell / columns_;
  const std::uint32_t column = cell % columns_;
  return {
      .content = content, .row = static_cast<double>(row), .column = static_cast<double>(column)};
}

std::vector<Sprite> GridAnimation::standing(const Cells& cells) const {
  std::vector<Sprite> sprites;
  for (int cell = 0; cell < cells.size(); ++cell) {
    if (cells[cell] == 0) continue;
    sprites.push_back(sprite_at(cells[cell], static_cast<std::uint32_t>(cell)));
  }
  return sprites;
}

/// The tiles of `before`, those in motion moved by `part` (0..1) of their way.
std::vector<Sprite> GridAnimation::in_between(const Cells& before, const GridStage& stage,
                                              double part) const {
  std::vector<std::uint32_t> target(static_cast<std::size_t>(before.size()));
  std::ranges::copy(std::views::iota(0U, static_cast<std::uint32_t>(target.size())),
                    target.begin());
  for (const auto& motion : stage.motions) target[motion.from()] = motion.to();
  std::vector<Sprite> sprites;
  for (std::uint32_t cell = 0; cell < target.size(); ++cell) {
    const std::uint32_t content = before[static_cast<int>(cell)];
    if (content == 0) continue;
    Sprite sprite = sprite_at(content, cell);
    const Sprite to = sprite_at(content, target[cell]);
    sprite.row += (to.row - sprite.row) * part;
    sprite.column += (to.column - sprite.column) * part;
    sprites.push_back(sprite);
  }
  return sprites;
}

void GridAnimation::add_frames(const Cells& before, const GridStage& stage) {
  if (!stage.leaving.empty()) {
    Frame before_leaving{.sprites = standing(before), .time = kLeavingTime};
    mark(before_leaving, stage.leaving, Sprite::Look::kLeaving);
    frames_.push_back(std::move(before_leaving));
  }
  const int steps = stage.motions.empty() ? 0 : kFramesPerSlide - 1;
  for (int step = 1; step <= steps; ++step) {
    const double part = static_cast<double>(step) / kFramesPerSlide;
    frames_.push_back({.sprites = in_between(before, stage, part), .time = kFrameTime});
  }
  const bool marked = !stage.merged.empty() || !stage.fresh.empty();
  Frame after{.sprites = standing(stage.cells), .time = marked ? kMarkTime : kFrameTime};
  mark(after, stage.merged, Sprite::Look::kMerged);
  mark(after, stage.fresh, Sprite::Look::kFresh);
  after.time += stage.pause;
  frames_.push_back(std::move(after));
}

void GridAnimation::mark(Frame& frame, const std::vector<std::uint32_t>& cells,
                         Sprite::Look look) const {
  for (const std::uint32_t cell : cells) {
    const Sprite place = sprite_at(0, cell);
    for (Sprite& sprite : frame.sprites) {
      if (sprite.row == place.row && sprite.column == place.column) sprite.look = look;
    }
  }
}

}  // namespace tesela::cli
