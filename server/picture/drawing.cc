#include "server/picture/drawing.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "server/picture/pieces.h"
#include "tesela/game/v1/azul.pb.h"
#include "tesela/game/v1/g2048.pb.h"
#include "tesela/game/v1/g2248.pb.h"
#include "tesela/game/v1/grid.pb.h"
#include "tesela/game/v1/samegame.pb.h"

namespace tesela::picture {
namespace {

namespace pb = game::v1;

constexpr Colour kGround{.rgb = 0xf6f2ea};
constexpr Colour kCard{.rgb = 0xfffdf9};
constexpr Colour kText{.rgb = 0x1f2536};
constexpr Colour kMuted{.rgb = 0x575e70};
constexpr Colour kLine{.rgb = 0xded6c6};
constexpr Colour kTurn{.rgb = 0x8f4e00};
constexpr Colour kBoard{.rgb = 0xddd3c1};
constexpr Colour kCell{.rgb = 0xebe3d5};
constexpr Colour kAzulCell{.rgb = 0xe9e3d6};
constexpr double kMargin = 48;

/// The page's sign, with its right or its left edge at x.
void draw_brand(Canvas& canvas, Point at, Align align) {
  constexpr double kSide = 52;
  constexpr double kSize = 32;
  constexpr TextStyle kStyle{.size = kSize, .colour = kText, .bold = true};
  if (align == Align::kRight) at.x -= kSide + 111;
  canvas.fill(Path::rounded(at.x, at.y, kSide, kSide, kSide * 14 / 64), {.rgb = 0x16233f});
  constexpr std::array<std::size_t, 4> kPieces{1, 2, 5, 3};
  for (std::size_t i = 0; i < kPieces.size(); ++i) {
    const double column = i % 2 == 0 ? 10 : 34;
    const double row = i < 2 ? 10 : 34;
    draw_piece(canvas, kPieces.at(i), {at.x + column * kSide / 64, at.y + row * kSide / 64},
               20 * kSide / 64);
  }
  canvas.text("Tesela", {at.x + kSide + 16, at.y + kSide / 2 + kSize * 0.36}, kStyle);
}

std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > (number < 0 ? 4U : 3U);) text.insert(at -= 3, ",");
  return text;
}

// --- Games on a grid

/// "131K", as the page has it for 2248.
std::string short_value(std::uint32_t exponent) {
  constexpr std::array<const char*, 7> kSuffixes{"", "K", "M", "G", "T", "P", "E"};
  std::uint64_t value = std::uint64_t{1} << std::min(exponent, 62U);
  if (value <= 99'999) return std::to_string(value);
  std::size_t power = 0;
  for (; value >= 1000; value /= 1000) ++power;
  return std::to_string(value) + kSuffixes.at(power);
}

struct Grid {
  std::size_t columns{};
  std::vector<std::uint32_t> cells;
  bool pieces{};  // otherwise numbers
  std::optional<std::int64_t> score{};
};

template <class View>
std::vector<std::uint32_t> cells_of(const View& view) {
  return {view.cells().begin(), view.cells().end()};
}

std::optional<Grid> grid_of(const play::v1::Snapshot& position) {
  const auto score = [](const auto& view) { return static_cast<std::int64_t>(view.score()); };
  if (pb::Game2048View view; position.view().UnpackTo(&view)) {
    return Grid{.columns = view.size(), .cells = cells_of(view), .score = score(view)};
  }
  if (pb::Game2248View view; position.view().UnpackTo(&view)) {
    return Grid{.columns = view.columns(), .cells = cells_of(view), .score = score(view)};
  }
  if (pb::SameGameView view; position.view().UnpackTo(&view)) {
    return Grid{
        .columns = view.columns(), .cells = cells_of(view), .pieces = true, .score = score(view)};
  }
  if (!position.has_grid()) return std::nullopt;
  return Grid{
      .columns = position.grid().columns(), .cells = cells_of(position.grid()), .pieces = true};
}

void draw_number(Canvas& canvas, std::uint32_t exponent, Point at, double side) {
  constexpr std::array<double, 9> kSizes{0.46, 0.46, 0.46, 0.38, 0.31, 0.26, 0.22, 0.17, 0.17};
  const std::string text = short_value(exponent);
  const double size = side * kSizes.at(std::min(text.size(), kSizes.size() - 1));
  canvas.fill(Path::rounded(at.x, at.y, side, side, side * 0.1),
              {.rgb = colour_of_value(exponent)});
  canvas.text(text, {at.x + side / 2, at.y + side / 2 + size * 0.35},
              {.size = size,
               .colour = {.rgb = ink_of_value(exponent)},
               .bold = true,
               .align = Align::kMiddle});
}

/// Draws the board at the left, and returns its right edge.
double draw_board(Canvas& canvas, const Grid& grid) {
  constexpr double kWidthMax = 640;
  constexpr double kHeightMax = kHeight - 2 * kMargin;
  constexpr double kPad = 14;
  const auto columns = static_cast<double>(grid.columns);
  const std::size_t row_count = grid.cells.size() / grid.columns;
  const auto rows = static_cast<double>(row_count);
  const double pitch = std::min((kWidthMax - 2 * kPad) / columns, (kHeightMax - 2 * kPad) / rows);
  const double side = pitch * 0.9;
  const double width = columns * pitch + 2 * kPad;
  const double height = rows * pitch + 2 * kPad;
  const double top = (kHeight - height) / 2;
  canvas.fill(Path::rounded(kMargin, top, width, height, 18), kBoard);
  for (std::size_t i = 0; i < grid.cells.size(); ++i) {
    const std::size_t column = i % grid.columns;
    const std::size_t row = i / grid.columns;
    const Point at{kMargin + kPad + (static_cast<double>(column) + 0.05) * pitch,
                   top + kPad + (static_cast<double>(row) + 0.05) * pitch};
    const std::uint32_t held = grid.cells[i];
    if (held == 0 || (grid.pieces && held > 9)) {
      canvas.fill(Path::rounded(at.x, at.y, side, side, side * 0.1), kCell);
    } else if (grid.pieces) {
      draw_piece(canvas, held, at, side);
    } else {
      draw_number(canvas, held, at, side);
    }
  }
  return kMargin + width;
}

void draw_grid(Canvas& canvas, const Grid& grid, const Caption& caption) {
  const double x = draw_board(canvas, grid) + 56;
  const double width = kWidth - kMargin - x;
  draw_brand(canvas, {x, kMargin}, Align::kLeft);
  canvas.text(caption.game, {x, 240},
              {.size = 80, .colour = kText, .bold = true, .width_max = width});
  double y = 240;
  for (const std::string& name : caption.names) {
    canvas.text(name, {x, y += 52}, {.size = 36, .colour = kMuted, .width_max = width});
  }
  if (grid.score) {
    canvas.text(grouped(*grid.score), {x, 452},
                {.size = 104, .colour = kTurn, .bold = true, .width_max = width});
    canvas.text("points", {x, 500}, {.size = 32, .colour = kMuted});
  }
  canvas.text(caption.text, {x, 574}, {.size = 32, .colour = kText, .width_max = width});
}

// --- Azul

/// The side of a cell, and the step to the next.
struct Cells {
  double side;
  double pitch = side * 1.07;
};

void draw_rows(Canvas& canvas, const pb::AzulBoard& board, Point at, Cells cells) {
  const double wall = at.x + 5 * cells.pitch + cells.side * 0.42;
  canvas.fill(Path::rounded(wall - cells.side * 0.22, at.y, 2, 5 * cells.pitch, 0), kLine);
  const auto empty = [&](Point cell) {
    canvas.fill(Path::rounded(cell.x, cell.y, cells.side, cells.side, cells.side * 0.16),
                kAzulCell);
  };
  for (int row = 0; row < 5; ++row) {
    const double y = at.y + row * cells.pitch;
    for (int i = 0; i <= row; ++i) {
      const Point cell{at.x + (4 - i) * cells.pitch, y};
      empty(cell);
      if (static_cast<std::uint32_t>(i) < board.line_counts(row)) {
        draw_piece(canvas, board.line_colours(row), cell, cells.side);
      }
    }
    for (int column = 0; column < 5; ++column) {
      const Point cell{wall + column * cells.pitch, y};
      const std::uint32_t tile = board.wall(5 * row + column);
      const auto printed = static_cast<std::size_t>((column - row + 5) % 5 + 1);
      empty(cell);
      draw_piece(canvas, tile != 0 ? tile : printed, cell, cells.side, tile != 0 ? 1 : 0.2);
    }
  }
}

void draw_floor(Canvas& canvas, const pb::AzulBoard& board, Point at, Cells cells) {
  constexpr std::array<const char*, 7> kCosts{"−1", "−1", "−2", "−2", "−2", "−3", "−3"};
  for (std::size_t i = 0; i < kCosts.size(); ++i) {
    const Point cell{at.x + static_cast<double>(i) * cells.pitch, at.y};
    canvas.fill(Path::rounded(cell.x, cell.y, cells.side, cells.side, cells.side * 0.16),
                kAzulCell);
    if (i < static_cast<std::size_t>(board.floor_size())) {
      draw_piece(canvas, board.floor(static_cast<int>(i)) % 6, cell, cells.side);
    } else {
      canvas.text(kCosts.at(i), {cell.x + cells.side / 2, cell.y + cells.side * 0.63},
                  {.size = cells.side * 0.38, .colour = kMuted, .align = Align::kMiddle});
    }
  }
}

struct AzulSeat {
  const pb::AzulBoard& board;
  std::string_view name;
  bool on_turn;
};

/// For two the name is above the board, for more beside it.
void draw_seat(Canvas& canvas, const AzulSeat& seat, Point at, double height, bool beside) {
  constexpr double kCardWidth = 540;
  constexpr double kPad = 18;
  const auto card = Path::rounded(at.x, at.y, kCardWidth, height, 16);
  canvas.fill(card, kCard);
  canvas.stroke(card, seat.on_turn ? 4 : 2, seat.on_turn ? kTurn : kLine);
  const Cells cells{.side = beside ? 28.0 : 44.5};
  const double width = 10 * cells.pitch + cells.side * 0.42;
  const Point board{at.x + kCardWidth - kPad - width, at.y + height - kPad - 6.2 * cells.pitch};
  const std::string points = std::to_string(seat.board.score());
  if (beside) {
    const double room = kCardWidth - 3 * kPad - width;
    canvas.text(seat.name, {at.x + kPad, at.y + 52},
                {.size = 30, .colour = kText, .bold = true, .width_max = room});
    canvas.text(points, {at.x + kPad, at.y + height - kPad - 8},
                {.size = 84, .colour = kTurn, .bold = true, .width_max = room});
  } else {
    canvas.text(points, {at.x + kCardWidth - kPad, at.y + 66},
                {.size = 60, .colour = kTurn, .bold = true, .align = Align::kRight});
    canvas.text(seat.name, {at.x + kPad, at.y + 60},
                {.size = 36, .colour = kText, .bold = true, .width_max = 380});
  }
  draw_rows(canvas, seat.board, board, cells);
  draw_floor(canvas, seat.board, {board.x, board.y + 5.2 * cells.pitch}, cells);
}

void draw_azul(Canvas& canvas, const pb::AzulView& view, const Caption& caption) {
  draw_brand(canvas, {kWidth - kMargin, 40}, Align::kRight);
  const double title =
      canvas.text(caption.game, {kMargin, 92}, {.size = 64, .colour = kText, .bold = true});
  canvas.text(caption.text, {kMargin + title + 28, 92},
              {.size = 34, .colour = kMuted, .width_max = 840 - title});
  const int boards = view.table().boards_size();
  const bool beside = boards > 2;
  const double height = beside ? 222 : 404;
  for (int seat = 0; seat < boards; ++seat) {
    const auto index = static_cast<std::size_t>(seat);
    const int row = seat / 2;
    const Point at{kMargin + (seat % 2) * 564.0, beside ? 128 + row * (height + 20) : 150};
    draw_seat(canvas,
              {.board = view.table().boards(seat),
               .name = index < caption.names.size() ? caption.names[index] : std::string_view{},
               .on_turn = view.has_turn() && view.turn() == static_cast<std::uint32_t>(seat)},
              at, height, beside);
  }
}

}  // namespace

std::string draw(const play::v1::Snapshot& position, const Caption& caption, const Fonts& fonts) {
  Canvas canvas(kWidth, kHeight, kGround, fonts);
  Caption shown = caption;
  for (std::size_t seat = 0; seat < shown.names.size(); ++seat) {
    if (!canvas.has_all_of(shown.names[seat])) {
      shown.names[seat] = "Player " + std::to_string(seat + 1);
    }
  }
  if (!canvas.has_all_of(shown.text)) shown.text.clear();
  if (pb::AzulView view; position.view().UnpackTo(&view)) {
    draw_azul(canvas, view, shown);
  } else if (const auto grid = grid_of(position); grid && grid->columns > 0) {
    draw_grid(canvas, *grid, shown);
  } else {
    return {};
  }
  return canvas.png();
}

}  // namespace tesela::picture
