#include "clients/cli/games/azul/azul_table.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "clients/cli/games/azul/azul_sentences.h"
#include "clients/cli/screen/seat_words.h"

namespace tesela::cli {
namespace {

using game::v1::AzulBoard;
using game::v1::AzulOffer;

constexpr int kCell = 3;  // the characters of a cell
constexpr int kFactoriesPerRow = 5;
constexpr int kFactoryWidth = 15;
constexpr int kBoardWidth = 39;
constexpr int kBoardHeight = 7;

// Inside a board.
constexpr int kNameColumn = 3;
constexpr int kNameWidth = 15;
constexpr int kPointsColumn = 25;
constexpr int kLinesColumn = 2;
constexpr int kArrowColumn = kLinesColumn + kAzulRows * kCell + 1;
constexpr int kWallColumn = kArrowColumn + 2;
constexpr int kFloorColumn = 6;
constexpr int kFloorSpaces = 7;
constexpr int kClockEnd = kBoardWidth - 2;

// By piece: none, blue, yellow, red, black, white, the marker.
constexpr std::array kPaints = {
    Paint{},
    Paint{.ink = 231, .paper = 26, .few_ink = 7, .few_paper = 4},
    Paint{.ink = 16, .paper = 220, .few_ink = 0, .few_paper = 3},
    Paint{.ink = 231, .paper = 160, .few_ink = 7, .few_paper = 1},
    Paint{.ink = 231, .paper = 238, .few_ink = 7, .few_paper = 0},
    Paint{.ink = 16, .paper = 255, .few_ink = 0, .few_paper = 7},
    Paint{.ink = 16, .paper = 80, .few_ink = 0, .few_paper = 6},
};

/// How a cell is highlighted.
enum class Mark : std::uint8_t { kNone, kChosen, kPlanned, kCounted };

char32_t small(char letter) {
  return static_cast<char32_t>(letter - 'A' + 'a');
}

void draw_piece(std::uint32_t piece, Mark mark, int row, int column, Canvas& canvas) {
  constexpr std::array<std::string_view, 4> kFrames{"  ", "[]", "++", "**"};
  const std::string_view frame = kFrames.at(static_cast<std::size_t>(mark));
  const Style style{.paint = kPaints.at(std::min<std::size_t>(piece, kPaints.size() - 1)),
                    .bold = true,
                    .reverse = mark == Mark::kPlanned || mark == Mark::kCounted};
  canvas.put(row, column, static_cast<char32_t>(frame[0]), style);
  canvas.put(row, column + 1, static_cast<char32_t>(piece_letter(piece)), style);
  canvas.put(row, column + 2, static_cast<char32_t>(frame[1]), style);
}

/// Right-aligned in `width`.
std::string padded(std::uint32_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width - std::min(width, digits.size()), ' ') + digits;
}

bool is_offered(const AzulChoice* choice, std::optional<std::uint32_t> factory,
                std::uint32_t colour) {
  const AzulOffer* offer = choice == nullptr ? nullptr : choice->current();
  return offer != nullptr && static_cast<std::uint32_t>(offer->colour()) == colour &&
         (factory ? offer->has_factory() && offer->factory() == *factory : offer->centre());
}

void draw_factory(const AzulFrame& frame, std::uint32_t factory, int row, int column,
                  Canvas& canvas) {
  canvas.put(row, column, std::to_string(factory + 1), kBold);
  int x = column + 2;
  for (std::uint32_t colour = 1; colour <= kAzulColours; ++colour) {
    const int index = static_cast<int>(factory * kAzulColours + colour - 1);
    const Mark mark = is_offered(frame.choice, factory, colour) ? Mark::kChosen : Mark::kNone;
    for (std::uint32_t tile = 0; tile < frame.picture.table.factories(index); ++tile) {
      draw_piece(colour, mark, row, x, canvas);
      x += kCell;
    }
  }
}

/// Returns the row below them.
int draw_factories(const AzulFrame& frame, int row, Canvas& canvas) {
  const int count = frame.picture.table.factories_size() / kAzulColours;
  for (int factory = 0; factory < count; ++factory) {
    draw_factory(frame, static_cast<std::uint32_t>(factory), row + factory / kFactoriesPerRow,
                 kLeftMargin + factory % kFactoriesPerRow * kFactoryWidth, canvas);
  }
  return row + (count + kFactoriesPerRow - 1) / kFactoriesPerRow;
}

std::string bag_words(const game::v1::AzulTable& table) {
  std::string words = "bag/lid";
  for (int colour = 0; colour < std::min(table.bag_size(), table.lid_size()); ++colour) {
    words += std::string{" "} + piece_letter(static_cast<std::uint32_t>(colour) + 1) +
             std::to_string(table.bag(colour)) + "/" + std::to_string(table.lid(colour));
  }
  return words;
}

void draw_centre(const AzulFrame& frame, int row, Canvas& canvas) {
  constexpr int kColourWidth = 6;
  constexpr int kBagColumn = 37;
  const auto& table = frame.picture.table;
  canvas.put(row, kLeftMargin, U'c', kBold);
  int x = kLeftMargin + 2;
  for (std::uint32_t colour = 1; colour <= kAzulColours; ++colour) {
    const std::uint32_t count = table.centre(static_cast<int>(colour) - 1);
    if (count == 0) continue;
    const bool offered = is_offered(frame.choice, std::nullopt, colour);
    draw_piece(colour, offered ? Mark::kChosen : Mark::kNone, row, x, canvas);
    canvas.put(row, x + kCell, std::to_string(count), kBold);
    x += kColourWidth;
  }
  if (table.marker_in_centre()) draw_piece(kAzulMarker, Mark::kNone, row, x, canvas);
  canvas.put(row, kBagColumn, bag_words(table), kDim);
}

/// One player's board on the canvas.
class BoardDrawing {
 public:
  BoardDrawing(const AzulFrame& frame, const TableStatus& status, std::uint32_t seat, int row,
               int column, Canvas& canvas)
      : frame_(frame),
        status_(status),
        board_(frame.picture.table.boards(static_cast<int>(seat))),
        seat_(seat),
        top_(row),
        left_(column),
        canvas_(canvas) {
    const bool own = status.seat == seat;
    if (own && frame.choice != nullptr && frame.choice->current() != nullptr) {
      choice_ = frame.choice;
    }
  }

  void draw() {
    draw_head();
    for (int row = 0; row < kAzulRows; ++row) {
      draw_line(row);
      draw_wall(row);
    }
    draw_floor();
  }

 private:
  void draw_head() {
    const bool on_turn =
        !status_.waiting && std::ranges::find(status_.on_turn, seat_) != status_.on_turn.end();
    std::string mark = on_turn ? ">" : "";
    if (const auto* standing = this->standing()) mark = "#" + std::to_string(standing->rank());
    const Style style{.bold = true, .reverse = on_turn};
    canvas_.fill(top_, left_, 1, kBoardWidth - 2, U' ', style);
    canvas_.put(top_, left_, mark, style);
    const std::string name = name_of(seat_, status_.names);
    const bool is_free = status_.waiting && !is_known(seat_, status_.names);
    canvas_.put(top_, left_ + kNameColumn, is_free ? "free seat" : name, style);
    canvas_.fill(top_, left_ + kNameColumn + kNameWidth, 1,
                 kBoardWidth - 2 - kNameColumn - kNameWidth, U' ', style);
    canvas_.put(top_, left_ + kNameColumn + kNameWidth + 1, role(), style);
    const std::string points = padded(board_.score(), 3) + " points";
    canvas_.put(top_, left_ + kPointsColumn, points, style);
  }

  void draw_line(int row) {
    const int y = top_ + 1 + row;
    canvas_.put(y, left_, std::to_string(row + 1), kDim);
    const int size = row + 1;
    const int count = static_cast<int>(board_.line_counts(row));
    const int planned = std::min(planned_for(row), size - count);
    for (int cell = 0; cell < size; ++cell) {
      // Cell 0 is filled first, and is the one beside the wall.
      const int x = left_ + kLinesColumn + (kAzulRows - 1 - cell) * kCell;
      if (cell < count) {
        draw_piece(board_.line_colours(row), Mark::kNone, y, x, canvas_);
      } else if (cell < count + planned) {
        draw_piece(chosen_colour(), Mark::kPlanned, y, x, canvas_);
      } else {
        canvas_.put(y, x + 1, U'.', kDim);
      }
    }
    canvas_.put(y, left_ + kArrowColumn, arrow(row), kBold);
  }

  void draw_wall(int row) {
    const int y = top_ + 1 + row;
    for (int column = 0; column < kAzulRows; ++column) {
      const int cell = row * kAzulRows + column;
      const int x = left_ + kWallColumn + column * kCell;
      const std::uint32_t tile = board_.wall(cell);
      if (tile != 0) {
        draw_piece(tile, is_counted(cell) ? Mark::kCounted : Mark::kNone, y, x, canvas_);
      } else {
        const auto colour = static_cast<std::uint32_t>((column + kAzulRows - row) % kAzulRows + 1);
        canvas_.put(y, x + 1, small(piece_letter(colour)), kDim);
      }
    }
  }

  void draw_floor() {
    constexpr std::array<std::string_view, kFloorSpaces> kCosts{"-1", "-1", "-2", "-2",
                                                                "-2", "-3", "-3"};
    const int y = top_ + 1 + kAzulRows;
    canvas_.put(y, left_, "floor", kDim);
    const int planned =
        choice_ != nullptr && choice_->placing() ? static_cast<int>(choice_->overflow()) : 0;
    const int marker = planned_marker() ? 1 : 0;
    for (int space = 0; space < kFloorSpaces; ++space) {
      const int x = left_ + kFloorColumn + space * kCell;
      const int ahead = space - board_.floor_size();
      if (ahead < 0) {
        draw_piece(board_.floor(space), Mark::kNone, y, x, canvas_);
      } else if (ahead < marker) {
        draw_piece(kAzulMarker, Mark::kPlanned, y, x, canvas_);
      } else if (ahead < marker + planned) {
        draw_piece(chosen_colour(), Mark::kPlanned, y, x, canvas_);
      } else {
        canvas_.put(y, x, kCosts.at(static_cast<std::size_t>(space)), kDim);
      }
    }
    draw_floor_arrow(y);
    const std::string note = clock();
    canvas_.put(y, left_ + kClockEnd - static_cast<int>(note.size()), note, kBold);
  }

  void draw_floor_arrow(int y) {
    if (choice_ == nullptr || !choice_->placing() || choice_->target() != kAzulFloor) return;
    canvas_.put(y, left_ + kFloorColumn + kFloorSpaces * kCell, U'<', kBold);
  }

  /// The standing of this seat; null while the game is in play.
  [[nodiscard]] const play::v1::Standing* standing() const {
    if (frame_.result == nullptr) return nullptr;
    const auto& all = frame_.result->standings();
    return seat_ < static_cast<std::uint32_t>(all.size()) ? &all[static_cast<int>(seat_)] : nullptr;
  }

  [[nodiscard]] std::string role() const {
    if (status_.seat == seat_) return "you";
    return std::string{mark() == kResigned ? kByBot : mark()};
  }

  [[nodiscard]] std::string_view mark() const {
    return seat_ < status_.marks.size() ? std::string_view{status_.marks[seat_]} : "";
  }

  /// The text at the end of the board's last row: the time left, or "resigned".
  [[nodiscard]] std::string clock() const {
    if (const auto* standing = this->standing())
      return standing->resigned() ? std::string{kResigned} : "";
    if (mark() == kResigned) return std::string{kResigned};
    return seat_ < status_.clocks.size() ? status_.clocks[seat_] : "";
  }

  /// How many tiles the player is about to put on the line.
  [[nodiscard]] int planned_for(int row) const {
    if (choice_ == nullptr || !choice_->placing()) return 0;
    return choice_->target() == static_cast<std::uint32_t>(row)
               ? static_cast<int>(choice_->current()->count())
               : 0;
  }

  [[nodiscard]] bool planned_marker() const {
    return choice_ != nullptr && choice_->placing() && choice_->current()->marker();
  }

  [[nodiscard]] std::uint32_t chosen_colour() const {
    return static_cast<std::uint32_t>(choice_->current()->colour());
  }

  /// '-' beside a line that can take the tiles, '<' beside the chosen line.
  [[nodiscard]] char32_t arrow(int row) const {
    if (choice_ == nullptr) return U' ';
    if (planned_for(row) > 0) return U'<';
    const auto& lines = choice_->current()->lines();
    return std::ranges::find(lines, static_cast<std::uint32_t>(row)) == lines.end() ? U' ' : U'-';
  }

  [[nodiscard]] bool is_counted(int cell) const {
    const auto& counted = frame_.picture.counted;
    return frame_.picture.seat == seat_ &&
           std::ranges::find(counted, static_cast<std::uint32_t>(cell)) != counted.end();
  }

  const AzulFrame& frame_;
  const TableStatus& status_;
  const AzulBoard& board_;
  std::uint32_t seat_;
  int top_;
  int left_;
  Canvas& canvas_;
  const AzulChoice* choice_ = nullptr;  // on the board of the player here
};

}  // namespace

void draw_azul(const AzulFrame& frame, const TableStatus& status, Canvas& canvas) {
  const int players = frame.picture.table.boards_size();
  const int air = players <= 2 ? 1 : 0;  // a blank row between the parts, where there is room
  canvas.put(kGameTop, kLeftMargin, frame.headline, kBold);
  canvas.put(kGameTop + 1, kLeftMargin, frame.picture.sentence);
  int row = draw_factories(frame, kGameTop + 2 + air, canvas);
  row += air;
  draw_centre(frame, row, canvas);
  row += 1 + 2 * air;
  for (int seat = 0; seat < players; ++seat) {
    BoardDrawing(frame, status, static_cast<std::uint32_t>(seat), row + seat / 2 * kBoardHeight,
                 kLeftMargin + seat % 2 * kBoardWidth, canvas)
        .draw();
  }
}

}  // namespace tesela::cli
