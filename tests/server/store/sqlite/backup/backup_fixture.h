// A data folder with a table and two keys, and places for its backups.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/data_folder.h"
#include "tests/server/store/backend.h"
#include "tests/server/store/caller.h"

namespace tesela::store::backup_test {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

inline constexpr TableId kTable{1};

inline void write_file(const fs::path& file, const std::string& content) {
  std::ofstream(file) << content;
}

inline std::string content_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline mode_t mode_of(const fs::path& path) {
  struct stat status{};
  stat(path.c_str(), &status);
  return status.st_mode & 0777U;
}

class Backup : public testing::Test {
 protected:
  [[nodiscard]] fs::path data() const { return scratch_.path() / "data"; }
  [[nodiscard]] fs::path backup() const { return scratch_.path() / "backups" / "monday"; }
  [[nodiscard]] fs::path elsewhere() const { return scratch_.path() / "elsewhere"; }

  /// Makes a data folder with one table of `events` events, and two keys.
  void make(std::uint64_t events = 20) {
    const auto store = open_sqlite(data());
    Caller caller(*store, *store);
    ASSERT_TRUE(caller.open_table(kTable));
    for (Version version{2}; version.value <= events; version = next(version)) {
      ASSERT_TRUE(caller.append(kTable, version));
    }
    write_file(data() / "token.key", "of tokens");
    write_file(data() / "daily.key", "of days");
  }
  /// The table's events in a data folder on which no server runs.
  static Expected<std::vector<Entry>> events_in(const fs::path& folder) {
    const auto store = open_sqlite(folder);
    Caller caller(*store, *store);
    return caller.read(kTable, Version{1}, 1'000'000);
  }
  /// How many there are, without a server's trouble of opening it.
  static std::int64_t count_in(const fs::path& folder) {
    return Connection(folder / kDatabaseFile, Connection::Access::kReadWrite)
        .number("SELECT count(*) FROM log");
  }
  /// No server starts on the folder until it is restored.
  static void expect_broken_off(const fs::path& folder) {
    const auto store = SqliteStore::open({.folder = folder});
    ASSERT_EQ(refusal(store), ErrorCode::kUnavailable);
    EXPECT_THAT(store.error().message, HasSubstr("broken off"));
  }
  /// Overwrites the middle page of a database.
  static void damage(const fs::path& database) {
    std::fstream file(database, std::ios::in | std::ios::out | std::ios::binary);
    const auto size = static_cast<std::streamoff>(fs::file_size(database));
    for (std::streamoff page = size / 2 / 4096; page < size / 4096; ++page) {
      file.seekp(page * 4096);
      file << std::string(4096, '\xee');
    }
  }

  ScratchFolder scratch_;
};

}  // namespace tesela::store::backup_test
