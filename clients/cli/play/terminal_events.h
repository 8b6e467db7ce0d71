// What happens at a terminal: keys, signals, a new size.
#pragma once

#include <unistd.h>

#include <boost/asio/basic_signal_set.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <csignal>
#include <functional>
#include <optional>

#include "clients/cli/client/task.h"
#include "clients/cli/play/terminal.h"
#include "clients/cli/screen/key.h"

namespace tesela::cli {

/// The keys that are pressed. One thread; the terminal outlives it.
class Keyboard {
 public:
  Keyboard(Executor executor, Terminal& terminal)
      : terminal_(terminal), input_(executor, ::dup(STDIN_FILENO)) {}

  /// The next key; empty when the terminal has gone, so that no key can follow.
  Task<std::optional<Key>> next() {
    for (;;) {
      if (const auto key = terminal_.key()) co_return key;
      const auto [error] = co_await input_.async_wait(input_.wait_read, kResult);
      if (error || terminal_.gone()) co_return std::nullopt;
    }
  }

 private:
  Terminal& terminal_;
  boost::asio::posix::basic_stream_descriptor<Executor> input_;
};

/// Returns when a signal asks the program to end.
inline Task<void> end_signal(Executor executor) {
  boost::asio::basic_signal_set<Executor> signals(executor, SIGINT, SIGTERM, SIGHUP);
  signals.add(SIGQUIT);
  co_await signals.async_wait(kResult);
}

/// Calls `draw` whenever the terminal has a new size; never returns.
inline Task<void> follow_size(Executor executor, Terminal& terminal, std::function<void()> draw) {
  boost::asio::basic_signal_set<Executor> changed(executor, SIGWINCH);
  for (;;) {
    co_await changed.async_wait(kResult);
    terminal.resize();
    draw();
  }
}

}  // namespace tesela::cli
