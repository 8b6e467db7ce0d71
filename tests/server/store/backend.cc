#include "tests/server/store/backend.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <stdexcept>
#include <string>

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
  return out << (kind == Kind::kSqlite ? "Sqlite" : "Memory");
}

Backend::Backend(Kind kind) {
  if (kind == Kind::kSqlite) {
    sqlite_ = open_sqlite(folder_.path());
  } else {
    memory_ = std::make_unique<MemoryStore>();
  }
}

EventLog& Backend::log() {
  if (sqlite_) return *sqlite_;
  return *memory_;
}

Store& Backend::store() {
  if (sqlite_) return *sqlite_;
  return *memory_;
}

Snapshots& Backend::snapshots() {
  if (sqlite_) return *sqlite_;
  return *memory_;
}

void Backend::reopen() {
  if (!sqlite_) return;
  sqlite_.reset();
  sqlite_ = open_sqlite(folder_.path());
}

std::unique_ptr<SqliteStore> open_sqlite(const std::filesystem::path& folder, OnCommit on_commit) {
  auto store = SqliteStore::open({.folder = folder, .on_commit = std::move(on_commit)});
  if (!store) throw std::runtime_error(store.error().message);
  return std::move(*store);
}

}  // namespace tesela::store
