// The data of a server, open to be checked.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/replay/start_of_execution.h"
#include "server/store/migration/relations.h"
#include "server/store/table_rows.h"

namespace tesela::check {

/// Nothing is changed. One thread.
class Data {
 public:
  virtual ~Data() = default;

  /// Damage of the database itself, a sentence each.
  virtual boost::asio::awaitable<std::vector<std::string>> damage() = 0;
  /// Calls `on_row` with each row of a relation. Errors: kCorrupt, kUnavailable.
  virtual boost::asio::awaitable<Expected<void>> read(
      const store::migration::Relation& relation,
      const std::function<void(store::sql::Row)>& on_row) = 0;
  /// Errors: those of TableRows::table.
  virtual boost::asio::awaitable<Expected<store::TableRow>> table(TableId id) = 0;
  /// The logs and the snapshots.
  [[nodiscard]] virtual replay::Source games() = 0;
};

/// A data folder on SQLite that no server uses, which is locked. Errors: those of
/// store::migration::Source::open, a sentence each.
[[nodiscard]] Expected<std::unique_ptr<Data>> open_folder(const std::filesystem::path& folder);

/// A database on PostgreSQL, on which servers may run. Error: kUnavailable, with a sentence.
[[nodiscard]] Expected<std::unique_ptr<Data>> open_database(const std::string& url);

}  // namespace tesela::check
