#include "clients/cli/load/load_tally.h"

#include <iostream>
#include <sstream>

namespace tesela::cli {
namespace {

constexpr std::uint64_t kErrorsExplained = 5;

}  // namespace

void LoadTally::error(std::string_view why) {
  if (errors.fetch_add(1, std::memory_order_relaxed) >= kErrorsExplained) return;
  std::ostringstream line;  // in one piece, since other threads print too
  line << "error: " << why << '\n';
  std::cerr << line.str();
}

}  // namespace tesela::cli
