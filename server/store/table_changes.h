// Which tables were made or changed by way of the other servers on a database.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/table_rows.h"

namespace tesela::store {

/// A moment of the database: the changes until then were read.
struct ChangesMoment {
  std::string snapshot;  // which transactions were over
  std::int64_t at_us{};  // on the database's clock, before the snapshot was taken
  std::string timeline;  // another one: the database was replaced by its standby

  friend bool operator==(const ChangesMoment&, const ChangesMoment&) = default;
};

struct ChangedTable {
  TableRow row;
  /// It has changed more than once since the read before: it may have been in other states.
  bool several{};
};

/// What is asked of one read.
struct ChangesQuery {
  std::optional<ChangesMoment> since{};  // none: nothing is known yet
  /// Tables whose changes by this server are told as well.
  std::vector<TableId> own_too{};
  bool rows{true};  // otherwise the changes are only counted
};

struct TableChangesRead {
  ChangesMoment until;
  /// Changes since `since` may be missing: who shows tables begins anew. Then `tables` is empty.
  bool gap{};
  /// The tables as they were at `until`, each once, in the order of their last changes.
  std::vector<ChangedTable> tables;
  std::size_t count{};              // of the changed tables, read or not
  std::chrono::milliseconds age{};  // of the oldest change
};

/// The writes of a table's row (TableRows, Store::make_tables, an append with an ending) are noted
/// in their own transactions. A change is read once: by the first read that begins after its
/// transaction was committed, however long that has taken. Errors and threading as in EventLog, but
/// one caller reads at a time.
class TableChanges {
 public:
  virtual ~TableChanges() = default;

  /// The changes by other servers since then. There is a gap where they were trimmed meanwhile or
  /// are more than limits::kChangedTablesMax, after the database was replaced, and after a write of
  /// this server whose outcome stayed unknown.
  virtual boost::asio::awaitable<Expected<TableChangesRead>> read(ChangesQuery query) = 0;

  /// Deletes changes older than limits::kChangesKept, at most limits::kChangesTrimmedAtOnce.
  /// Returns how many. Several servers may do so at once.
  virtual boost::asio::awaitable<Expected<std::size_t>> trim() = 0;

  /// Calls `told` when another server has said that it changed tables, on a thread of the store; it
  /// must not wait. A hint: it may come late, for nothing, or not at all. Another one replaces it,
  /// and is not called any more when this returns.
  virtual void on_signal(std::function<void()> told) = 0;
};

}  // namespace tesela::store
