// The standard output of a program.
#pragma once

#include <cstdio>
#include <iostream>
#include <string_view>

namespace tesela::base {

/// Called at the end of a program: writes what standard output still holds. Returns `status`, or 1
/// with a sentence on standard error if the program would have succeeded and its output is not
/// whole.
[[nodiscard]] inline int status_with_output(int status, std::string_view program) {
  std::cout.flush();
  const bool whole = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  if (whole || status != 0) return status;
  std::cerr << program << ": standard output could not be written whole: is its disk full?\n";
  return 1;
}

}  // namespace tesela::base
