// The database of a server: which one, open, as the interfaces of the store.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "server/base/store_limits.h"
#include "server/store/accounts.h"
#include "server/store/event_log.h"
#include "server/store/friends.h"
#include "server/store/game_archives.h"
#include "server/store/key_fingerprint.h"
#include "server/store/life.h"
#include "server/store/moderation.h"
#include "server/store/nodes.h"
#include "server/store/notices.h"
#include "server/store/offered_bots.h"
#include "server/store/ownership.h"
#include "server/store/personal_data.h"
#include "server/store/profiles.h"
#include "server/store/removals.h"
#include "server/store/reports.h"
#include "server/store/snapshots.h"
#include "server/store/store.h"
#include "server/store/table_changes.h"
#include "server/store/table_rows.h"

namespace tesela::store {

/// Any thread; not close() and the destructor, which wait for the threads of the database. The
/// executor of a call must exist until the call has resumed: close or destroy the backend before
/// the io_contexts.
class Backend {
 public:
  virtual ~Backend() = default;

  [[nodiscard]] virtual EventLog& log() = 0;
  /// The same events, for what clients ask about games: does not wait in front of loads of tables.
  [[nodiscard]] virtual EventReader& history() = 0;
  [[nodiscard]] virtual Snapshots& snapshots() = 0;
  [[nodiscard]] virtual TableRows& table_rows() = 0;
  [[nodiscard]] virtual Store& store() = 0;
  [[nodiscard]] virtual Accounts& accounts() = 0;
  [[nodiscard]] virtual Profiles& profiles() = 0;
  [[nodiscard]] virtual Moderation& moderation() = 0;
  [[nodiscard]] virtual Friends& friends() = 0;
  [[nodiscard]] virtual Notices& notices() = 0;
  [[nodiscard]] virtual Ownership& ownership() = 0;
  /// The life of this server: begun when the backend was opened, ended by close().
  [[nodiscard]] virtual Life& life() = 0;
  /// The servers on the database.
  [[nodiscard]] virtual Nodes& nodes() = 0;
  [[nodiscard]] virtual Removals& removals() = 0;
  [[nodiscard]] virtual PersonalData& personal_data() = 0;
  [[nodiscard]] virtual GameArchives& archives() = 0;
  /// The bots of all servers; null where no other server can use the database.
  [[nodiscard]] virtual OfferedBots* offered_bots() { return nullptr; }
  /// Null where one server uses the database at a time: nobody else changes tables.
  [[nodiscard]] virtual TableChanges* changes() = 0;
  /// Refuses further calls (kUnavailable), finishes those that wait, and ends the threads. May be
  /// called again; not by two threads at once.
  virtual void close() = 0;
};

struct BackendOptions {
  std::filesystem::path folder;  // of the keys, and of SQLite's database; created if it is missing
  /// postgres://…, or a file that holds it. Empty: SQLite in the folder.
  std::string database{};
  /// How long a call waits while PostgreSQL is away.
  std::chrono::milliseconds wait{limits::kStoreWait};
  /// Where the other servers on a shared database reach this one.
  std::string address{};
  OnLifeState on_life_state{};
  /// PostgresStore::Options::shared_keys.
  std::vector<KeyFingerprint> shared_keys{};
  /// SqliteStore::Options::own_keys.
  std::vector<std::string> own_keys{};
  /// SqliteStore::Options::on_damaged_log is OnDamagedLog::kAccept.
  bool accept_damaged_log{};
  OnCommit on_commit{};  // for metrics, as on_error
  OnError on_error{};
  OnHealthChange on_health_change{};  // for the log
};

/// Opens the database, or creates its tables. Errors, with a sentence that says what to do and
/// without a password: those of SqliteStore::open and PostgresStore::open, kNotFound and
/// kInvalidArgument when the file of `database` cannot be used.
[[nodiscard]] Expected<std::unique_ptr<Backend>> open_backend(BackendOptions options);

}  // namespace tesela::store
