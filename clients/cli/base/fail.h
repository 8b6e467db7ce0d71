// Ends a subcommand with an error.
#pragma once

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>
#include <utility>

#include "clients/cli/base/printed.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// Prints the sentence on standard error and ends the program with exit code 1.
[[noreturn]] inline void fail(const std::string& sentence) {
  print(std::cerr, "{}\n", sentence);
  throw CLI::RuntimeError(1);
}

/// The value, or fail().
template <class T>
[[nodiscard]] T value_or_fail(Expected<T> expected) {
  if (!expected) fail(expected.error().message);
  return *std::move(expected);
}

}  // namespace tesela::cli
