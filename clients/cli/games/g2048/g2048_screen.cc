#include "clients/cli/games/g2048/g2048_screen.h"

#include <algorithm>
#include <array>

#include "clients/cli/screen/grid_board.h"
#include "clients/cli/screen/power_tile.h"
#include "clients/cli/screen/seat_words.h"

namespace tesela::cli {
namespace {

using game::v1::Direction;
using game::v1::Game2048View;

std::optional<Direction> direction_of(Key key) {
  const auto way = way_of(key);
  if (!way) return std::nullopt;
  if (way->rows != 0) return way->rows < 0 ? game::v1::DIRECTION_UP : game::v1::DIRECTION_DOWN;
  return way->columns < 0 ? game::v1::DIRECTION_LEFT : game::v1::DIRECTION_RIGHT;
}

std::string direction_word(int direction) {
  constexpr std::array kWords = {"?", "left", "right", "up", "down"};
  return kWords.at(static_cast<std::size_t>(direction));
}

bool is_legal(const Game2048View& view, Direction direction) {
  return std::find(view.legal().begin(), view.legal().end(), direction) != view.legal().end();
}

std::string state_words(const Game2048View& view) {
  switch (view.outcome()) {
    case game::v1::GAME2048_OUTCOME_OBJECTIVE_REACHED:
      return "reached, play on";
    case game::v1::GAME2048_OUTCOME_WON:
      return "won";
    case game::v1::GAME2048_OUTCOME_LOST:
      return view.objective_reached() ? "over, reached" : "over";
    default:
      return "in play";
  }
}

std::string outcome_words(const Game2048View& view) {
  switch (view.outcome()) {
    case game::v1::GAME2048_OUTCOME_OBJECTIVE_REACHED:
      return "objective reached";
    case game::v1::GAME2048_OUTCOME_LOST:
      return "lost";
    default:
      return state_words(view);
  }
}

std::string legal_words(const Game2048View& view) {
  std::string words;
  for (const int direction : view.legal()) {
    if (!words.empty()) words += ' ';
    words += direction_word(direction);
  }
  return words.empty() ? "none" : words;
}

GridStage grid_stage(const game::v1::Game2048Stage& stage) {
  GridStage out{.cells = stage.cells(), .motions = stage.motions()};
  for (const auto& motion : stage.motions()) {
    if (motion.merged()) out.merged.push_back(motion.to());
  }
  if (stage.has_spawned()) out.fresh.push_back(stage.spawned());
  return out;
}

}  // namespace

bool G2048Screen::show(const google::protobuf::Any& view) {
  Game2048View next;
  if (!view.UnpackTo(&next)) return false;
  view_ = std::move(next);
  animation_.rest(view_.cells(), view_.size());
  return true;
}

bool G2048Screen::follow(const play::v1::Event& event, const TableStatus& /*status*/) {
  game::v1::Game2048Event happened;
  if (!event.body().UnpackTo(&happened)) return false;
  view_ = std::move(*happened.mutable_view());
  std::vector<GridStage> stages;
  for (const auto& stage : happened.stages()) stages.push_back(grid_stage(stage));
  animation_.play(stages, view_.cells());
  return true;
}

GridLayout G2048Screen::layout() const {
  constexpr int kBoardHeightMax = 17;
  const int size = std::max(static_cast<int>(view_.size()), 1);
  const int height = std::clamp((kBoardHeightMax - 1) / size - 1, 1, 3);
  return {.rows = size,
          .columns = size,
          .tile_height = height,
          .tile_width = 5 + height,
          .ruled = true,
          .top = kGameTop + 1,
          .left = kLeftMargin};
}

void G2048Screen::draw(const TableStatus& status, Canvas& canvas) const {
  const GridLayout grid = layout();
  draw_lines(grid, canvas);
  for (const Sprite& sprite : animation_.sprites()) draw_sprite(sprite, canvas);
  const auto best = std::max_element(view_.cells().begin(), view_.cells().end());
  constexpr std::size_t kWidth = 12;
  const std::string best_tile = best == view_.cells().end() ? "" : tile_text(*best, kWidth);
  draw_facts({{"Score", std::to_string(view_.score())},
              {"Goal", std::to_string(view_.objective())},
              {"Best tile", best_tile},
              {"Moves", std::to_string(status.version > 0 ? status.version - 1 : 0)},
              {"State", unless_resigned(status.result, state_words(view_))},
              {"Legal", legal_words(view_)}},
             grid.top, grid.left + grid.width() + kSideGap, canvas);
}

void G2048Screen::draw_sprite(const Sprite& sprite, Canvas& canvas) const {
  const GridLayout grid = layout();
  const Style style{.paint = tile_paint(sprite.content),
                    .bold = true,
                    .reverse = sprite.look != Sprite::Look::kPlain};
  const std::string text = tile_text(sprite.content, static_cast<std::size_t>(grid.tile_width));
  draw_tile(grid, sprite.row, sprite.column, text, style, canvas);
}

Pressed G2048Screen::press(Key key, const TableStatus& /*status*/) {
  const auto direction = direction_of(key);
  if (!direction) return {};
  if (!is_legal(view_, *direction)) return {.message = "That would not move a tile."};
  game::v1::Game2048Move move;
  move.set_direction(*direction);
  Pressed pressed;
  pressed.move.emplace().PackFrom(move);
  return pressed;
}

std::string G2048Screen::verdict(const TableStatus& /*status*/) const {
  return view_.outcome() == game::v1::GAME2048_OUTCOME_WON ? "You have won."
                                                           : "Game over: nothing can move.";
}

std::string G2048Screen::line(const TableStatus& status) const {
  std::string line = score_words() + " ";
  for (int cell = 0; cell < view_.cells_size(); ++cell) {
    if (cell % static_cast<int>(view_.size()) == 0) line += "| ";
    const std::uint32_t exponent = view_.cells(cell);
    line += exponent == 0 ? "." : std::to_string(std::uint64_t{1} << (exponent & 63U));
    line += ' ';
  }
  return line + "| " + unless_resigned(status.result, outcome_words(view_));
}

std::string G2048Screen::score_words() const {
  return "score " + std::to_string(view_.score());
}

std::string G2048Screen::proposal_words(const google::protobuf::Any& move,
                                        const google::protobuf::Any& gain) const {
  game::v1::Game2048Move proposed;
  game::v1::Game2048Gain brings;
  if (!move.UnpackTo(&proposed) || !gain.UnpackTo(&brings)) return "?";
  return direction_word(proposed.direction()) + ", +" + std::to_string(brings.points()) + ", " +
         std::to_string(brings.free_cells()) + " free";
}

std::string G2048Screen::move_words(const play::v1::Event& event,
                                    const TableStatus& /*status*/) const {
  game::v1::Game2048Event happened;
  if (!event.body().UnpackTo(&happened)) return "?";
  return direction_word(happened.move().direction());
}

}  // namespace tesela::cli
