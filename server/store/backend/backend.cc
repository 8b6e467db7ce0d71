#include "server/store/backend/backend.h"

#include <utility>

#include "server/store/lives/pause_watch.h"
#include "server/store/postgres/database_url.h"
#include "server/store/postgres/heartbeat.h"
#include "server/store/postgres/postgres_store.h"
#include "server/store/sqlite/database/data_folder.h"
#include "server/store/sqlite/sqlite_store.h"

namespace tesela::store {
namespace {

/// What both backends have: the log and the tables.
template <class Opened>
class BackendOf : public Backend {
 public:
  explicit BackendOf(std::unique_ptr<Opened> store) : store_(std::move(store)) {}

  EventLog& log() override { return *store_; }
  EventReader& history() override { return store_->history(); }
  TableRows& table_rows() override { return *store_; }
  Store& store() override { return *store_; }
  Accounts& accounts() override { return *store_; }
  Profiles& profiles() override { return *store_; }
  Moderation& moderation() override { return *store_; }
  Friends& friends() override { return *store_; }
  Notices& notices() override { return *store_; }
  Snapshots& snapshots() override { return *store_; }
  Removals& removals() override { return *store_; }
  PersonalData& personal_data() override { return *store_; }
  GameArchives& archives() override { return *store_; }
  void close() override { store_->close(); }

 protected:
  Opened& opened() { return *store_; }

 private:
  std::unique_ptr<Opened> store_;
};

class SqliteBackend final : public BackendOf<SqliteStore> {
 public:
  SqliteBackend(std::unique_ptr<SqliteStore> store, OnLifeState on_state)
      : BackendOf(std::move(store)), life_(std::move(on_state)) {}

  Ownership& ownership() override { return opened(); }
  TableChanges* changes() override { return nullptr; }
  Life& life() override { return life_; }
  Nodes& nodes() override { return node_; }

 private:
  PauseWatch life_;
  OnlyNode node_;
};

class PostgresBackend final : public BackendOf<PostgresStore> {
 public:
  PostgresBackend(DataFolder folder, std::unique_ptr<PostgresStore> store,
                  std::unique_ptr<postgres::Heartbeat> heartbeat)
      : BackendOf(std::move(store)), folder_(std::move(folder)), heartbeat_(std::move(heartbeat)) {}

  ~PostgresBackend() override { close(); }
  PostgresBackend(const PostgresBackend&) = delete;
  PostgresBackend& operator=(const PostgresBackend&) = delete;

  Ownership& ownership() override { return opened().ownership(); }
  OfferedBots* offered_bots() override { return &opened().offered_bots(); }
  TableChanges* changes() override { return &opened().changes(); }
  Life& life() override { return *heartbeat_; }
  Nodes& nodes() override { return opened().nodes(); }
  void close() override {
    BackendOf::close();
    // Nothing is written any more: the tables are anybody's.
    heartbeat_->close();
  }

 private:
  DataFolder folder_;  // locked
  std::unique_ptr<postgres::Heartbeat> heartbeat_;
};

Expected<std::unique_ptr<Backend>> open_postgres(BackendOptions options) {
  auto url = postgres::database_url(options.database, "--database");
  if (!url) return std::unexpected(std::move(url.error()));
  auto folder = DataFolder::open(options.folder);
  if (!folder) return std::unexpected(std::move(folder.error()));
  auto store = PostgresStore::open({.url = *url,
                                    .wait = options.wait,
                                    .shared_keys = std::move(options.shared_keys),
                                    .on_commit = std::move(options.on_commit),
                                    .on_error = std::move(options.on_error),
                                    .on_health_change = std::move(options.on_health_change)});
  if (!store) return std::unexpected(std::move(store.error()));
  auto heartbeat = postgres::Heartbeat::start({.url = std::move(*url),
                                               .address = std::move(options.address),
                                               .life_file = folder->path() / "life",
                                               .on_state = std::move(options.on_life_state)},
                                              options.wait);
  if (!heartbeat) return std::unexpected(std::move(heartbeat.error()));
  return std::make_unique<PostgresBackend>(std::move(*folder), std::move(*store),
                                           std::move(*heartbeat));
}

}  // namespace

Expected<std::unique_ptr<Backend>> open_backend(BackendOptions options) {
  if (!options.database.empty()) return open_postgres(std::move(options));
  auto store = SqliteStore::open(
      {.folder = std::move(options.folder),
       .own_keys = std::move(options.own_keys),
       .on_damaged_log = options.accept_damaged_log ? OnDamagedLog::kAccept : OnDamagedLog::kRefuse,
       .on_commit = std::move(options.on_commit),
       .on_error = std::move(options.on_error),
       .on_health_change = std::move(options.on_health_change)});
  if (!store) return std::unexpected(std::move(store.error()));
  return std::make_unique<SqliteBackend>(std::move(*store), std::move(options.on_life_state));
}

}  // namespace tesela::store
