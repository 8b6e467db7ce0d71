#include <utility>

#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/data_folder.h"
#include "server/store/sqlite/database/diagnosis.h"
#include "server/store/sqlite/database/schema.h"
#include "server/store/sqlite/opening.h"
#include "server/upgrade/packed_log.h"
#include "server/upgrade/upgrade.h"

namespace tesela::upgrade {
namespace {

constexpr std::int64_t kLastFolder = 10;

// What is kept is made anew by create_packed_logs.
constexpr const char* kRemove =
    "DROP TABLE ticket_members;"
    "DROP TABLE tickets;"
    "DROP VIEW log;"
    "DROP INDEX tables_to_archive;"
    "ALTER TABLE archives RENAME TO old_archives;";
constexpr const char* kArchivesOfFolder =
    "SELECT table_id, format, events, bytes, hash, data FROM old_archives ORDER BY table_id";
constexpr const char* kAddArchive =
    "INSERT INTO archives (table_id, format, events, bytes, hash, data)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

Upgrade pack_anew(store::Connection& connection) {
  store::Statement old_archives(connection, kArchivesOfFolder);
  store::Statement add(connection, kAddArchive);
  Upgrade upgrade;
  old_archives.each_row([&](store::sql::Row row) {
    const auto table = row.id<TableId>(0);
    OldPackedLog log{.format = row.number(1),
                     .events = row.number(2),
                     .bytes = row.number(3),
                     .hash = row.text(4),
                     .data = row.text(5)};
    if (auto packed = repack(log)) {
      ++upgrade.packed;
      log = {.format = static_cast<std::int64_t>(packed->format),
             .events = static_cast<std::int64_t>(packed->events),
             .bytes = static_cast<std::int64_t>(packed->bytes),
             .hash = std::move(packed->hash),
             .data = std::move(packed->data)};
    } else {
      upgrade.unreadable.push_back(unreadable(table, packed.error()));
    }
    add.bind(1, table)
        .bind(2, log.format)
        .bind(3, log.events)
        .bind(4, log.bytes)
        .bind_blob(5, log.hash)
        .bind_blob(6, log.data)
        .run();
  });
  return upgrade;
}

Expected<Upgraded> upgrade(store::Connection& connection, const std::filesystem::path& folder) {
  if (connection.number("PRAGMA application_id") != store::kUnreleasedApplicationId) {
    if (auto ours = store::expect_ours(connection, folder); !ours) {
      return std::unexpected(ours.error());
    }
    return Upgraded{};
  }
  const std::int64_t version = connection.number("PRAGMA user_version");
  if (version != kLastFolder) {
    return refuse(ErrorCode::kUnavailable,
                  "The data folder " + folder.string() + " has schema " + std::to_string(version) +
                      " of the versions before the first release, and only schema " +
                      std::to_string(kLastFolder) +
                      " is upgraded: start the last of those versions on it once and stop it, then "
                      "run this again.");
  }
  store::tune_writer(connection);
  connection.run("BEGIN IMMEDIATE");
  connection.run(kRemove);
  store::create_packed_logs(connection);
  Upgraded upgraded = pack_anew(connection);
  connection.run("DROP TABLE old_archives");
  store::become_schema_1(connection);
  connection.run("COMMIT");
  return upgraded;
}

}  // namespace

Expected<Upgraded> upgrade_folder(const std::filesystem::path& data) {
  if (!store::is_there(data / store::kDatabaseFile)) {
    return refuse(ErrorCode::kNotFound, "The data folder " + data.string() +
                                            " holds no database that can be seen: name the "
                                            "server's with --data.");
  }
  auto folder = store::DataFolder::open(data);
  if (!folder) return std::unexpected(std::move(folder.error()));
  if (auto usable = folder->expect_usable({}, store::OnDamagedLog::kRefuse); !usable) {
    return std::unexpected(std::move(usable.error()));
  }
  try {
    auto connection = store::open_as_it_is(*folder, {});
    if (!connection) return std::unexpected(std::move(connection.error()));
    return upgrade(*connection, data);
  } catch (const store::StorageError& error) {
    return std::unexpected(store::cannot_open(folder->database(), error));
  }
}

}  // namespace tesela::upgrade
