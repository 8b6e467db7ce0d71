#include "server/metrics/resident_memory.h"

#include <unistd.h>

#include <fstream>

namespace tesela::metrics {

std::uint64_t resident_bytes() {
  std::ifstream pages("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  pages >> size >> resident;
  return pages ? resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace tesela::metrics
