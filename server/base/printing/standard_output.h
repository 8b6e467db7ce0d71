// What a program has printed.
#pragma once

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <string_view>
#include <system_error>

namespace tesela::base {

/// Called at the end of a program: writes what standard output still holds. Returns `status`, or 1
/// with a sentence on standard error if the program would have succeeded and its output is not
/// whole.
[[nodiscard]] inline int status_with_output(int status, std::string_view program) {
  errno = 0;
  std::cout.flush();
  const bool whole = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  if (whole || status != 0) return status;
  std::cerr << program << ": standard output is not whole: "
            << std::generic_category().message(errno != 0 ? errno : EIO) << '\n';
  return 1;
}

}  // namespace tesela::base
