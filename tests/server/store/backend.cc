#include "tests/server/store/backend.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "server/store/sqlite/database/connection.h"

#include "tests/server/store/postgres/lives.h"

namespace tesela::store {

ScratchFolder::ScratchFolder() {
  std::string name = testing::TempDir() + "tesela-store-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder: " + name);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::filesystem::remove_all(path_);
}

std::ostream& operator<<(std::ostream& out, Kind kind) {
  switch (kind) {
    case Kind::kSqlite:
      return out << "Sqlite";
    case Kind::kMemory:
      return out << "Memory";
    default:
      return out << "Postgres";
  }
}

StoreUnderTest::StoreUnderTest(Kind kind) {
  if (kind == Kind::kSqlite) {
    sqlite_ = open_sqlite(folder_.path());
  } else if (kind == Kind::kMemory) {
    memory_ = std::make_unique<MemoryStore>();
  } else {
    database_ = std::make_unique<Database>(PostgresServer::shared());
    postgres_ = open_postgres(database_->url());
  }
}

StoreUnderTest::~StoreUnderTest() = default;

EventLog& StoreUnderTest::log() {
  if (sqlite_) return *sqlite_;
  if (postgres_) return *postgres_;
  return *memory_;
}

TableRows& StoreUnderTest::table_rows() {
  if (sqlite_) return *sqlite_;
  if (postgres_) return *postgres_;
  return *memory_;
}

Store& StoreUnderTest::store() {
  if (sqlite_) return *sqlite_;
  if (postgres_) return *postgres_;
  return *memory_;
}

Snapshots& StoreUnderTest::snapshots() {
  if (sqlite_) return *sqlite_;
  if (postgres_) return *postgres_;
  return *memory_;
}

Ownership& StoreUnderTest::ownership() {
  if (sqlite_) return *sqlite_;
  if (postgres_) return postgres_->ownership();
  return *memory_;
}

LifeId StoreUnderTest::begin_life() {
  if (!database_) return kOnlyLife;
  return Lives(database_->url()).begin();
}

void StoreUnderTest::wait_for_snapshots() const {
  while (postgres_ && postgres_->snapshots_waiting() > 0)
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
}

Accounts& StoreUnderTest::accounts() {
  if (postgres_) return *postgres_;
  return *sqlite_;
}

Profiles& StoreUnderTest::profiles() {
  if (postgres_) return *postgres_;
  return *sqlite_;
}

Moderation& StoreUnderTest::moderation() {
  if (postgres_) return *postgres_;
  return *sqlite_;
}

Friends& StoreUnderTest::friends() {
  if (postgres_) return *postgres_;
  return *sqlite_;
}

Notices& StoreUnderTest::notices() {
  if (postgres_) return *postgres_;
  return *sqlite_;
}

GameArchives& StoreUnderTest::archives() {
  if (sqlite_) return *sqlite_;
  return *postgres_;
}

Removals& StoreUnderTest::removals() {
  if (sqlite_) return *sqlite_;
  return *postgres_;
}

PersonalData& StoreUnderTest::personal_data() {
  if (sqlite_) return *sqlite_;
  return *postgres_;
}

std::int64_t StoreUnderTest::ask(const std::string& sql) const {
  if (database_) return std::stoll(Session(database_->url()).run(sql).at(0));
  return Connection(sqlite_file(), Connection::Access::kReadOnly).number(sql);
}

void StoreUnderTest::run(const std::string& sql) const {
  if (database_) {
    Session(database_->url()).run(sql);
  } else {
    Connection(sqlite_file(), Connection::Access::kReadWrite).run(sql);
  }
}

void StoreUnderTest::reopen_after(const std::string& sql) {
  sqlite_.reset();
  postgres_.reset();
  run(sql);
  open();
}

void StoreUnderTest::reopen() {
  if (memory_) return;
  sqlite_.reset();
  postgres_.reset();
  open();
}

void StoreUnderTest::open() {
  if (database_) {
    postgres_ = open_postgres(database_->url());
  } else {
    sqlite_ = open_sqlite(folder_.path());
  }
}

std::filesystem::path StoreUnderTest::sqlite_file() const {
  return folder_.path() / "tesela.db";
}

std::unique_ptr<SqliteStore> open_sqlite(const std::filesystem::path& folder, OnCommit on_commit) {
  auto store = SqliteStore::open({.folder = folder, .on_commit = std::move(on_commit)});
  if (!store) throw std::runtime_error(store.error().message);
  return std::move(*store);
}

std::unique_ptr<PostgresStore> open_postgres(const std::string& url, std::chrono::milliseconds wait,
                                             OnCommit on_commit) {
  auto store = PostgresStore::open({.url = url, .wait = wait, .on_commit = std::move(on_commit)});
  if (!store) throw std::runtime_error(store.error().message);
  return std::move(*store);
}

}  // namespace tesela::store
