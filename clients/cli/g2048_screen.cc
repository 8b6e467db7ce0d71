#include "clients/cli/g2048_screen.h"

#include <curses.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "clients/cli/tile_text.h"

namespace tesela::cli {
namespace {

using game::v1::Game2048View;

constexpr int kBoardTop = 2;
constexpr int kBoardLeft = 2;
constexpr int kSideGap = 3;
constexpr int kFooterHeight = 4;
constexpr int kRowsMin = 24;
constexpr int kColumnsMin = 80;

struct Paint {
  short ink;
  short paper;
};
// By exponent, from 2 on; the last one stands for all above. Numbers of the xterm palette.
constexpr std::array kManyPaints = {
    Paint{236, 254}, Paint{236, 230}, Paint{16, 215}, Paint{16, 209}, Paint{16, 203},
    Paint{231, 160}, Paint{16, 229},  Paint{16, 227}, Paint{16, 221}, Paint{16, 220},
    Paint{16, 214},  Paint{16, 183},  Paint{16, 141}, Paint{231, 97}, Paint{231, 62},
    Paint{231, 25},  Paint{231, 23},
};
constexpr std::array kFewPaints = {
    Paint{COLOR_BLACK, COLOR_WHITE},   Paint{COLOR_BLACK, COLOR_CYAN},
    Paint{COLOR_BLACK, COLOR_YELLOW},  Paint{COLOR_WHITE, COLOR_RED},
    Paint{COLOR_WHITE, COLOR_MAGENTA}, Paint{COLOR_BLACK, COLOR_GREEN},
    Paint{COLOR_WHITE, COLOR_BLUE},
};
// Pairs of ncurses: first those of the connection, then those of the tiles.
constexpr short kGoodPair = 1;
constexpr short kWarnPair = 2;
constexpr short kBadPair = 3;
constexpr short kFirstTilePair = 4;

template <std::size_t kCount>
void define_pairs(const std::array<Paint, kCount>& paints) {
  short pair = kFirstTilePair;
  for (const auto& paint : paints) init_pair(pair++, paint.ink, paint.paper);
}

short tile_pair(Terminal::Colours colours, std::uint32_t exponent) {
  const auto index = static_cast<std::size_t>(exponent - 1);
  const std::size_t pair = colours == Terminal::Colours::kMany
                               ? std::min(index, kManyPaints.size() - 1)
                               : index % kFewPaints.size();
  return static_cast<short>(kFirstTilePair + static_cast<short>(pair));
}

void put(int row, int column, const std::string& text) {
  mvaddnstr(row, column, text.c_str(), std::max(COLS - column, 0));
}

std::string words_of(const Link& link) {
  switch (link.phase) {
    case Link::Phase::kConnecting:
      return "connecting";
    case Link::Phase::kOpen:
      return "connected";
    case Link::Phase::kWaiting:
      return "connection lost, trying again";
    case Link::Phase::kClosed:
      return "closed";
  }
  return {};
}

std::string words_of(const Game2048View& view) {
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

std::string legal_words(const Game2048View& view) {
  std::string words;
  for (const int direction : view.legal()) {
    constexpr std::array kNames = {"", "left", "right", "up", "down"};
    if (!words.empty()) words += ' ';
    words += kNames.at(static_cast<std::size_t>(direction));
  }
  return words.empty() ? "none" : words;
}

/// COLOR_PAIR is an int and attributes are unsigned, by curses.
unsigned pair_attribute(int pair) {
  return static_cast<unsigned>(COLOR_PAIR(pair));
}

}  // namespace

G2048Screen::G2048Screen(const Terminal& terminal) : colours_(terminal.colours()) {
  if (colours_ == Terminal::Colours::kNone) return;
  constexpr short kDefaultPaper = -1;
  init_pair(kGoodPair, COLOR_GREEN, kDefaultPaper);
  init_pair(kWarnPair, COLOR_YELLOW, kDefaultPaper);
  init_pair(kBadPair, COLOR_RED, kDefaultPaper);
  if (colours_ == Terminal::Colours::kMany) {
    define_pairs(kManyPaints);
  } else {
    define_pairs(kFewPaints);
  }
}

G2048Screen::Layout G2048Screen::layout_of(std::uint32_t size) {
  constexpr int kBoardHeightMax = 17;
  const int tiles = std::max(static_cast<int>(size), 1);
  const int height = std::clamp((kBoardHeightMax - 1) / tiles - 1, 1, 3);
  return {.size = tiles, .tile_height = height, .tile_width = 5 + height};
}

void G2048Screen::draw(const G2048Picture& picture) {
  erase();
  const Layout layout = layout_of(picture.view.size());
  if (LINES < kRowsMin || COLS < kColumnsMin) {
    put(0, 0, "Please make the terminal at least 80 x 24.");
  } else {
    draw_title(picture);
    if (picture.view.size() > 0) {
      draw_grid(layout);
      for (const auto& sprite : picture.sprites) draw_sprite(layout, sprite);
      draw_side(layout, picture);
    }
    draw_footer(picture);
  }
  refresh();
}

unsigned G2048Screen::link_attributes(Link::Phase phase) const {
  if (colours_ == Terminal::Colours::kNone) return A_BOLD;
  switch (phase) {
    case Link::Phase::kOpen:
      return pair_attribute(kGoodPair);
    case Link::Phase::kClosed:
      return pair_attribute(kBadPair);
    default:
      return pair_attribute(kWarnPair);
  }
}

void G2048Screen::draw_title(const G2048Picture& picture) {
  attron(A_BOLD);
  put(0, kBoardLeft, "2048");
  attroff(A_BOLD);
  put(0, kBoardLeft + 7, "table " + picture.table_id + (picture.spectating ? "  watching" : ""));
  const std::string state = words_of(picture.link);
  const unsigned attributes = link_attributes(picture.link.phase);
  attr_on(attributes, nullptr);
  put(0, COLS - static_cast<int>(state.size()) - 2, state);
  attr_off(attributes, nullptr);
}

void G2048Screen::draw_grid(const Layout& layout) {
  attron(A_DIM);
  for (int row = 0; row <= layout.size; ++row) {
    const int y = kBoardTop + row * (layout.tile_height + 1);
    mvhline_set(y, kBoardLeft, WACS_HLINE, layout.board_width());
  }
  for (int column = 0; column <= layout.size; ++column) {
    const int x = kBoardLeft + column * (layout.tile_width + 1);
    mvvline_set(kBoardTop, x, WACS_VLINE, layout.board_height());
    for (int row = 0; row <= layout.size; ++row) {
      const bool left = column == 0, right = column == layout.size;
      const bool top = row == 0, bottom = row == layout.size;
      const cchar_t* corner = WACS_PLUS;
      if (top) corner = left ? WACS_ULCORNER : right ? WACS_URCORNER : WACS_TTEE;
      if (bottom) corner = left ? WACS_LLCORNER : right ? WACS_LRCORNER : WACS_BTEE;
      if (!top && !bottom && left) corner = WACS_LTEE;
      if (!top && !bottom && right) corner = WACS_RTEE;
      mvadd_wch(kBoardTop + row * (layout.tile_height + 1), x, corner);
    }
  }
  attroff(A_DIM);
}

void G2048Screen::draw_sprite(const Layout& layout, const Sprite& sprite) {
  const int top =
      kBoardTop + 1 + static_cast<int>(std::lround(sprite.row * (layout.tile_height + 1)));
  const int left =
      kBoardLeft + 1 + static_cast<int>(std::lround(sprite.column * (layout.tile_width + 1)));
  unsigned attributes = A_BOLD;
  if (colours_ != Terminal::Colours::kNone) {
    attributes |= pair_attribute(tile_pair(colours_, sprite.exponent));
  }
  if (sprite.look != Sprite::Look::kPlain) attributes |= A_REVERSE;
  attr_on(attributes, nullptr);
  for (int row = 0; row < layout.tile_height; ++row)
    mvhline(top + row, left, ' ', layout.tile_width);
  const std::string text = tile_text(sprite.exponent, static_cast<std::size_t>(layout.tile_width));
  const int indent = (layout.tile_width - static_cast<int>(text.size())) / 2;
  put(top + layout.tile_height / 2, left + indent, text);
  attr_off(attributes, nullptr);
}

void G2048Screen::draw_side(const Layout& layout, const G2048Picture& picture) {
  const Game2048View& view = picture.view;
  const int column = kBoardLeft + layout.board_width() + kSideGap;
  const auto best = std::max_element(view.cells().begin(), view.cells().end());
  constexpr std::size_t kWidth = 12;
  int row = kBoardTop;
  const auto say = [&row, column](const std::string& name, const std::string& value) {
    put(row++, column, name);
    attron(A_BOLD);
    put(row++, column, value);
    attroff(A_BOLD);
    ++row;
  };
  say("Score", std::to_string(view.score()));
  say("Goal", std::to_string(view.objective()));
  say("Best tile", best == view.cells().end() ? "" : tile_text(*best, kWidth));
  say("Moves", std::to_string(picture.version > 0 ? picture.version - 1 : 0));
  say("State", words_of(view));
  say("Legal", legal_words(view));
}

void G2048Screen::draw_footer(const G2048Picture& picture) {
  const int row = LINES - kFooterHeight;
  attron(A_BOLD);
  put(row, kBoardLeft, picture.message);
  attroff(A_BOLD);
  put(row + 1, kBoardLeft,
      picture.spectating ? "q quit" : "arrows, WASD or HJKL move    n new game    q quit");
  put(row + 2, kBoardLeft, "Spectators: " + picture.link_url);
}

}  // namespace tesela::cli
