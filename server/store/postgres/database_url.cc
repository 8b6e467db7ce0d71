#include "server/store/postgres/database_url.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "server/base/store_limits.h"

namespace tesela::store::postgres {
namespace {

bool is_url(const std::string& text) {
  return text.starts_with("postgres://") || text.starts_with("postgresql://");
}

Expected<std::string> url_in(const std::filesystem::path& path, const std::string& option) {
  std::ifstream file(path, std::ios::binary);
  std::string text(limits::kDatabaseFileBytesMax + 1, '\0');
  if (!file.is_open()) {
    return refuse(ErrorCode::kNotFound, "The file of " + option + " cannot be read, " +
                                            path.string() + ": " +
                                            std::generic_category().message(errno) + ".");
  }
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const bool is_short = text.size() <= limits::kDatabaseFileBytesMax;
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (is_short && is_url(text)) return text;
  return refuse(ErrorCode::kInvalidArgument,
                "The file of " + option + ", " + path.string() +
                    ", must hold one line: postgres://USER:PASSWORD@HOST/DATABASE.");
}

}  // namespace

Expected<std::string> database_url(const std::string& database, const std::string& option) {
  return is_url(database) ? Expected<std::string>(database) : url_in(database, option);
}

}  // namespace tesela::store::postgres
