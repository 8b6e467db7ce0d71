#include "server/store/migration/source.h"

#include <array>
#include <utility>

#include "server/base/crypto.h"
#include "server/base/durable_file.h"
#include "server/store/postgres/connection/binary.h"
#include "server/store/sqlite/database/diagnosis.h"
#include "server/store/sqlite/database/folder_marks.h"
#include "server/store/sqlite/database/log_mark.h"
#include "server/store/sqlite/database/schema.h"

namespace tesela::store::migration {
namespace {

// Whatever a server does with a table raises the table's epoch, adds one, or ends one.
constexpr std::array kFacts{
    "SELECT count(*) FROM tables",      "SELECT total(epoch) FROM tables",
    "SELECT max(id) FROM tables",       "SELECT max(ended_ms) FROM tables",
    "SELECT count(*) FROM players",     "SELECT max(id) FROM players",
    "SELECT max(seen_ms) FROM players", "SELECT count(*) FROM players WHERE erased_ms IS NOT NULL",
    "SELECT count(*) FROM archives",    "SELECT count(*) FROM recent_events",
    "SELECT max(at_ms) FROM scores",    "SELECT max(at_ms) FROM ratings",
};

Expected<void> expect_this_version(Connection& connection, const std::filesystem::path& folder) {
  if (auto latest = expect_latest(connection, folder); !latest) return latest;
  if (auto ours = expect_ours(connection, folder); !ours) return ours;
  const std::int64_t version = connection.number("PRAGMA user_version");
  if (version == kSchemaVersion) return {};
  return refuse(ErrorCode::kUnavailable,
                "The data folder " + folder.string() +
                    " was written by an earlier Tesela (schema " + std::to_string(version) +
                    "; this one has " + std::to_string(kSchemaVersion) +
                    "): start this version on it once and stop it, then run this again.");
}

}  // namespace

Source::Source(DataFolder folder)
    : folder_(std::move(folder)), connection_(folder_.database(), Connection::Access::kReadOnly) {
  tune_reader(connection_);
  connection_.run("BEGIN");
}

Expected<std::unique_ptr<Source>> Source::open(const std::filesystem::path& path) {
  if (auto restored = expect_restored(path); !restored) {
    return std::unexpected(std::move(restored.error()));
  }
  if (!is_there(path / kDatabaseFile)) {
    return refuse(ErrorCode::kNotFound, "The data folder " + path.string() +
                                            " holds no database that can be seen: name the"
                                            " server's with --data.");
  }
  auto folder = DataFolder::open(path);
  if (!folder) return std::unexpected(std::move(folder.error()));
  if (auto whole = folder->expect_whole({}); !whole) return std::unexpected(whole.error());
  const std::filesystem::path database = folder->database();
  try {
    std::unique_ptr<Source> source(new Source(std::move(*folder)));
    if (auto ours = expect_this_version(source->connection_, path); !ours) {
      return std::unexpected(std::move(ours.error()));
    }
    return source;
  } catch (const StorageError& error) {
    return std::unexpected(cannot_open(database, error));
  }
}

Expected<void> Source::mark_migrated() {
  const std::filesystem::path mark = migrated_in(folder_.path());
  if (base::replace_private_file(mark, "")) return {};
  return refused_by_system(mark);
}

std::string Source::fingerprint() {
  std::string facts;
  for (const char* fact : kFacts) facts += postgres::binary_number(connection_.number(fact));
  const auto digest = base::sha256(facts);
  return {digest.begin(), digest.end()};
}

Statement Source::rows(const Relation& relation, std::int64_t first) {
  Statement statement(connection_, relation.source);
  statement.bind(1, first);
  return statement;
}

}  // namespace tesela::store::migration
