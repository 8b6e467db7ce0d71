#include "server/app/machine_limits.h"

#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace tesela {
namespace {

constexpr std::size_t kFilesKept = 256;
constexpr std::uint64_t kMebibyte = 1 << 20;

std::optional<std::uint64_t> number_in(const std::string& file) {
  std::ifstream stream(file);
  std::uint64_t number = 0;
  if (stream >> number) return number;
  return std::nullopt;  // also for "max"
}

/// The path of the process in the hierarchy of version 2; empty where there is none. Containers
/// mostly see themselves as its root.
std::string own_cgroup() {
  std::ifstream stream("/proc/self/cgroup");
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("0::")) return line.substr(3);
  }
  return {};
}

}  // namespace

void fit_connections(ops::Config& config) {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return;
  const auto allowed = static_cast<std::size_t>(files.rlim_cur);
  const std::size_t left = allowed - std::min(kFilesKept, allowed / 2);
  // A stream that is passed on takes a connection to the other server too.
  const std::size_t most = std::max<std::size_t>(config.node.port == 0 ? left : left / 2, 1);
  const std::size_t wanted =
      std::exchange(config.connections_max, std::min(config.connections_max, most));
  if (most >= wanted - wanted / 10) return;  // nobody misses so few
  spdlog::warn(
      "the process may open {} files: {} connections are taken, not {} (--connections-max); allow"
      " more (ulimit -n, LimitNOFILE of systemd, nofile of a container)",
      allowed, most, wanted);
}

std::uint64_t memory_max(const ops::Config& config) {
  if (config.memory_max) return *config.memory_max * kMebibyte;
  constexpr std::uint64_t kNone = std::uint64_t{1} << 60;  // version 1 says nearly 2^63
  for (const std::string& file :
       {"/sys/fs/cgroup" + own_cgroup() + "/memory.max", std::string("/sys/fs/cgroup/memory.max"),
        std::string("/sys/fs/cgroup/memory/memory.limit_in_bytes")}) {
    const auto max = number_in(file);
    if (max && *max < kNone) return *max;
  }
  return 0;
}

}  // namespace tesela
