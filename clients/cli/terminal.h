// The terminal as ncurses sees it. Taken over when made, and given back as it was when destroyed,
// however that comes about.
#pragma once

#include <memory>
#include <optional>

#include "engine/core/result.h"

struct screen;  // of ncurses

namespace tesela::cli {

/// One at a time in a process, one thread. Keys are read without waiting and without echo.
class Terminal {
 public:
  /// What a terminal can show.
  enum class Colours { kNone, kEight, kMany };

  /// kInvalidArgument when standard input or output is not a terminal, or one that ncurses does not
  /// know.
  [[nodiscard]] static Expected<std::unique_ptr<Terminal>> open();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] Colours colours() const { return colours_; }
  /// The next key that was pressed, as ncurses numbers them; empty when there is none.
  [[nodiscard]] std::optional<int> key();
  /// Whether there is nobody any more who could press a key.
  [[nodiscard]] bool gone() const;
  /// Learns the size that the terminal has now.
  void resize();

 private:
  explicit Terminal(screen* handle);

  screen* handle_;
  Colours colours_ = Colours::kNone;
};

}  // namespace tesela::cli
