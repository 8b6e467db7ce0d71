// What happens at a terminal: keys, signals, a new size.
#pragma once

#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <functional>
#include <optional>

#include "clients/cli/client/task.h"
#include "clients/cli/play/terminal.h"
#include "clients/cli/screen/key.h"

namespace tesela::cli {

/// The keys that are pressed. One thread; the terminal outlives it.
class Keyboard {
 public:
  Keyboard(Executor executor, Terminal& terminal);

  /// The next key; empty when there is nobody any more who could press one.
  Task<std::optional<Key>> next();

 private:
  Terminal& terminal_;
  boost::asio::posix::basic_stream_descriptor<Executor> input_;
};

/// Returns when a signal asks the program to end.
Task<void> end_signal(Executor executor);

/// Calls `draw` whenever the terminal has a new size; never returns.
Task<void> follow_size(Executor executor, Terminal& terminal, std::function<void()> draw);

}  // namespace tesela::cli
