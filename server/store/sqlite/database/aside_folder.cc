#include "server/store/sqlite/database/aside_folder.h"

#include <sys/stat.h>

#include <cerrno>
#include <ctime>
#include <string>

#include "server/base/durable_file.h"
#include "server/store/sqlite/database/data_folder.h"

namespace tesela::store {
namespace {

std::string time_text() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::string text(sizeof "20261231T235959Z", '\0');
  text.resize(std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &utc));
  return text;
}

}  // namespace

Expected<std::filesystem::path> make_folder(const std::filesystem::path& first) {
  std::filesystem::path folder = first;
  for (int n = 2; ::mkdir(folder.c_str(), kFolderOfOwner) != 0; ++n) {
    if (errno != EEXIST) return refused_by_system(folder);
    folder = first;
    folder += "-" + std::to_string(n);
  }
  if (!base::sync_folder(folder.parent_path())) return refused_by_system(folder);
  return folder;
}

Expected<std::filesystem::path> make_folder_of_now(const std::filesystem::path& prefix) {
  return make_folder(prefix.string() + time_text());
}

}  // namespace tesela::store
