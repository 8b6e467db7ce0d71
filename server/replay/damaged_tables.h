// The tables of which a reader has met damage since the start of the process.
#pragma once

#include <prometheus/gauge.h>

#include <cstddef>
#include <mutex>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"

namespace tesela::replay {

/// How many damaged tables are counted; further ones are left out.
inline constexpr std::size_t kDamagedTablesMax = 10'000;
/// How many of them are named.
inline constexpr std::size_t kDamagedTablesNamed = 10;

/// Any thread.
class DamagedTables {
 public:
  /// `count` shows how many there are, and outlives it.
  explicit DamagedTables(prometheus::Gauge& count) : count_(count) {}
  DamagedTables(const DamagedTables&) = delete;
  DamagedTables& operator=(const DamagedTables&) = delete;

  /// A table was read in vain. Only kCorrupt is damage. The first time there is a line in the
  /// server's log.
  void note(TableId table, const Error& error);
  [[nodiscard]] std::size_t count() const;
  /// The last kDamagedTablesNamed of them, the newest first.
  [[nodiscard]] std::vector<TableId> last() const;

 private:
  prometheus::Gauge& count_;
  mutable std::mutex mutex_;
  std::unordered_set<TableId> tables_;
  std::vector<TableId> last_;  // the newest is the first
};

}  // namespace tesela::replay
