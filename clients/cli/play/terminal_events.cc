#include "clients/cli/play/terminal_events.h"

#include <unistd.h>

#include <boost/asio/basic_signal_set.hpp>
#include <csignal>
#include <utility>

namespace tesela::cli {

namespace asio = boost::asio;

Keyboard::Keyboard(Executor executor, Terminal& terminal)
    : terminal_(terminal), input_(executor, ::dup(STDIN_FILENO)) {}

Task<std::optional<Key>> Keyboard::next() {
  for (;;) {
    if (const auto key = terminal_.key()) co_return key;
    const auto [error] = co_await input_.async_wait(input_.wait_read, kResult);
    if (error || terminal_.gone()) co_return std::nullopt;
  }
}

Task<void> end_signal(Executor executor) {
  asio::basic_signal_set<Executor> signals(executor, SIGINT, SIGTERM, SIGHUP);
  signals.add(SIGQUIT);
  co_await signals.async_wait(kResult);
}

Task<void> follow_size(Executor executor, Terminal& terminal, std::function<void()> draw) {
  asio::basic_signal_set<Executor> changed(executor, SIGWINCH);
  for (;;) {
    co_await changed.async_wait(kResult);
    terminal.resize();
    draw();
  }
}

}  // namespace tesela::cli
