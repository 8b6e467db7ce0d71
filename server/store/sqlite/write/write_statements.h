// All writes of the store by SQL, inside the writer's transaction.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "server/store/boards.h"
#include "server/store/sqlite/database/connection.h"
#include "server/store/sqlite/database/recent_events.h"
#include "server/store/sqlite/write/archive_statements.h"
#include "server/store/sqlite/write/board_statements.h"
#include "server/store/sqlite/write/event_rows.h"
#include "server/store/sqlite/write/heads.h"
#include "server/store/sqlite/write/removal_statements.h"
#include "server/store/sqlite/write/snapshot_statements.h"
#include "server/store/sqlite/write/write.h"

namespace tesela::store {

/// The writer's thread alone.
class WriteStatements {
 public:
  /// Both outlive it.
  WriteStatements(Connection& connection, RecentEvents& recent);

  /// Runs one write. A refusal (kFenced, kNotFound and so on) leaves the transaction unchanged; a
  /// StorageError ends the whole transaction.
  [[nodiscard]] Expected<Epoch> apply(Write& write);
  /// Called once after the writes of a transaction, before its commit. Throws StorageError.
  void finish();
  /// The transaction was committed: readers may see its events.
  void commit();
  /// The transaction was rolled back.
  void roll_back();
  /// Whether deleting waits for events to be compacted; once.
  [[nodiscard]] bool takes_postponed() { return std::exchange(postponed_, false); }

 private:
  Expected<Epoch> run(Append& append);
  Expected<Epoch> run(const AddPlayer& add);
  Expected<Epoch> run(AddTable& add);
  Expected<Epoch> run(ChangeTable& change);
  Expected<Epoch> run(const Claim& claim);
  Expected<Epoch> run(MakeTables& make);
  Expected<Epoch> run(const WriteSnapshot& write);
  Expected<Epoch> run(const ThinOutSnapshots& thin);
  Expected<Epoch> run(const SeePlayer& see);
  Expected<Epoch> run(const ErasePlayer& erase);
  Expected<Epoch> run(RemoveData& remove);
  Expected<Epoch> run(const ArchiveLog& log);
  Expected<Epoch> run(const DropPacked& drop);
  Expected<Epoch> run(const HurryCompaction& hurry);

  /// Errors: kNotFound; kCorrupt, where what is stored of the table is damaged.
  Expected<Head> head_of(TableId table);
  void append_event(TableId table, Version version, std::string record);
  Expected<void> insert_table(const TableRow& table, bool begun);
  Expected<void> insert_seats(const TableRow& table);
  /// For a game that is over before its first move.
  void count_ending_of(const TableRow& table, const GameOutcome& outcome) {
    if (table.state == TableState::kOver) boards_.count(outcome, table.id, table.ending->ended_ms);
  }
  void added(TableId table, std::optional<std::string> first_record);
  Expected<void> match_players(const MatchedTable& made);
  /// Makes the refusal for a violated constraint from SQLite's extended result code.
  using Refused = std::unexpected<Error> (*)(int constraint);
  template <class Change>
  Expected<void> undone_if_refused(Refused refused, Change change);

  RecentEvents& recent_;
  sqlite3* handle_;
  Heads heads_;
  std::vector<RecentEvents::Committed> events_;  // of this transaction, inserted by `finish`
  Statement head_;
  EventRows appended_;
  Statement end_;
  Statement end_seats_;
  Statement add_player_;
  Statement add_table_;
  Statement add_seat_;
  Statement change_table_;
  Statement empty_seats_;
  Statement claim_;
  Statement match_again_;
  Statement match_first_;
  Statement see_player_;
  Statement erase_player_;
  Statement erase_seats_;
  Statement kind_of_player_;
  BoardStatements boards_;
  SnapshotStatements snapshots_;
  RemovalStatements removals_;
  bool postponed_{false};
  ArchiveStatements archives_;
  Statement savepoint_;
  Statement undo_;
  Statement release_;
};

}  // namespace tesela::store
