// Gives unused pages of the database back to the file system.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "server/base/scale_limits.h"
#include "server/store/sqlite/database/connection.h"

namespace tesela::store {

/// The writer's thread, inside its transaction. Functions throw StorageError.
class UnusedPages {
 public:
  /// The connection outlives it.
  explicit UnusedPages(Connection& connection)
      : count_(connection, "PRAGMA freelist_count"),
        give_back_(connection, "PRAGMA incremental_vacuum(" +
                                   std::to_string(limits::kReturnedPagesAtOnce) + ")"),
        gives_back_(connection.number("PRAGMA auto_vacuum") == kIncremental) {}

  /// Gives up to limits::kReturnedPagesAtOnce pages back, unless few are left. Returns how many.
  std::size_t give_back() {
    if (!gives_back_) return 0;
    const std::size_t before = count();
    if (before < limits::kUnusedPagesKept + limits::kReturnedPagesAtOnce) return 0;
    give_back_.each_row([](sql::Row) {});
    return before - std::min(before, count());
  }

 private:
  static constexpr std::int64_t kIncremental = 2;  // PRAGMA auto_vacuum

  std::size_t count() {
    std::size_t pages = 0;
    count_.first_row([&](sql::Row row) { pages = static_cast<std::size_t>(row.number(0)); });
    return pages;
  }

  Statement count_;
  Statement give_back_;
  bool gives_back_;  // the database was created with PRAGMA auto_vacuum
};

}  // namespace tesela::store
