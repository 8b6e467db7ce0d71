#include "clients/cli/games/g2248/g2248_screen.h"

#include <algorithm>

#include "clients/cli/screen/grid_board.h"
#include "clients/cli/screen/power_tile.h"
#include "clients/cli/screen/seat_words.h"

namespace tesela::cli {
namespace {

using game::v1::Game2248Stage;
using game::v1::Game2248View;

constexpr int kBoardTop = kGameTop + 1;
constexpr int kTileWidth = 6;
/// A score of 2^63 - 1 has 19 digits.
constexpr int kSideWidth = 19;
constexpr std::chrono::milliseconds kSumTime{250};

bool fits(const Game2248View& view) {
  return view.columns() > 0 &&
         static_cast<std::uint32_t>(view.cells_size()) == view.rows() * view.columns();
}

std::string value_words(std::uint32_t exponent) {
  return exponent == 0 ? "." : std::to_string(std::uint64_t{1} << (exponent & 63U));
}

/// The direction of a key; digits as on a keypad, with diagonals.
std::optional<Way> any_way_of(Key key) {
  if (key >= U'1' && key <= U'9') {
    const int number = static_cast<int>(key - U'1');
    return Way{.rows = 1 - number / 3, .columns = number % 3 - 1};
  }
  return way_of(key);
}

GridStage grid_stage(const Game2248Stage& stage, const game::v1::Game2248Move& move) {
  GridStage out{.cells = stage.cells(), .motions = stage.motions()};
  out.fresh.assign(stage.refilled().begin(), stage.refilled().end());
  for (const auto& motion : stage.motions()) {
    if (motion.merged()) out.merged.push_back(motion.to());
  }
  if (stage.kind() == game::v1::GAME2248_STAGE_KIND_SUM && move.chain().cells_size() > 0) {
    out.merged.push_back(*move.chain().cells().rbegin());
    out.pause = kSumTime;
  }
  return out;
}

std::string state_words(const Game2248View& view) {
  switch (view.outcome()) {
    case game::v1::GAME2248_OUTCOME_GOAL_REACHED:
      return "goal reached";
    case game::v1::GAME2248_OUTCOME_OVER:
      return view.goal_reached() ? "over, reached" : "over";
    default:
      return "in play";
  }
}

/// The goal is announced once (R-2248-6).
std::string news_of(const game::v1::Game2248Event& event) {
  if (event.move().has_booster()) return "All groups have collapsed.";
  for (const Game2248Stage& stage : event.stages()) {
    if (stage.kind() != game::v1::GAME2248_STAGE_KIND_SUM) continue;
    const std::string scored = "+" + std::to_string(stage.points()) + ".";
    return stage.goal_reached() ? scored + " You have reached the goal! Play goes on." : scored;
  }
  return {};
}

template <class Move>
Pressed played(const Move& move) {
  Pressed pressed;
  pressed.move.emplace().PackFrom(move);
  return pressed;
}

/// "chain 1,1 1,2", by rows and columns from 1, or "booster".
std::string chain_words(const game::v1::Game2248Move& move, std::uint32_t columns_of_board) {
  if (move.has_booster()) return "booster";
  std::string words = "chain";
  const std::uint32_t columns = std::max(columns_of_board, 1U);
  for (const std::uint32_t cell : move.chain().cells()) {
    words += " " + std::to_string(cell / columns + 1) + "," + std::to_string(cell % columns + 1);
  }
  return words;
}

}  // namespace

bool G2248Screen::show(const google::protobuf::Any& view) {
  Game2248View next;
  if (!view.UnpackTo(&next) || !fits(next)) return false;
  arrive(std::move(next));
  animation_.rest(view_.cells(), view_.columns());
  moving_ = false;
  news_.clear();
  return true;
}

bool G2248Screen::follow(const play::v1::Event& event, const TableStatus& /*status*/) {
  game::v1::Game2248Event happened;
  if (!event.body().UnpackTo(&happened) || !fits(happened.view())) return false;
  std::vector<GridStage> stages;
  for (const Game2248Stage& stage : happened.stages()) {
    stages.push_back(grid_stage(stage, happened.move()));
  }
  news_ = news_of(happened);
  arrive(std::move(*happened.mutable_view()));
  animation_.play(stages, view_.cells());
  moving_ = true;
  return true;
}

void G2248Screen::arrive(Game2248View view) {
  view_ = std::move(view);
  path_.clear();
  set_size(view_.rows(), view_.columns());
}

GridLayout G2248Screen::layout() const {
  constexpr std::uint32_t kRuledRowsMax = 8;
  constexpr std::uint32_t kRuledColumnsMax = 7;
  constexpr std::uint32_t kColumnsMost = 10;
  return {.rows = static_cast<int>(view_.rows()),
          .columns = static_cast<int>(view_.columns()),
          .tile_width = kTileWidth,
          .ruled = view_.rows() <= kRuledRowsMax && view_.columns() <= kRuledColumnsMax,
          .top = kBoardTop,
          // The largest board needs all columns left of the facts.
          .left = view_.columns() == kColumnsMost ? 0 : kLeftMargin};
}

void G2248Screen::draw(const TableStatus& status, Canvas& canvas) const {
  const GridLayout grid = layout();
  canvas.put(kGameTop, kLeftMargin, news_);
  draw_lines(grid, canvas);
  for (const Sprite& sprite : animation_.sprites()) draw_sprite(grid, sprite, canvas);
  if (!moving_ && status.seat && !status.result) draw_path(grid, canvas);
  draw_side(grid, status, canvas);
}

void G2248Screen::draw_sprite(const GridLayout& layout, const Sprite& sprite,
                              Canvas& canvas) const {
  const Style style{.paint = tile_paint(sprite.content),
                    .bold = true,
                    .reverse = sprite.look != Sprite::Look::kPlain};
  // The outer characters are reserved for the brackets of the path.
  draw_tile(layout, sprite.row, sprite.column, tile_text(sprite.content, kTileWidth - 2), style,
            canvas);
}

/// Round brackets around the cells of the path, a plus at those it can go on to, square brackets
/// around the cursor.
void G2248Screen::draw_path(const GridLayout& layout, Canvas& canvas) const {
  for (std::uint32_t cell = 0; cell < static_cast<std::uint32_t>(view_.cells_size()); ++cell) {
    if (path_.contains(cell)) {
      draw_cell(layout, cell, U'(', U')', true, canvas);
    } else if (!path_.empty() && path_.takes(cell)) {
      draw_cell(layout, cell, U'+', U' ', false, canvas);
    }
  }
  draw_cell(layout, cursor(), U'[', U']', path_.contains(cursor()), canvas);
}

void G2248Screen::draw_cell(const GridLayout& layout, std::uint32_t cell, char32_t left,
                            char32_t right, bool reverse, Canvas& canvas) const {
  const std::uint32_t exponent = view_.cells(static_cast<int>(cell));
  const Style style{.paint = tile_paint(exponent), .bold = true, .reverse = reverse};
  const std::uint32_t row = cell / view_.columns();
  const std::uint32_t column = cell % view_.columns();
  draw_tile(layout, row, column, tile_text(exponent, kTileWidth - 2), style, canvas);
  canvas.put(layout.y(row), layout.x(column), left, style);
  canvas.put(layout.y(row), layout.x(column) + kTileWidth - 1, right, style);
}

void G2248Screen::draw_side(const GridLayout& layout, const TableStatus& status,
                            Canvas& canvas) const {
  // R-2248-11: the score is hidden while a path is drawn.
  const Fact first =
      path_.empty() ? Fact{"Score", std::to_string(view_.score())} : Fact{"Path", path_words()};
  const int column =
      std::min(layout.left + layout.width() + kSideGap, canvas.columns() - kSideWidth);
  const auto best = std::max_element(view_.cells().begin(), view_.cells().end());
  draw_facts({first,
              {"Goal", std::to_string(view_.goal())},
              {"Best tile", best == view_.cells().end() ? "" : tile_text(*best, kSideWidth)},
              {"Moves", std::to_string(status.version > 0 ? status.version - 1 : 0)},
              {"Booster", view_.booster() ? "b" : "not now"},
              {"State", unless_resigned(status.result, state_words(view_))}},
             kBoardTop, column, canvas);
}

std::string G2248Screen::path_words() const {
  const auto value = path_.value();
  return value ? value_words(*value) : "above 2^60";
}

Pressed G2248Screen::press(Key key, const TableStatus& /*status*/) {
  if (const auto way = any_way_of(key)) {
    move_cursor(*way);
    return {};
  }
  switch (key) {
    case U' ':
      return press_cell();
    case key::kEnter:
      return play_path();
    case U'b':
      return play_booster();
    case key::kBackspace:
      if (!path_.empty()) path_.undo();
      return {};
    case key::kEscape:
      path_.clear();
      return {};
    default:
      return {};
  }
}

Pressed G2248Screen::press_cell() {
  if (!path_.empty() && path_.cells().back() == cursor()) {
    path_.undo();
  } else if (path_.takes(cursor())) {
    path_.extend(cursor());
  } else if (path_.empty()) {
    return {.message = "A path begins at a tile that has a neighbour of the same value."};
  } else if (path_.cells().size() == 1) {
    return {.message = "The second tile of a path is a neighbour of the same value."};
  } else {
    return {.message = "A path goes on to a neighbour of the same value or its double."};
  }
  return {};
}

Pressed G2248Screen::play_path() {
  if (path_.cells().size() < 2) return {.message = "Draw a path of at least two tiles: space."};
  if (!path_.value()) return {.message = "This path is worth more than 2^60."};
  game::v1::Game2248Move move;
  auto& chain = *move.mutable_chain();
  for (const std::uint32_t cell : path_.cells()) chain.add_cells(cell);
  return played(move);
}

Pressed G2248Screen::play_booster() {
  if (!view_.booster()) return {.message = "The booster has no group to collapse."};
  game::v1::Game2248Move move;
  move.mutable_booster();
  return played(move);
}

std::string G2248Screen::help() const {
  return "arrows, 1-9   space: draw, undo   enter: play   b: booster";
}

std::string G2248Screen::verdict(const TableStatus& /*status*/) const {
  return "Game over: no chain is left. You have " + std::to_string(view_.score()) + " points.";
}

std::string G2248Screen::score_words() const {
  return "score " + std::to_string(view_.score());
}

std::string G2248Screen::line(const TableStatus& status) const {
  std::string line = score_words() + " ";
  for (int cell = 0; cell < view_.cells_size(); ++cell) {
    if (cell % static_cast<int>(view_.columns()) == 0) line += "| ";
    line += value_words(view_.cells(cell)) + " ";
  }
  return line + "| " + unless_resigned(status.result, state_words(view_));
}

std::string G2248Screen::proposal_words(const google::protobuf::Any& move,
                                        const google::protobuf::Any& gain) const {
  game::v1::Game2248Move proposed;
  game::v1::Game2248Gain brings;
  if (!move.UnpackTo(&proposed) || !gain.UnpackTo(&brings)) return "?";
  return chain_words(proposed, view_.columns()) + ", +" + std::to_string(brings.points());
}

std::string G2248Screen::move_words(const play::v1::Event& event,
                                    const TableStatus& /*status*/) const {
  game::v1::Game2248Event happened;
  if (!event.body().UnpackTo(&happened)) return "?";
  return chain_words(happened.move(), happened.view().columns());
}

}  // namespace tesela::cli
