// Ends a subcommand with an error.
#pragma once

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>
#include <utility>

#include "clients/cli/base/printed.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// Prints the sentence on standard error and ends the program with the exit status.
[[noreturn]] inline void fail(const std::string& sentence, int status = 1) {
  print(std::cerr, "{}\n", sentence);
  throw CLI::RuntimeError(status);
}

/// The value, or fail().
template <class T>
[[nodiscard]] T value_or_fail(Expected<T> expected) {
  if (!expected) fail(expected.error().message);
  return *std::move(expected);
}

}  // namespace tesela::cli
