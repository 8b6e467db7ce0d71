// The terminal, through ncurses. The constructor takes it over, and the destructor restores it.
#pragma once

#include <map>
#include <optional>

#include "clients/cli/screen/canvas.h"
#include "clients/cli/screen/key.h"

struct screen;  // of ncurses

namespace tesela::cli {

/// One at a time in a process, one thread. Keys are read without waiting and without echo.
class Terminal {
 public:
  /// After expect_terminal. Throws std::runtime_error if ncurses cannot begin nevertheless.
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// The next key that was pressed; empty when there is none.
  [[nodiscard]] std::optional<Key> key();
  /// Whether the terminal has been closed, so that no key can follow.
  [[nodiscard]] bool gone() const;
  /// Updates the size to that of the terminal.
  void resize();

  /// A blank canvas of the terminal's size.
  [[nodiscard]] static Canvas canvas();
  /// Shows the drawn canvas, with as many colours as the terminal has; without any where NO_COLOR
  /// asks for none.
  void show(const Canvas& canvas);

 private:
  enum class Colours { kNone, kEight, kMany };

  [[nodiscard]] short pair_of(const Paint& paint);

  screen* handle_{};
  Colours colours_ = Colours::kNone;
  std::map<Paint, short> pairs_;  // ncurses' colour pairs, made when first used
};

}  // namespace tesela::cli
