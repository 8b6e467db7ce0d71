// The stores under contract, opened and closed by the tests.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>

#include "server/base/store_limits.h"
#include "server/store/accounts.h"
#include "server/store/event_log.h"
#include "server/store/game_archives.h"
#include "server/store/moderation.h"
#include "server/store/notices.h"
#include "server/store/only_life.h"
#include "server/store/ownership.h"
#include "server/store/personal_data.h"
#include "server/store/postgres/postgres_store.h"
#include "server/store/profiles.h"
#include "server/store/removals.h"
#include "server/store/snapshots.h"
#include "server/store/sqlite/sqlite_store.h"
#include "server/store/store.h"
#include "server/store/table_rows.h"
#include "tests/server/store/memory/memory_store.h"
#include "tests/server/store/postgres/database.h"

namespace tesela::store {

/// A new folder that is removed with all it holds.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

enum class Kind : std::uint8_t { kSqlite, kMemory, kPostgres };
std::ostream& operator<<(std::ostream& out, Kind kind);

/// One store, open.
class StoreUnderTest {
 public:
  explicit StoreUnderTest(Kind kind);
  ~StoreUnderTest();
  StoreUnderTest(const StoreUnderTest&) = delete;
  StoreUnderTest& operator=(const StoreUnderTest&) = delete;

  [[nodiscard]] EventLog& log();
  [[nodiscard]] TableRows& table_rows();
  [[nodiscard]] Store& store();
  [[nodiscard]] Snapshots& snapshots();
  [[nodiscard]] Ownership& ownership();
  /// A life that may claim tables: the only one, where there is only one.
  [[nodiscard]] LifeId begin_life();
  /// Returns when no change of a snapshot waits that a store makes by itself.
  void wait_for_snapshots() const;
  // Not of the memory's store.
  [[nodiscard]] Accounts& accounts();
  [[nodiscard]] Profiles& profiles();
  [[nodiscard]] Moderation& moderation();
  [[nodiscard]] Friends& friends();
  [[nodiscard]] Notices& notices();
  [[nodiscard]] GameArchives& archives();
  [[nodiscard]] Removals& removals();
  [[nodiscard]] PersonalData& personal_data();
  /// The number that a query gives; SQL on another connection than the store's.
  [[nodiscard]] std::int64_t ask(const std::string& sql) const;
  void run(const std::string& sql) const;
  /// As reopen(), with SQL that is run while the store is closed.
  void reopen_after(const std::string& sql);
  /// Closes the store and opens what it left. The memory's store just stays.
  void reopen();

 private:
  void open();
  [[nodiscard]] std::filesystem::path sqlite_file() const;

  ScratchFolder folder_;
  std::unique_ptr<SqliteStore> sqlite_;
  std::unique_ptr<MemoryStore> memory_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<PostgresStore> postgres_;
};

/// The store of a folder; a failed assertion if it does not open.
std::unique_ptr<SqliteStore> open_sqlite(const std::filesystem::path& folder,
                                         OnCommit on_commit = {});

/// The store of a database, likewise.
std::unique_ptr<PostgresStore> open_postgres(const std::string& url,
                                             std::chrono::milliseconds wait = limits::kStoreWait,
                                             OnCommit on_commit = {});

}  // namespace tesela::store
