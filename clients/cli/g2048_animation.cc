#include "clients/cli/g2048_animation.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tesela::cli {
namespace {

using game::v1::Game2048Stage;

constexpr int kFramesPerSlide = 4;
constexpr std::chrono::milliseconds kFrameTime{16};
/// How long a merged or a new tile is marked.
constexpr std::chrono::milliseconds kMarkTime{48};

Sprite sprite_at(std::uint32_t exponent, std::uint32_t cell, std::uint32_t size) {
  const std::uint32_t row = cell / size;
  const std::uint32_t column = cell % size;
  return {
      .exponent = exponent, .row = static_cast<double>(row), .column = static_cast<double>(column)};
}

/// The tiles of `before`, those in motion moved by `part` (0..1) of their way.
std::vector<Sprite> in_between(const Cells& before, const Game2048Stage& stage, std::uint32_t size,
                               double part) {
  std::vector<std::uint32_t> target(static_cast<std::size_t>(before.size()));
  for (std::size_t cell = 0; cell < target.size(); ++cell) {
    target[cell] = static_cast<std::uint32_t>(cell);
  }
  for (const auto& motion : stage.motions()) target[motion.from()] = motion.to();
  std::vector<Sprite> sprites;
  for (std::uint32_t cell = 0; cell < target.size(); ++cell) {
    const std::uint32_t exponent = before[static_cast<int>(cell)];
    if (exponent == 0) continue;
    const Sprite from = sprite_at(exponent, cell, size);
    const Sprite to = sprite_at(exponent, target[cell], size);
    sprites.push_back({.exponent = exponent,
                       .row = from.row + (to.row - from.row) * part,
                       .column = from.column + (to.column - from.column) * part});
  }
  return sprites;
}

/// The grid after the stage, with the tiles marked that the stage made.
Frame settled(const Game2048Stage& stage, std::uint32_t size) {
  Frame frame{.sprites = sprites_of(stage.cells(), size), .time = kFrameTime};
  const auto mark = [&](std::uint32_t cell, Sprite::Look look) {
    const Sprite place = sprite_at(0, cell, size);
    for (auto& sprite : frame.sprites) {
      if (sprite.row == place.row && sprite.column == place.column) sprite.look = look;
    }
    frame.time = kMarkTime;
  };
  for (const auto& motion : stage.motions()) {
    if (motion.merged()) mark(motion.to(), Sprite::Look::kMerged);
  }
  if (stage.has_spawned()) mark(stage.spawned(), Sprite::Look::kFresh);
  return frame;
}

bool fits(const Game2048Stage& stage, std::uint32_t cells) {
  return static_cast<std::uint32_t>(stage.cells_size()) == cells &&
         std::all_of(stage.motions().begin(), stage.motions().end(), [cells](const auto& motion) {
           return motion.from() < cells && motion.to() < cells;
         });
}

}  // namespace

std::vector<Sprite> sprites_of(const Cells& cells, std::uint32_t size) {
  std::vector<Sprite> sprites;
  for (int cell = 0; cell < cells.size(); ++cell) {
    if (cells[cell] == 0) continue;
    sprites.push_back(sprite_at(cells[cell], static_cast<std::uint32_t>(cell), size));
  }
  return sprites;
}

std::vector<Frame> animate(const Cells& before, const Stages& stages, std::uint32_t size) {
  std::vector<Frame> frames;
  const Cells* cells = &before;
  for (const auto& stage : stages) {
    if (size == 0 || before.size() != static_cast<int>(size * size) || !fits(stage, size * size)) {
      return {};
    }
    const int steps = stage.motions().empty() ? 0 : kFramesPerSlide - 1;
    for (int step = 1; step <= steps; ++step) {
      frames.push_back(
          {.sprites = in_between(*cells, stage, size, static_cast<double>(step) / kFramesPerSlide),
           .time = kFrameTime});
    }
    frames.push_back(settled(stage, size));
    cells = &stage.cells();
  }
  return frames;
}

}  // namespace tesela::cli
