// EventLog, TableRows, Store and what is beside them on a PostgreSQL database (FORMAT.md, "On
// PostgreSQL").
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/store/event_log.h"
#include "server/store/game_archives.h"
#include "server/store/key_fingerprint.h"
#include "server/store/nodes.h"
#include "server/store/offered_bots.h"
#include "server/store/ownership.h"
#include "server/store/personal_data.h"
#include "server/store/removals.h"
#include "server/store/reports.h"
#include "server/store/snapshots.h"
#include "server/store/store.h"
#include "server/store/table_changes.h"
#include "server/store/table_rows.h"

namespace tesela::store {

/// Any thread; not close() and the destructor, which wait for the store's thread. The executor of a
/// call must exist until the call has resumed: close or destroy the store before the io_contexts.
/// While PostgreSQL cannot be reached, calls wait (Options::wait); then kUnavailable, or kInternal
/// for a write that was sent. A write whose answer was lost is sent again until it is answered.
class PostgresStore final : public EventLog, public TableRows, public Store {
 public:
  struct Options {
    std::string url;  // postgres://…, as libpq reads it
    std::chrono::milliseconds wait;
    std::vector<KeyFingerprint> shared_keys{};  // that all servers on the database must have
    bool reads_only{};     // the schema is not brought to this version, and boards are not counted
    OnCommit on_commit{};  // for metrics, as on_error
    OnError on_error{};
    OnHealthChange on_health_change{};  // for the log
  };

  /// Connects, and brings the schema to this version. Errors, with a sentence that says what to do:
  ///   kUnavailable  the database cannot be reached or written, or its schema is newer than this
  ///                 server; with `reads_only`: or another
  ///   kCorrupt      the database is another application's
  ///   kInvalidArgument  the clock, or a key, is not that of the other servers; or a pooler is in
  ///                     between that mixes the statements of sessions
  static Expected<std::unique_ptr<PostgresStore>> open(Options options);

  /// Closes.
  ~PostgresStore() override;
  PostgresStore(const PostgresStore&) = delete;
  PostgresStore& operator=(const PostgresStore&) = delete;

  /// Refuses further calls (kUnavailable), and finishes those that wait, or gives them up after
  /// limits::kPostgresCloseTimeMax. May be called again; not by two threads at once.
  void close();

  void begin_append(Append append, base::Continuation caller, Resume<void> resume) override;
  boost::asio::awaitable<Expected<std::vector<Entry>>> read(TableId table, Version from,
                                                            std::size_t max) override;
  boost::asio::awaitable<Expected<std::optional<Entry>>> last(TableId table) override;
  /// The same events on the connections of lists.
  [[nodiscard]] EventReader& history();
  /// Written soon after the call, by transactions of their own.
  [[nodiscard]] Snapshots& snapshots();
  /// Calls of `snapshots` that wait for such a transaction or its end.
  [[nodiscard]] std::size_t snapshots_waiting() const;
  [[nodiscard]] Ownership& ownership();
  [[nodiscard]] GameArchives& archives();
  [[nodiscard]] Removals& removals();
  [[nodiscard]] PersonalData& personal_data();
  [[nodiscard]] Nodes& nodes();
  [[nodiscard]] OfferedBots& offered_bots();
  [[nodiscard]] TableChanges& changes();

  boost::asio::awaitable<Expected<void>> add_player(PlayerRow player) override;
  boost::asio::awaitable<Expected<PlayerRow>> player(PlayerId id) override;
  boost::asio::awaitable<Expected<void>> see_player(PlayerId id, std::int64_t at_ms,
                                                    std::int64_t known_since_ms) override;
  boost::asio::awaitable<Expected<std::vector<PlayerRow>>> players(
      std::string name_prefix, std::optional<PlayerCursor> after, std::size_t max) override;
  boost::asio::awaitable<Expected<void>> add_table(TableRow table,
                                                   std::optional<std::string> first_record,
                                                   GameOutcome outcome) override;
  boost::asio::awaitable<Expected<void>> change_table(TableRow table,
                                                      std::optional<std::string> first_record,
                                                      GameOutcome outcome) override;
  boost::asio::awaitable<Expected<TableRow>> table(TableId id) override;
  boost::asio::awaitable<Expected<std::vector<TableRow>>> tables(TableFilter filter,
                                                                 std::optional<TableCursor> after,
                                                                 std::size_t max) override;
  boost::asio::awaitable<Expected<std::vector<SeekerRow>>> seekers(
      std::string game, std::vector<PlayerId> players) override;
  boost::asio::awaitable<Expected<void>> make_tables(std::vector<MatchedTable> tables,
                                                     Epoch lease) override;
  boost::asio::awaitable<Expected<RatingRow>> rating(std::string game, PlayerId player) override;
  boost::asio::awaitable<Expected<std::vector<BoardEntry>>> board(BoardKey key,
                                                                  BoardRange range) override;
  /// Whether PostgreSQL could be reached when it was last tried.
  [[nodiscard]] Expected<void> writable() const override;

 private:
  class Parts;
  explicit PostgresStore(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace tesela::store
