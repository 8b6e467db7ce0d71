#include "clients/cli/load/server_memory.h"

#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace tesela::cli {
namespace {

constexpr const char* kListening = "0A";  // TCP_LISTEN in /proc/net/tcp

// Lines read "sl local_address rem_address st tx:rx tr:tm retrnsmt uid timeout inode …" (proc(5)).
void collect_inodes(const char* file, std::uint16_t port, std::set<std::string>& into) {
  std::ifstream lines(file);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string skip, local, state, inode;
    if (!(fields >> skip >> local >> skip >> state >> skip >> skip >> skip >> skip >> skip >>
          inode)) {
      continue;
    }
    const std::size_t colon = local.rfind(':');
    if (colon == std::string::npos || state != kListening) continue;
    std::uint16_t found = 0;
    std::from_chars(local.data() + colon + 1, local.data() + local.size(), found, 16);
    if (found == port) into.insert("socket:[" + inode + "]");
  }
}

bool holds_any(const std::filesystem::path& process, const std::set<std::string>& sockets) {
  std::error_code error;
  for (std::filesystem::directory_iterator fd(process / "fd", error), end; !error && fd != end;
       fd.increment(error)) {
    std::error_code unreadable;
    if (sockets.contains(std::filesystem::read_symlink(fd->path(), unreadable).string()))
      return true;
  }
  return false;
}

}  // namespace

std::optional<pid_t> find_listener(std::uint16_t port) {
  std::set<std::string> sockets;
  collect_inodes("/proc/net/tcp", port, sockets);
  collect_inodes("/proc/net/tcp6", port, sockets);
  if (sockets.empty()) return std::nullopt;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc{} || end != name.data() + name.size()) continue;
    if (holds_any(entry.path(), sockets)) return pid;
  }
  return std::nullopt;
}

std::optional<std::size_t> resident_bytes(pid_t pid) {
  std::ifstream statm("/proc/" + std::to_string(pid) + "/statm");
  std::size_t total_pages = 0;
  std::size_t resident_pages = 0;
  if (!(statm >> total_pages >> resident_pages)) return std::nullopt;
  return resident_pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace tesela::cli
