#include "server/ops/last_backup.h"

#include <sys/stat.h>

#include "server/base/durable_file.h"

namespace tesela::ops {
namespace {

// Its time counts, not its content: root may have made it, whose files the server cannot read.
constexpr const char* kMark = "last-backup";

}  // namespace

bool note_backup(const std::filesystem::path& data) {
  return base::replace_private_file(data / kMark, "");
}

std::int64_t last_backup_seconds(const std::filesystem::path& data) {
  struct stat status{};
  return ::stat((data / kMark).c_str(), &status) == 0 ? status.st_mtim.tv_sec : 0;
}

}  // namespace tesela::ops
