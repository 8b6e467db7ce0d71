#include "server/store/backend/backend.h"

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include "server/store/postgres/postgres_store.h"
#include "server/store/sqlite/database/data_folder.h"
#include "server/store/sqlite/sqlite_store.h"

namespace tesela::store {
namespace {

class SqliteBackend final : public Backend {
 public:
  explicit SqliteBackend(std::unique_ptr<SqliteStore> store) : store_(std::move(store)) {}

  EventLog& log() override { return *store_; }
  EventReader& history() override { return store_->history(); }
  Snapshots& snapshots() override { return *store_; }
  Store& store() override { return *store_; }
  Removals& removals() override { return *store_; }
  PersonalData& personal_data() override { return *store_; }
  GameArchives& archives() override { return *store_; }
  void close() override { store_->close(); }

 private:
  std::unique_ptr<SqliteStore> store_;
};

class PostgresBackend final : public Backend {
 public:
  PostgresBackend(DataFolder folder, std::unique_ptr<PostgresStore> store)
      : folder_(std::move(folder)), store_(std::move(store)) {}

  EventLog& log() override { return *store_; }
  EventReader& history() override { return store_->history(); }
  Snapshots& snapshots() override { return store_->snapshots(); }
  Store& store() override { return *store_; }
  Removals& removals() override { return store_->removals(); }
  PersonalData& personal_data() override { return store_->personal_data(); }
  GameArchives& archives() override { return store_->archives(); }
  void close() override { store_->close(); }

 private:
  DataFolder folder_;  // locked
  std::unique_ptr<PostgresStore> store_;
};

bool is_url(const std::string& text) {
  return text.starts_with("postgres://") || text.starts_with("postgresql://");
}

Expected<std::string> url_in(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(limits::kDatabaseFileBytesMax + 1, '\0');
  if (!file.is_open()) {
    return refuse(ErrorCode::kNotFound, "The file of --database cannot be read, " + path.string() +
                                            ": " + std::generic_category().message(errno) + ".");
  }
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const bool is_short = text.size() <= limits::kDatabaseFileBytesMax;
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (is_short && is_url(text)) return text;
  return refuse(ErrorCode::kInvalidArgument,
                "The file of --database, " + path.string() +
                    ", must hold one line: postgres://USER:PASSWORD@HOST/DATABASE.");
}

Expected<std::unique_ptr<Backend>> open_postgres(BackendOptions options) {
  auto url =
      is_url(options.database) ? Expected<std::string>(options.database) : url_in(options.database);
  if (!url) return std::unexpected(std::move(url.error()));
  auto folder = DataFolder::open(options.folder);
  if (!folder) return std::unexpected(std::move(folder.error()));
  auto store = PostgresStore::open({.url = std::move(*url),
                                    .wait = options.wait,
                                    .on_commit = std::move(options.on_commit),
                                    .on_error = std::move(options.on_error),
                                    .on_health_change = std::move(options.on_health_change)});
  if (!store) return std::unexpected(std::move(store.error()));
  return std::make_unique<PostgresBackend>(std::move(*folder), std::move(*store));
}

}  // namespace

Expected<std::unique_ptr<Backend>> open_backend(BackendOptions options) {
  if (!options.database.empty()) return open_postgres(std::move(options));
  auto store = SqliteStore::open({.folder = std::move(options.folder),
                                  .own_keys = std::move(options.own_keys),
                                  .on_commit = std::move(options.on_commit),
                                  .on_error = std::move(options.on_error),
                                  .on_health_change = std::move(options.on_health_change)});
  if (!store) return std::unexpected(std::move(store.error()));
  return std::make_unique<SqliteBackend>(std::move(*store));
}

}  // namespace tesela::store
