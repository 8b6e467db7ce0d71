#include "clients/cli/games/samegame/samegame_screen.h"

#include <algorithm>
#include <array>

#include "clients/cli/screen/grid_board.h"
#include "clients/cli/screen/seat_words.h"

namespace tesela::cli {
namespace {

using game::v1::SameGameGroup;
using game::v1::SameGameStage;
using game::v1::SameGameView;

constexpr int kBoardTop = kGameTop + 1;

// By colour, from 1.
constexpr std::array kPaints = {
    Paint{.ink = 231, .paper = 160, .few_ink = 7, .few_paper = 1},
    Paint{.ink = 16, .paper = 114, .few_ink = 0, .few_paper = 2},
    Paint{.ink = 16, .paper = 220, .few_ink = 0, .few_paper = 3},
    Paint{.ink = 231, .paper = 26, .few_ink = 7, .few_paper = 4},
    Paint{.ink = 231, .paper = 97, .few_ink = 7, .few_paper = 5},
    Paint{.ink = 16, .paper = 80, .few_ink = 0, .few_paper = 6},
    Paint{.ink = 16, .paper = 255, .few_ink = 0, .few_paper = 7},
    Paint{.ink = 231, .paper = 238, .few_ink = 7, .few_paper = 0},
    Paint{.ink = 16, .paper = 209, .few_ink = 1, .few_paper = 7},
};

Style style_of(std::uint32_t colour) {
  return {.paint = kPaints.at((colour + kPaints.size() - 1) % kPaints.size()), .bold = true};
}

GridStage grid_stage(const SameGameStage& stage) {
  GridStage out{.cells = stage.cells(), .motions = stage.motions()};
  out.leaving.assign(stage.removed().begin(), stage.removed().end());
  return out;
}

bool fits(const SameGameView& view) {
  return view.columns() > 0 &&
         static_cast<std::uint32_t>(view.cells_size()) == view.rows() * view.columns();
}

std::string signed_words(std::int64_t number) {
  return (number > 0 ? "+" : "") + std::to_string(number);
}

std::string state_words(const SameGameView& view) {
  switch (view.outcome()) {
    case game::v1::SAME_GAME_OUTCOME_CLEARED:
      return "cleared";
    case game::v1::SAME_GAME_OUTCOME_STUCK:
      return "stuck";
    default:
      return "in play";
  }
}

/// "row 3 column 1", from 1; "?" without a board.
std::string place_words(std::uint32_t cell, std::uint32_t columns) {
  if (columns == 0) return "?";
  return "row " + std::to_string(cell / columns + 1) + " column " +
         std::to_string(cell % columns + 1);
}

}  // namespace

bool SameGameScreen::show(const google::protobuf::Any& view) {
  SameGameView next;
  if (!view.UnpackTo(&next) || !fits(next)) return false;
  const bool first = view_.cells().empty();
  if (first) row_ = next.rows() - 1;
  arrive(std::move(next));
  animation_.rest(view_.cells(), view_.columns());
  moving_ = false;
  news_.clear();
  return true;
}

bool SameGameScreen::follow(const play::v1::Event& event, const TableStatus& /*status*/) {
  game::v1::SameGameEvent happened;
  if (!event.body().UnpackTo(&happened) || !fits(happened.view())) return false;
  std::vector<GridStage> stages;
  for (const SameGameStage& stage : happened.stages()) {
    stages.push_back(grid_stage(stage));
    if (stage.kind() != game::v1::SAME_GAME_STAGE_KIND_REMOVE) continue;
    news_ = std::to_string(stage.removed_size()) +
            " tiles removed: " + signed_words(stage.points()) + ".";
  }
  arrive(std::move(*happened.mutable_view()));
  animation_.play(stages, view_.cells());
  moving_ = true;
  return true;
}

void SameGameScreen::arrive(SameGameView view) {
  view_ = std::move(view);
  set_size(view_.rows(), view_.columns());
  move_cursor_to_tile();
}

std::uint32_t SameGameScreen::cell_at(std::uint32_t row, std::uint32_t column) const {
  return view_.cells(static_cast<int>(row * view_.columns() + column));
}

void SameGameScreen::move_cursor_to_tile() {
  const std::uint32_t bottom = view_.rows() - 1;
  while (column_ > 0 && cell_at(bottom, column_) == 0) --column_;
  while (row_ < bottom && cell_at(row_, column_) == 0) ++row_;
}

const SameGameGroup* SameGameScreen::group() const {
  for (const SameGameGroup& group : view_.groups()) {
    if (std::ranges::find(group.cells(), cursor()) != group.cells().end()) return &group;
  }
  return nullptr;
}

GridLayout SameGameScreen::layout(const Canvas& canvas) const {
  constexpr std::uint32_t kWideColumnsMax = 18;
  const int rows = static_cast<int>(view_.rows());
  const int room = canvas.rows() - kGameBottom - kBoardTop;
  const int visible = std::min(rows, room);
  // A board that is higher than the terminal is seen around the cursor.
  const int first = std::clamp(static_cast<int>(row_) - visible / 2, 0, rows - visible);
  return {.rows = rows,
          .columns = static_cast<int>(view_.columns()),
          .tile_width = view_.columns() <= kWideColumnsMax ? 3 : 2,
          .top = kBoardTop - first,
          .left = kLeftMargin};
}

void SameGameScreen::draw(const TableStatus& status, Canvas& canvas) const {
  const GridLayout grid = layout(canvas);
  canvas.put(kGameTop, kLeftMargin, news_);
  for (const Sprite& sprite : animation_.sprites()) draw_sprite(grid, sprite, canvas);
  if (!moving_ && status.seat) draw_group(grid, canvas);
  draw_side(grid, status, canvas);
}

void SameGameScreen::draw_sprite(const GridLayout& layout, const Sprite& sprite,
                                 Canvas& canvas) const {
  const int y = layout.y(sprite.row);
  if (y < kBoardTop || y >= canvas.rows() - kGameBottom) return;
  Style style = style_of(sprite.content);
  style.reverse = sprite.look == Sprite::Look::kLeaving;
  draw_tile(layout, sprite.row, sprite.column, std::to_string(sprite.content), style, canvas);
}

/// Round brackets around the tiles of the group, square ones around the cursor.
void SameGameScreen::draw_group(const GridLayout& layout, Canvas& canvas) const {
  const auto frame = [&](std::uint32_t cell, char32_t left, char32_t right) {
    const int row = static_cast<int>(cell / view_.columns());
    const int x = layout.x(cell % view_.columns());
    const int y = layout.y(row);
    if (y < kBoardTop || y >= canvas.rows() - kGameBottom) return;
    const std::uint32_t colour = view_.cells(static_cast<int>(cell));
    Style style = colour == 0 ? kBold : style_of(colour);
    style.reverse = true;
    draw_tile(layout, row, cell % view_.columns(), colour == 0 ? "" : std::to_string(colour), style,
              canvas);
    if (layout.tile_width > 2) canvas.put(y, x, left, style);
    canvas.put(y, x + layout.tile_width - 1, right, style);
  };
  if (const auto* chosen = group()) {
    for (const std::uint32_t cell : chosen->cells()) frame(cell, U'(', U')');
  }
  frame(cursor(), U'[', U']');
}

void SameGameScreen::draw_side(const GridLayout& layout, const TableStatus& status,
                               Canvas& canvas) const {
  const auto* chosen = group();
  const std::string size = chosen == nullptr ? "-" : std::to_string(chosen->cells_size());
  const std::string worth = chosen == nullptr ? "-" : signed_words(chosen->points());
  const bool over = view_.groups().empty();
  std::vector<Fact> facts{{"Score", std::to_string(view_.score())},
                          {over ? "At the end" : "If it ended", signed_words(view_.final_bonus())},
                          {"Groups left", std::to_string(view_.groups_size())},
                          {"State", unless_resigned(status.result, state_words(view_))}};
  if (status.seat && !over) {
    facts.push_back({"This group", size});
    facts.push_back({"Worth", worth});
  }
  draw_facts(facts, kBoardTop, layout.left + layout.width() + kSideGap, canvas);
}

Pressed SameGameScreen::press(Key key, const TableStatus& /*status*/) {
  if (const auto way = way_of(key)) move_cursor(*way);
  if (key == U'g') next_group();
  if (key != key::kEnter && key != U' ') return {};
  if (group() == nullptr) return {.message = "A group has at least two tiles of a colour."};
  game::v1::SameGameMove move;
  move.set_cell(cursor());
  Pressed pressed;
  pressed.move.emplace().PackFrom(move);
  return pressed;
}

void SameGameScreen::next_group() {
  if (view_.groups().empty()) return;
  const auto next = std::find_if(view_.groups().begin(), view_.groups().end(),
                                 [&](const auto& group) { return group.cells(0) > cursor(); });
  const auto& group = next == view_.groups().end() ? view_.groups(0) : *next;
  row_ = group.cells(0) / view_.columns();
  column_ = group.cells(0) % view_.columns();
}

std::string SameGameScreen::help() const {
  return "arrows, WASD or HJKL   g: next group   enter: remove";
}

std::string SameGameScreen::verdict(const TableStatus& /*status*/) const {
  const std::string how = view_.outcome() == game::v1::SAME_GAME_OUTCOME_CLEARED
                              ? "The board is cleared: "
                              : "Game over, no group is left: ";
  return how + signed_words(view_.final_bonus()) + ", " + std::to_string(view_.score()) +
         " points in all.";
}

std::string SameGameScreen::score_words() const {
  return "score " + std::to_string(view_.score());
}

std::string SameGameScreen::line(const TableStatus& status) const {
  std::string line = score_words() + " ";
  for (std::uint32_t row = 0; row < view_.rows(); ++row) {
    line += "| ";
    for (std::uint32_t column = 0; column < view_.columns(); ++column) {
      const std::uint32_t colour = cell_at(row, column);
      line += (colour == 0 ? "." : std::to_string(colour)) + " ";
    }
  }
  return line + "| " + unless_resigned(status.result, state_words(view_));
}

std::string SameGameScreen::proposal_words(const google::protobuf::Any& move,
                                           const google::protobuf::Any& gain) const {
  game::v1::SameGameMove proposed;
  game::v1::SameGameGain brings;
  if (!move.UnpackTo(&proposed) || !gain.UnpackTo(&brings)) return "?";
  return place_words(proposed.cell(), view_.columns()) + ", " + std::to_string(brings.tiles()) +
         " tiles, +" + std::to_string(brings.points());
}

std::string SameGameScreen::move_words(const play::v1::Event& event,
                                       const TableStatus& /*status*/) const {
  game::v1::SameGameEvent happened;
  if (!event.body().UnpackTo(&happened)) return "?";
  return place_words(happened.move().cell(), happened.view().columns());
}

}  // namespace tesela::cli
