#include "clients/cli/screen/any_grid_screen.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tesela::cli {
namespace {

using game::v1::GridView;

constexpr int kGridTop = kGameTop + 1;

// By kind, from 1, as grid.proto names them; more kinds begin again.
constexpr std::array kKindPaints = {
    Paint{.ink = 231, .paper = 26, .few_ink = 7, .few_paper = 4},
    Paint{.ink = 16, .paper = 220, .few_ink = 0, .few_paper = 3},
    Paint{.ink = 231, .paper = 160, .few_ink = 7, .few_paper = 1},
    Paint{.ink = 231, .paper = 238, .few_ink = 7, .few_paper = 0},
    Paint{.ink = 16, .paper = 255, .few_ink = 0, .few_paper = 7},
    Paint{.ink = 16, .paper = 114, .few_ink = 0, .few_paper = 2},
    Paint{.ink = 231, .paper = 97, .few_ink = 7, .few_paper = 5},
    Paint{.ink = 16, .paper = 209, .few_ink = 1, .few_paper = 7},
    Paint{.ink = 16, .paper = 80, .few_ink = 0, .few_paper = 6},
};

/// An empty cell has no tile, but a sign, so that a grid of empty cells is seen.
std::string kind_text(std::uint32_t kind) {
  return kind == 0 ? "." : std::to_string(kind);
}

Style kind_style(std::uint32_t kind) {
  if (kind == 0) return kDim;
  return {.paint = kKindPaints.at((kind - 1) % kKindPaints.size()), .bold = true};
}

bool fits(const GridView& view) {
  return view.rows() > 0 && view.columns() > 0 &&
         static_cast<std::uint64_t>(view.cells_size()) ==
             std::uint64_t{view.rows()} * view.columns();
}

}  // namespace

bool AnyGridScreen::show(const google::protobuf::Any& view) {
  GridView next;
  if (!view.UnpackTo(&next) || !fits(next)) return false;
  arrive(next);
  animation_.rest(view_.cells(), view_.columns());
  return true;
}

bool AnyGridScreen::follow(const play::v1::Event& event, const TableStatus& /*status*/) {
  if (!fits(event.grid().view())) return false;
  std::vector<GridStage> stages;
  for (const auto& stage : event.grid().stages()) {
    stages.push_back({.cells = stage.cells(), .motions = stage.motions()});
  }
  arrive(event.grid().view());
  animation_.play(stages, view_.cells());
  return true;
}

void AnyGridScreen::arrive(const GridView& view) {
  view_ = view;
  set_size(view_.rows(), view_.columns());
}

const game::v1::GridMove* AnyGridScreen::move() const {
  const auto found = std::ranges::find(view_.moves(), cursor(), &game::v1::GridMove::cell);
  return found == view_.moves().end() ? nullptr : &*found;
}

GridLayout AnyGridScreen::layout(const Canvas& canvas) const {
  const int rows = static_cast<int>(view_.rows());
  const int visible = std::min(rows, canvas.rows() - kGameBottom - kGridTop);
  // A grid that is higher than the terminal is seen around the cursor.
  const int first = std::clamp(static_cast<int>(row_) - visible / 2, 0, rows - visible);
  return {.rows = rows,
          .columns = static_cast<int>(view_.columns()),
          .tile_width = 3,
          .top = kGridTop - first,
          .left = kLeftMargin};
}

void AnyGridScreen::draw(const TableStatus& status, Canvas& canvas) const {
  const GridLayout grid = layout(canvas);
  const auto shown = [&](double row) {
    return grid.y(row) >= kGridTop && grid.y(row) < canvas.rows() - kGameBottom;
  };
  canvas.put(kGameTop, kLeftMargin, view_.text());
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns && shown(row); ++column) {
      draw_tile(grid, row, column, kind_text(0), kind_style(0), canvas);
    }
  }
  for (const Sprite& sprite : animation_.sprites()) {
    if (!shown(sprite.row)) continue;
    draw_tile(grid, sprite.row, sprite.column, kind_text(sprite.content),
              kind_style(sprite.content), canvas);
  }
  if (status.seat && shown(row_)) {
    draw_brackets(grid, static_cast<int>(row_), static_cast<int>(column_), kBold, canvas);
  }
  std::vector<Fact> facts;
  for (const auto& fact : view_.facts()) facts.push_back({fact.name(), fact.value()});
  draw_facts(facts, kGridTop, grid.left + grid.width() + kSideGap, canvas);
}

Pressed AnyGridScreen::press(Key key, const TableStatus& /*status*/) {
  if (const auto way = way_of(key)) move_cursor(*way);
  if (key != key::kEnter && key != U' ') return {};
  if (const auto* chosen = move()) return {.move = chosen->move()};
  return {.message = "There is no move in this cell."};
}

std::string AnyGridScreen::help() const {
  return "arrows, WASD or HJKL   enter: play this cell";
}

std::string AnyGridScreen::verdict(const TableStatus& /*status*/) const {
  return view_.text();
}

std::string AnyGridScreen::score_words() const {
  if (view_.facts().empty()) return view_.text();
  return view_.facts(0).name() + " " + view_.facts(0).value();
}

std::string AnyGridScreen::line(const TableStatus& /*status*/) const {
  std::string line = score_words() + " ";
  for (int cell = 0; cell < view_.cells_size(); ++cell) {
    if (cell % static_cast<int>(view_.columns()) == 0) line += "| ";
    line += kind_text(view_.cells(cell)) + " ";
  }
  return line + "| " + view_.text();
}

std::string AnyGridScreen::proposal_words(const google::protobuf::Any& move,
                                          const google::protobuf::Any& /*gain*/) const {
  const std::uint32_t columns = std::max(view_.columns(), 1U);
  for (const auto& choice : view_.moves()) {
    if (choice.move().value() != move.value()) continue;
    return "row " + std::to_string(choice.cell() / columns + 1) + " column " +
           std::to_string(choice.cell() % columns + 1);
  }
  return "?";
}

/// Which cell was chosen is in the game's own message alone.
std::string AnyGridScreen::move_words(const play::v1::Event& event,
                                      const TableStatus& /*status*/) const {
  return event.grid().view().text();
}

}  // namespace tesela::cli
