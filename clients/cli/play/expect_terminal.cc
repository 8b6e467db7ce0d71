#include "clients/cli/play/expect_terminal.h"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "clients/cli/base/fail.h"
// clang-format off: they have macros for many words, so that no other header may come behind them
#include <curses.h>
#include <term.h>
// clang-format on

namespace tesela::cli {
namespace {

constexpr int kUnusable = 2;

bool has(const char* capability) {
  constexpr std::intptr_t kNoText = -1;
  const char* const text = tigetstr(capability);
  return text != nullptr && reinterpret_cast<std::intptr_t>(text) != kNoText;
}

}  // namespace

void expect_terminal() {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) {
    fail("This needs a terminal to draw on: standard input and output must be one.", kUnusable);
  }
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets the environment here
  const char* const kind = std::getenv("TERM");
  const std::string named = kind == nullptr ? "" : kind;
  int found = 0;
  const bool known = setupterm(nullptr, STDOUT_FILENO, &found) == OK;
  if (known && has("cup") && has("clear")) return;
  fail("This draws on the terminal, and TERM=" + named +
           (known ? " cannot place its cursor" : " is not known") +
           ": set it to what your terminal is, such as xterm-256color.",
       kUnusable);
}

}  // namespace tesela::cli
