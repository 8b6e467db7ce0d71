#include "clients/cli/play/terminal.h"

#include <curses.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <cstdio>
#include <cwchar>
#include <stdexcept>

#include "server/base/printing/colour.h"

namespace tesela::cli {
namespace {

/// How long after ESC the rest of an arrow key may come.
constexpr int kEscapeDelayMs = 25;
constexpr int kManyColours = 256;

Key key_named(wint_t code) {
  switch (code) {
    case KEY_UP:
      return key::kUp;
    case KEY_DOWN:
      return key::kDown;
    case KEY_LEFT:
      return key::kLeft;
    case KEY_RIGHT:
      return key::kRight;
    case KEY_HOME:
    case KEY_FIND:  // as a VT220 calls it
      return key::kHome;
    case KEY_END:
    case KEY_SELECT:
      return key::kEnd;
    case KEY_ENTER:
      return key::kEnter;
    case KEY_BACKSPACE:
    case KEY_DC:
      return key::kBackspace;
    default:
      return key::kOther;
  }
}

Key key_typed(wint_t character) {
  constexpr wint_t kEscapeCharacter = 0x1b;
  constexpr wint_t kDelete = 0x7f;
  switch (character) {
    case '\r':
    case '\n':
      return key::kEnter;
    case kEscapeCharacter:
      return key::kEscape;
    case '\b':
    case kDelete:
      return key::kBackspace;
    default:
      return static_cast<Key>(character);
  }
}

struct Line {
  char32_t glyph;
  wchar_t fallback;  // in locales that have no lines
};
constexpr std::array kLines = {
    Line{U'─', L'-'}, Line{U'│', L'|'}, Line{U'┌', L'+'}, Line{U'┬', L'+'},
    Line{U'┐', L'+'}, Line{U'├', L'+'}, Line{U'┼', L'+'}, Line{U'┤', L'+'},
    Line{U'└', L'+'}, Line{U'┴', L'+'}, Line{U'┘', L'+'},
};

/// What can be shown in that many columns in this locale.
wchar_t shown(char32_t glyph, int columns) {
  const auto character = static_cast<wchar_t>(glyph);
  std::mbstate_t state{};
  std::array<char, MB_LEN_MAX> bytes{};
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the state is its own
  if (std::wcrtomb(bytes.data(), character, &state) != static_cast<std::size_t>(-1) &&
      wcwidth(character) == columns) {
    return character;
  }
  const auto* line = std::ranges::find(kLines, glyph, &Line::glyph);
  return line == kLines.end() ? L'?' : line->fallback;
}

/// The same with its marks, as far as curses takes them.
std::array<wchar_t, CCHARW_MAX + 1> shown(const Canvas::Cell& cell, int columns) {
  std::array<wchar_t, CCHARW_MAX + 1> text{shown(cell.glyph, columns)};
  auto next = text.begin() + 1;
  for (const char32_t mark : cell.marks) {
    if (next != text.end() - 1 && shown(mark, 0) == static_cast<wchar_t>(mark)) {
      *next++ = static_cast<wchar_t>(mark);
    }
  }
  return text;
}

unsigned attributes_of(const Style& style) {
  unsigned attributes = A_NORMAL;
  if (style.bold) attributes |= A_BOLD;
  if (style.dim) attributes |= A_DIM;
  if (style.reverse) attributes |= A_REVERSE;
  if (style.underline) attributes |= A_UNDERLINE;
  return attributes;
}

}  // namespace

Terminal::Terminal() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): there are no threads yet
  std::setlocale(LC_ALL, "");
  handle_ = newterm(nullptr, stdout, stdin);
  if (handle_ == nullptr) throw std::runtime_error("ncurses does not begin");
  cbreak();
  noecho();
  nonl();
  curs_set(0);
  nodelay(stdscr, true);
  keypad(stdscr, true);
  set_escdelay(kEscapeDelayMs);
  if (!base::wants_colours() || !has_colors() || start_color() == ERR) return;
  use_default_colors();
  colours_ = COLORS >= kManyColours ? Colours::kMany : Colours::kEight;
}

Terminal::~Terminal() {
  endwin();
  delscreen(handle_);
}

std::optional<Key> Terminal::key() {
  wint_t code = 0;
  switch (get_wch(&code)) {
    case OK:
      return key_typed(code);
    case KEY_CODE_YES:
      return key_named(code);
    default:
      return std::nullopt;
  }
}

bool Terminal::gone() const {
  pollfd keyboard{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  return poll(&keyboard, 1, 0) > 0 && (keyboard.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

void Terminal::resize() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) resizeterm(size.ws_row, size.ws_col);
}

Canvas Terminal::canvas() {
  return {LINES, COLS};
}

void Terminal::show(const Canvas& canvas) {
  erase();
  for (int row = 0; row < canvas.rows(); ++row) {
    for (int column = 0; column < canvas.columns(); ++column) {
      const Canvas::Cell& cell = canvas.at(row, column);
      if (cell.glyph == Canvas::kCovered) continue;
      const bool is_wide =
          column + 1 < canvas.columns() && canvas.at(row, column + 1).glyph == Canvas::kCovered;
      const auto text = shown(cell, is_wide ? 2 : 1);
      const short pair = pair_of(cell.style.paint);
      cchar_t character{};
      setcchar(&character, text.data(), attributes_of(cell.style), pair, nullptr);
      mvadd_wch(row, column, &character);
    }
  }
  refresh();
}

short Terminal::pair_of(const Paint& paint) {
  if (colours_ == Colours::kNone || paint == Paint{}) return 0;
  const auto next = static_cast<short>(pairs_.size() + 1);
  const auto [entry, is_new] = pairs_.try_emplace(paint, next);
  if (is_new) {
    const bool many = colours_ == Colours::kMany;
    init_pair(next, many ? paint.ink : paint.few_ink, many ? paint.paper : paint.few_paper);
  }
  return entry->second;
}

}  // namespace tesela::cli
