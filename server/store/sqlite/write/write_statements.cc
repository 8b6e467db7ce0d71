#include "server/store/sqlite/write/write_statements.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/base/limits.h"
#include "server/store/personal_data.h"
#include "server/store/refusals.h"
#include "server/store/sqlite/database/board_sql.h"
#include "server/store/sqlite/database/diagnosis.h"

namespace tesela::store {
namespace {

/// Besides the primary keys, the only unique index of tables is that of daily tries.
std::unexpected<Error> refused_table(int constraint) {
  return constraint == SQLITE_CONSTRAINT_UNIQUE ? already_tried() : table_taken();
}

}  // namespace

WriteStatements::WriteStatements(Connection& connection, RecentEvents& recent)
    : recent_(recent),
      handle_(connection.handle()),
      head_(connection,
            "SELECT epoch, max(ifnull((SELECT max(version) FROM events WHERE table_id = ?1), 0),"
            " ifnull((SELECT events FROM archives WHERE table_id = ?1), 0))"
            " FROM tables WHERE id = ?1"),
      appended_(connection, "recent_events"),
      end_(connection,
           "UPDATE tables SET state = 2, result = ?2, ended_ms = ?3, log_end = ?4 WHERE id = ?1"),
      end_seats_(connection, "UPDATE seats SET state = 2 WHERE table_id = ?1"),
      add_player_(connection,
                  "INSERT INTO players (id, display_name, created_ms, kind, identity, seen_ms)"
                  " VALUES (?1, ?2, ?3, ?4, ?5, ?3)"),
      add_table_(connection,
                 "INSERT INTO tables (id, game, config, options, owner_id, invite, seed, state,"
                 " assisted, seat_count, epoch, created_ms, daily, result, ended_ms, public,"
                 " log_end)"
                 " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, ?9, ?10, ?11, nullif(?12, 0),"
                 " iif(?8 = 2, ?13, NULL), iif(?8 = 2, ?14, NULL), ?6 = '', iif(?8 = 2, ?15, 0))"),
      // Inserts no row if the kind of the player contradicts the seat. Copies columns of the table.
      add_seat_(connection,
                "INSERT INTO seats (table_id, seat, player_id, strategy, contribution,"
                " contribution_state, game, public, state, created_ms)"
                " SELECT tables.id, ?2, players.id, ?4, ?5, ?7, game, public, state,"
                " tables.created_ms FROM tables, players WHERE tables.id = ?1"
                " AND players.id = ?3 AND (kind = 3) = ?6"),
      change_table_(connection,
                    "UPDATE tables SET state = ?2, assisted = ?3,"
                    " ended_ms = iif(?2 IN (2, 4), ?4, NULL), result = iif(?2 = 2, ?5, NULL),"
                    " log_end = iif(?2 IN (2, 4), max(log_end, ?6), 0)"
                    " WHERE id = ?1"),
      empty_seats_(connection, "DELETE FROM seats WHERE table_id = ?1"),
      claim_(connection, "UPDATE tables SET epoch = ?2 WHERE id = ?1"),
      match_again_(connection,
                   "UPDATE last_matches SET table_id = ?2 WHERE player_id = ?1 AND table_id = ?3"),
      match_first_(connection,
                   "INSERT INTO last_matches (player_id, table_id) VALUES (?1, ?2)"
                   " ON CONFLICT DO NOTHING"),
      see_player_(connection, "UPDATE players SET seen_ms = max(seen_ms, ?2) WHERE id = ?1"),
      erase_player_(connection,
                    "UPDATE players SET display_name = ?2, identity = x'',"
                    " erased_ms = coalesce(erased_ms, ?3) WHERE id = ?1 AND kind <> 3"),
      // What was withheld is not part of the dice of a game that has not begun; later games need
      // the state, which tells that something is missing.
      erase_seats_(connection,
                   "UPDATE seats SET contribution = x'',"
                   " contribution_state = iif(state = 3 AND contribution_state IN (2, 3), 4,"
                   " contribution_state) WHERE table_id = ?1 AND player_id = ?2"),
      kind_of_player_(connection, "SELECT kind FROM players WHERE id = ?1"),
      boards_(connection),
      snapshots_(connection),
      removals_(connection, recent),
      archives_(connection),
      savepoint_(connection, "SAVEPOINT write"),
      undo_(connection, "ROLLBACK TO write"),
      release_(connection, "RELEASE write") {}

Expected<Epoch> WriteStatements::apply(Write& write) {
  return std::visit([this](auto& request) { return run(request); }, write.request);
}

void WriteStatements::finish() {
  appended_.insert(events_.size(), [this](std::size_t i) {
    const auto& [table, entry] = events_[i];
    return EventRows::Row{table, entry.version, entry.record};
  });
  if (!events_.empty()) recent_.hide(sqlite3_last_insert_rowid(handle_));
}

void WriteStatements::commit() {
  heads_.commit();
  recent_.add(events_);
  if (heads_.size() > limits::kStoreHeadsMax) {
    heads_.forget_unless([this](TableId table) { return recent_.contains(table); });
  }
}

void WriteStatements::roll_back() {
  heads_.roll_back();
  events_.clear();
  recent_.give_up();
}

Expected<Epoch> WriteStatements::run(Append& append) {
  const auto head = head_of(append.table);
  if (!head) return std::unexpected(head.error());
  if (append.epoch != head->epoch) {
    return another_owner();
  }
  if (append.version != next(head->last)) {
    return not_the_next_version();
  }
  if (append.ending) {
    const auto ended = undone_if_refused(refused_table, [&]() -> Expected<void> {
      end_.bind(1, append.table)
          .bind_blob(2, append.ending->result)
          .bind(3, append.ending->ended_ms)
          .bind(4, append.version)
          .run();
      end_seats_.bind(1, append.table).run();
      boards_.count(append.outcome, append.table, append.ending->ended_ms);
      return {};
    });
    if (!ended) return std::unexpected(ended.error());
  }
  append_event(append.table, append.version, std::move(append.record));
  heads_.change(append.table, Head{head->epoch, append.version});
  return head->epoch;
}

Expected<Epoch> WriteStatements::run(const AddPlayer& add) {
  try {
    add_player_.bind(1, add.player.id)
        .bind_text(2, add.player.display_name)
        .bind(3, add.player.created_ms)
        .bind(4, static_cast<std::int64_t>(add.player.kind))
        .bind_blob(5, add.player.identity)
        .run();
  } catch (const StorageError& error) {
    if (error.primary() != SQLITE_CONSTRAINT) throw;
    return refuse(ErrorCode::kInternal, "This player's id is taken.");
  }
  return Epoch{};
}

/// Runs a change in a savepoint. Rolls it back if it is refused, or has met a damaged row.
template <class Change>
Expected<void> WriteStatements::undone_if_refused(Refused refused, Change change) {
  savepoint_.run();
  Expected<void> changed;
  try {
    changed = change();
  } catch (const StorageError& error) {
    const bool is_row = error.code() == kDamagedRow;
    if (!is_row && error.primary() != SQLITE_CONSTRAINT) throw;
    const bool unknown = error.code() == SQLITE_CONSTRAINT_FOREIGNKEY;
    changed = is_row ? damaged_database() : unknown ? no_such_player() : refused(error.code());
  }
  if (!changed) undo_.run();
  release_.run();
  return changed;
}

Expected<Epoch> WriteStatements::run(AddTable& add) {
  const auto inserted = undone_if_refused(refused_table, [&]() -> Expected<void> {
    if (auto stored = insert_table(add.table, add.first_record.has_value()); !stored) return stored;
    count_ending_of(add.table, add.outcome);
    return {};
  });
  if (!inserted) return std::unexpected(inserted.error());
  added(add.table.id, std::move(add.first_record));
  return Epoch{1};
}

Expected<Epoch> WriteStatements::run(ChangeTable& change) {
  const TableRow& table = change.table;
  const auto head = head_of(table.id);
  if (!head) return std::unexpected(head.error());
  if (table.epoch != head->epoch) return another_owner();
  if (change.first_record && head->last != Version{}) return not_the_next_version();
  const auto changed = undone_if_refused(refused_table, [&]() -> Expected<void> {
    change_table_.bind(1, table.id)
        .bind(2, static_cast<std::int64_t>(table.state))
        .bind(3, std::int64_t{table.assisted})
        .bind(4, table.ending ? table.ending->ended_ms : 0)
        .bind_blob(5, table.ending ? std::string_view{table.ending->result} : std::string_view{})
        .bind(6, change.first_record ? Version{1} : head->last)
        .run();
    empty_seats_.bind(1, table.id).run();
    if (auto stored = insert_seats(table); !stored) return stored;
    count_ending_of(table, change.outcome);
    return {};
  });
  if (!changed) return std::unexpected(changed.error());
  if (change.first_record) {
    append_event(table.id, Version{1}, std::move(*change.first_record));
    heads_.change(table.id, Head{head->epoch, Version{1}});
  }
  return head->epoch;
}

Expected<Epoch> WriteStatements::run(const Claim& claim) {
  const auto head = head_of(claim.table);
  if (!head) return std::unexpected(head.error());
  const Epoch epoch{head->epoch.value + 1};
  claim_.bind(1, claim.table).bind(2, epoch).run();
  heads_.change(claim.table, Head{epoch, head->last});
  *claim.owned = Owned{epoch, head->last};
  return epoch;
}

Expected<Epoch> WriteStatements::run(MakeTables& make) {
  const auto made = undone_if_refused(refused_table, [&]() -> Expected<void> {
    for (const MatchedTable& made : make.tables) {
      auto inserted = insert_table(made.table, made.first_record.has_value());
      if (inserted) inserted = match_players(made);
      if (!inserted) return inserted;
      count_ending_of(made.table, made.outcome);
    }
    return {};
  });
  if (!made) return std::unexpected(made.error());
  for (auto& table : make.tables) added(table.table.id, std::move(table.first_record));
  return Epoch{};
}

Expected<Epoch> WriteStatements::run(const WriteSnapshot& write) {
  snapshots_.write(write.table, write.row);
  return Epoch{};
}

Expected<Epoch> WriteStatements::run(const ThinOutSnapshots& thin) {
  snapshots_.thin_out(thin.table, thin.versions);
  return Epoch{};
}

Expected<Epoch> WriteStatements::run(const SeePlayer& see) {
  if (see_player_.bind(1, see.player).bind(2, see.at_ms).run() == 0) return no_such_player();
  return Epoch{};
}

Expected<Epoch> WriteStatements::run(const ErasePlayer& erase) {
  const OverwritingDeleted overwriting(handle_);
  erase_player_.bind(1, erase.player).bind_text(2, kErasedName).bind(3, erase.at_ms);
  if (erase_player_.run() == 0) {
    const bool known = kind_of_player_.bind(1, erase.player).first_row([](const Statement&) {});
    if (!known) return no_such_player();
    return refuse(ErrorCode::kInvalidArgument, "This is the account of a bot, and nobody's name.");
  }
  for (const TableId table : erase.tables) {
    erase_seats_.bind(1, table).bind(2, erase.player).run();
  }
  return Epoch{};
}

Expected<Epoch> WriteStatements::run(RemoveData& remove) {
  std::vector<TableId> gone;
  *remove.done = removals_.remove(remove.removal, gone);
  for (const TableId table : gone) heads_.forget(table);
  postponed_ = postponed_ || remove.done->postponed;
  return Epoch{};
}

Expected<Epoch> WriteStatements::run(const ArchiveLog& log) {
  const auto head = head_of(log.table);
  if (!head) return std::unexpected(head.error());
  if (recent_.contains(log.table)) return not_compacted();
  const auto done =
      log.packed ? archives_.add(log.table, *log.packed, head->last) : archives_.leave(log.table);
  if (!done) return std::unexpected(done.error());
  if (log.snapshots_apart != 0) snapshots_.thin_out(log.table, log.snapshots_apart);
  return head->epoch;
}

Expected<Epoch> WriteStatements::run(const DropPacked& drop) {
  if (const auto head = head_of(drop.table); !head) return std::unexpected(head.error());
  if (auto done = archives_.drop(drop.table); !done) return std::unexpected(done.error());
  return Epoch{};
}

Expected<Epoch> WriteStatements::run(const HurryCompaction& /*hurry*/) {
  postponed_ = true;
  return Epoch{};
}

Expected<Head> WriteStatements::head_of(TableId table) {
  if (const auto head = heads_.find(table)) return *head;
  // A table that is not cached has no recent events: its last version is in `events`, or packed.
  std::optional<Head> found;
  try {
    head_.bind(1, table).first_row(
        [&](const Statement& row) { found = Head{row.id<Epoch>(0), row.id<Version>(1)}; });
  } catch (const StorageError& error) {
    // Of this table alone: the other writes of the transaction are stored.
    if (damaged(error)) return damaged_database();
    throw;
  }
  if (!found) return no_such_table();
  heads_.remember(table, *found);
  return *found;
}

void WriteStatements::append_event(TableId table, Version version, std::string record) {
  events_.push_back({table, Entry{version, std::move(record)}});
}

Expected<void> WriteStatements::insert_table(const TableRow& table, bool begun) {
  add_table_.bind(1, table.id)
      .bind_text(2, table.game)
      .bind_blob(3, table.config)
      .bind_blob(4, table.options)
      .bind(5, table.owner)
      .bind_text(6, table.invite)
      .bind_blob(7, table.seed)
      .bind(8, static_cast<std::int64_t>(table.state))
      .bind(9, std::int64_t{table.seat_count})
      .bind(10, Epoch{1})
      .bind(11, table.created_ms)
      .bind(12, day_number(table.daily))
      .bind_blob(13, table.ending ? std::string_view{table.ending->result} : std::string_view{})
      .bind(14, table.ending ? table.ending->ended_ms : 0)
      .bind(15, std::int64_t{begun})
      .run();
  removals_.make_room_for(table.id);
  return insert_seats(table);
}

/// A table was inserted: caches its head and appends its first record.
void WriteStatements::added(TableId table, std::optional<std::string> first_record) {
  const Version last{first_record ? 1U : 0U};
  if (first_record) append_event(table, last, std::move(*first_record));
  heads_.change(table, Head{Epoch{1}, last});
}

Expected<void> WriteStatements::match_players(const MatchedTable& made) {
  for (const MatchedPlayer& each : made.players) {
    Statement& match = each.last_match ? match_again_ : match_first_;
    match.bind(1, each.player).bind(2, made.table.id);
    if (each.last_match) match.bind(3, *each.last_match);
    if (match.run() == 0) return matched_meanwhile();
  }
  return {};
}

Expected<void> WriteStatements::insert_seats(const TableRow& table) {
  for (const SeatRow& seat : table.seats) {
    const int rows = add_seat_.bind(1, table.id)
                         .bind(2, seat.seat)
                         .bind(3, seat.player)
                         .bind_text(4, seat.strategy)
                         .bind_blob(5, seat.contribution)
                         .bind(6, std::int64_t{seat.bot})
                         .bind(7, static_cast<std::int64_t>(seat.contribution_state))
                         .run();
    if (rows == 0) return no_such_player();
  }
  return {};
}

}  // namespace tesela::store
