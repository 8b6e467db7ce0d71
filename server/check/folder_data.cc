#include <algorithm>
#include <optional>
#include <utility>

#include "server/check/data.h"
#include "server/store/migration/source.h"
#include "server/store/sql/snapshots.h"
#include "server/store/sql/tables.h"
#include "server/store/sqlite/database/diagnosis.h"
#include "server/store/sqlite/database/page_sums.h"
#include "server/store/sqlite/database/recent_events.h"
#include "server/store/sqlite/database/store_health.h"
#include "server/store/sqlite/files/page_walk.h"
#include "server/store/sqlite/read/queries.h"

namespace tesela::check {
namespace {

using boost::asio::awaitable;
using store::migration::Relation;
using store::migration::Source;
using store::sql::Row;

/// How many lines of SQLite's own check are shown.
constexpr const char* kIntegrity = "PRAGMA integrity_check(100)";
constexpr const char* kReferences = "SELECT \"table\", rowid, parent FROM pragma_foreign_key_check";
// The counts of a board are written with its lines.
constexpr const char* kRatingCounts =
    "SELECT game FROM (SELECT game, count(*) AS there FROM ratings GROUP BY game)"
    " JOIN (SELECT game, sum(lines) AS counted FROM rating_counts GROUP BY game) USING (game)"
    " WHERE there <> counted";
constexpr const char* kScoreCounts =
    "SELECT board_id FROM (SELECT board_id, count(*) AS there FROM scores GROUP BY board_id)"
    " JOIN (SELECT board_id, sum(lines) AS counted FROM score_counts GROUP BY board_id)"
    " USING (board_id) WHERE there <> counted";
constexpr const char* kRecent = "SELECT table_id, version, record FROM recent_events ORDER BY seq";

/// Logs and snapshots as a server on the folder would read them.
class FolderGames final : public store::EventReader, public store::Snapshots {
 public:
  FolderGames(const std::filesystem::path& database, const store::RecentEvents& recent)
      : queries_(database, recent, health_) {}

  awaitable<Expected<std::vector<store::Entry>>> read(TableId table, Version from,
                                                      std::size_t max) override {
    co_return queries_.events(table, from, max);
  }
  awaitable<Expected<std::optional<store::Entry>>> last(TableId table) override {
    co_return queries_.last_event(table);
  }
  void write(TableId /*table*/, store::SnapshotRow /*row*/) override {}
  void thin_out(TableId /*table*/, std::uint64_t /*versions*/) override {}
  awaitable<Expected<std::optional<store::SnapshotRow>>> newest_snapshot(TableId table,
                                                                         Version until) override {
    co_return queries_.read<std::optional<store::SnapshotRow>>([=](store::sql::Session& session) {
      return store::sql::newest_snapshot(session, table, until);
    });
  }
  awaitable<Expected<std::vector<store::SnapshotRow>>> snapshot_marks(TableId table,
                                                                      Version until) override {
    co_return queries_.read<std::vector<store::SnapshotRow>>([=](store::sql::Session& session) {
      return store::sql::snapshot_marks(session, table, until);
    });
  }
  Expected<store::TableRow> table(TableId id) {
    return queries_.read<store::TableRow>(
        [id](store::sql::Session& session) { return store::sql::table(session, id); });
  }

 private:
  store::StoreHealth health_{{}, {}};
  store::Queries queries_;
};

class FolderData final : public Data {
 public:
  explicit FolderData(std::unique_ptr<Source> source) : source_(std::move(source)) {}

  awaitable<std::vector<std::string>> damage() override {
    std::vector<std::string> found;
    ask(found, "the file", kIntegrity, [](Row row) {
      std::string line = row.text(0);
      std::ranges::replace(line, '\n', ' ');
      return line == "ok" ? std::string() : "SQLite's check: " + line;
    });
    // What SQLite's check has read is sound, so these are pages that it does not use.
    if (found.empty() && store::has_page_sums(source_->connection())) {
      for (const std::uint64_t page : store::damaged_pages(source_->database())) {
        found.push_back(
            "page " + std::to_string(page) +
            " of the database is damaged; it is free: \"tesela-server compact\" mends it");
      }
    }
    ask(found, "the references", kReferences, [](Row row) {
      return "a row of " + row.text(0) + " refers to a row of " + row.text(2) +
             " that is not there";
    });
    ask(found, "the counts of ratings", kRatingCounts,
        [](Row row) { return "the ratings of " + row.text(0) + " are counted wrongly"; });
    ask(found, "the counts of boards", kScoreCounts, [](Row row) {
      return "the lines of board " + std::to_string(row.number(0)) + " are counted wrongly";
    });
    ask(found, "recent_events", kRecent, [this](Row row) {
      recent_rows_.push_back({row.id<TableId>(0), {row.id<Version>(1), row.text(2)}});
      return std::string();
    });
    recent_.add(recent_rows_);
    co_return found;
  }

  awaitable<Expected<void>> read(const Relation& relation,
                                 const std::function<void(Row)>& on_row) override {
    Expected<void> done;
    try {
      source_->rows(relation, 0).each_row(on_row);
    } catch (const store::StorageError& error) {
      done = refuse(store::damaged(error) ? ErrorCode::kCorrupt : ErrorCode::kUnavailable,
                    error.what());
    }
    co_return done;
  }

  awaitable<Expected<store::TableRow>> table(TableId id) override { co_return games_.table(id); }
  replay::Source games() override { return {games_, games_}; }

 private:
  /// Adds a sentence for each row of a query, unless it is empty, and one if the query fails.
  template <class Sentence>
  void ask(std::vector<std::string>& found, const std::string& what, const char* sql,
           Sentence&& sentence) {
    try {
      store::Statement(source_->connection(), sql).each_row([&](Row row) {
        if (auto line = sentence(row); !line.empty()) found.push_back(std::move(line));
      });
    } catch (const store::StorageError& error) {
      found.push_back(what + " cannot be read: " + error.what());
    }
  }

  std::unique_ptr<Source> source_;
  store::RecentEvents recent_;
  std::vector<store::RecentEvents::Committed> recent_rows_;
  FolderGames games_{source_->database(), recent_};
};

}  // namespace

Expected<std::unique_ptr<Data>> open_folder(const std::filesystem::path& folder) {
  auto source = Source::open(folder);
  if (!source) return std::unexpected(std::move(source.error()));
  const std::filesystem::path database = (*source)->database();
  try {
    return std::make_unique<FolderData>(std::move(*source));
  } catch (const store::StorageError& error) {
    return std::unexpected(store::cannot_open(database, error));
  }
}

}  // namespace tesela::check
