// EventLog, TableRows, Store and what is beside them on one SQLite database (FORMAT.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/store/event_log.h"
#include "server/store/only_life.h"
#include "server/store/sql/sql_store.h"
#include "server/store/sqlite/database/data_folder.h"
#include "server/store/sqlite/database/recent_events.h"
#include "server/store/sqlite/database/store_health.h"
#include "server/store/sqlite/read/reader_pool.h"
#include "server/store/sqlite/write/writer.h"
#include "server/store/suspend.h"

namespace tesela::store {

/// Any thread; not close() and the destructor, which wait for the store's threads. The executor of
/// a call must exist until the call has resumed: close or destroy the store before the io_contexts.
class SqliteStore final : public EventLog, public sql::SqlStore, public OnlyLifesDuties {
 public:
  struct Options {
    std::filesystem::path folder;  // created if it is missing
    /// The names of the keys that the server creates in the folder after the database. If one
    /// exists without the database, the database was lost (DataFolder::expect_whole).
    std::vector<std::string> own_keys{};
    OnDamagedLog on_damaged_log{OnDamagedLog::kRefuse};
    OnCommit on_commit{};  // for metrics, as on_error
    OnError on_error{};
    OnHealthChange on_health_change{};  // for the log
  };

  /// Opens the folder's database, or creates it. Errors, with a sentence that says what to do:
  ///   kUnavailable  the folder cannot be written or is locked by another server, or the schema is
  ///                 newer than this server
  ///   kCorrupt      the file is damaged, or another application's
  static Expected<std::unique_ptr<SqliteStore>> open(Options options);

  /// Closes.
  ~SqliteStore() override;
  SqliteStore(const SqliteStore&) = delete;
  SqliteStore& operator=(const SqliteStore&) = delete;

  /// Refuses further calls (kUnavailable), finishes those that wait, and ends the threads. May be
  /// called again; not by two threads at once.
  void close();

  void begin_append(Append append, base::Continuation caller, Resume<void> resume) override;
  boost::asio::awaitable<Expected<std::vector<Entry>>> read(TableId table, Version from,
                                                            std::size_t max) override;
  boost::asio::awaitable<Expected<std::optional<Entry>>> last(TableId table) override {
    return last_by(readers_, table);
  }
  /// The same events by the readers of lists: what clients ask about games does not wait in front
  /// of loads of tables.
  [[nodiscard]] EventReader& history() { return history_; }

  /// One server uses the folder at a time: whoever claims a table is its owner, never Elsewhere.
  boost::asio::awaitable<Expected<Claimed>> claim(TableId table, LifeId life) override;

  boost::asio::awaitable<Expected<TableHeads>> heads(std::vector<TableId> tables) override;

  /// Whether the last attempt to write succeeded. After a failure (kUnavailable) every write, and a
  /// probe each limits::kStoreProbeInterval, tries again. After a write has met damage: kCorrupt,
  /// for good.
  [[nodiscard]] Expected<void> writable() const override;
  /// Writes that wait for the writer, for metrics.
  [[nodiscard]] std::size_t writes_waiting() const { return writer_.waiting(); }

 private:
  class History final : public EventReader {
   public:
    explicit History(SqliteStore& store) : store_(store) {}
    boost::asio::awaitable<Expected<std::vector<Entry>>> read(TableId table, Version from,
                                                              std::size_t max) override {
      return store_.read_by(store_.list_readers_, table, from, max);
    }
    boost::asio::awaitable<Expected<std::optional<Entry>>> last(TableId table) override {
      return store_.last_by(store_.list_readers_, table);
    }

   private:
    SqliteStore& store_;
  };

  struct Opened;  // the parts that open() has prepared
  explicit SqliteStore(Opened opened);

  boost::asio::awaitable<std::optional<Error>> reads(sql::Lane lane, ReadWork work) override;
  boost::asio::awaitable<std::optional<Error>> writes(sql::Lane lane, WriteWork work) override;
  void write_aside(sql::Batch batch) override;
  boost::asio::awaitable<Expected<void>> compact_events() override;
  boost::asio::awaitable<Expected<std::size_t>> give_back_pages() override;

  boost::asio::awaitable<Expected<void>> change(Write::Request request);
  /// As EventReader, by one of `readers`.
  boost::asio::awaitable<Expected<std::vector<Entry>>> read_by(ReaderPool& readers, TableId table,
                                                               Version from, std::size_t max);
  boost::asio::awaitable<Expected<std::optional<Entry>>> last_by(ReaderPool& readers,
                                                                 TableId table);
  template <class T, class Query>
  static boost::asio::awaitable<Expected<T>> query_by(ReaderPool& readers, Query query);
  /// Runs `job` on one of the readers. Error: why none runs it.
  static boost::asio::awaitable<Expected<void>> read_with(
      ReaderPool& readers, std::move_only_function<void(Queries&)> job);

  DataFolder folder_;
  std::unique_ptr<RecentEvents> recent_;
  std::unique_ptr<StoreHealth> health_;
  Writer writer_;
  ReaderPool readers_;
  ReaderPool list_readers_;
  History history_{*this};
};

}  // namespace tesela::store
