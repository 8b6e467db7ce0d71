// One run of `tesela load`: how many moves a second a server takes, how long each takes, and how
// much memory a table needs, measured over real sockets.
#pragma once

#include <iosfwd>

#include "clients/cli/load/load_options.h"
#include "engine/core/result.h"

namespace tesela::cli {

/// What a run measured.
struct LoadReport {
  std::uint64_t moves_per_second = 0;
  std::uint64_t p50_us = 0;
  std::uint64_t p99_us = 0;
  std::uint64_t p999_us = 0;
  std::uint64_t errors = 0;
  std::uint64_t server_rss_mib = 0;  // 0: unknown
};

/// "moves/s 12345 p50_us 100 p99_us 200 p999_us 300 errors 0 server_rss_mib 40"
std::ostream& operator<<(std::ostream& out, const LoadReport& report);

/// Runs the load, with a line of progress a second on `out`. An error when the server cannot be
/// reached at all, or not every connection could be opened.
Expected<LoadReport> run_load(const LoadOptions& options, std::ostream& out);

}  // namespace tesela::cli
