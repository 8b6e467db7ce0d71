#include "clients/cli/terminal.h"

#include <curses.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>

namespace tesela::cli {
namespace {

/// How long after ESC the rest of an arrow key may come.
constexpr int kEscapeDelayMs = 25;
constexpr int kManyColours = 256;

}  // namespace

Expected<std::unique_ptr<Terminal>> Terminal::open() {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) {
    return refuse(ErrorCode::kInvalidArgument, "This needs a terminal to draw on.");
  }
  // NOLINTNEXTLINE(concurrency-mt-unsafe): there are no threads yet
  std::setlocale(LC_ALL, "");
  screen* handle = newterm(nullptr, stdout, stdin);
  if (handle == nullptr) {
    return refuse(ErrorCode::kInvalidArgument, "This kind of terminal (TERM) is not known.");
  }
  return std::unique_ptr<Terminal>(new Terminal(handle));
}

Terminal::Terminal(screen* handle) : handle_(handle) {
  cbreak();
  noecho();
  nonl();
  curs_set(0);
  nodelay(stdscr, true);
  keypad(stdscr, true);
  set_escdelay(kEscapeDelayMs);
  if (!has_colors() || start_color() == ERR) return;
  use_default_colors();
  colours_ = COLORS >= kManyColours ? Colours::kMany : Colours::kEight;
}

Terminal::~Terminal() {
  endwin();
  delscreen(handle_);
}

std::optional<int> Terminal::key() {
  const int key = getch();
  if (key == ERR) return std::nullopt;
  return key;
}

bool Terminal::gone() const {
  pollfd keyboard{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  return poll(&keyboard, 1, 0) > 0 && (keyboard.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

void Terminal::resize() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) resizeterm(size.ws_row, size.ws_col);
}

}  // namespace tesela::cli
