#include "server/store/sqlite/write_statements.h"

#include <optional>
#include <string>
#include <utility>

#include "server/net/limits.h"
#include "server/store/refusals.h"

namespace tesela::store {
namespace {}  // namespace

WriteStatements::WriteStatements(Connection& connection, RecentEvents& recent)
    : recent_(recent),
      head_(connection,
            "SELECT epoch, (SELECT max(version) FROM events WHERE table_id = ?1)"
            " FROM tables WHERE id = ?1"),
      append_(connection,
              "INSERT INTO recent_events (table_id, version, record) VALUES (?1, ?2, ?3)"),
      end_(connection, "UPDATE tables SET state = 2, result = ?2, ended_ms = ?3 WHERE id = ?1"),
      add_player_(connection,
                  "INSERT INTO players (id, display_name, created_ms) VALUES (?1, ?2, ?3)"),
      add_table_(connection,
                 "INSERT INTO tables (id, game, config, state, seat_count, epoch, created_ms)"
                 " VALUES (?1, ?2, ?3, 3, ?4, ?5, ?6)"),
      add_seat_(connection, "INSERT INTO seats (table_id, seat, player_id) VALUES (?1, ?2, ?3)"),
      seat_count_(connection, "SELECT seat_count FROM tables WHERE id = ?1"),
      begin_(connection,
             "UPDATE tables SET state = 1 WHERE id = ?1 AND state = 3 AND seat_count ="
             " (SELECT count(*) FROM seats WHERE table_id = ?1)"),
      claim_(connection, "UPDATE tables SET epoch = ?2 WHERE id = ?1"),
      savepoint_(connection, "SAVEPOINT write"),
      undo_(connection, "ROLLBACK TO write"),
      release_(connection, "RELEASE write") {}

Expected<Epoch> WriteStatements::apply(Write& write) {
  return std::visit([this](auto& request) { return run(request); }, write.request);
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
}

Expected<Epoch> WriteStatements::run(Append& append) {
  const auto head = head_of(append.table);
  if (!head) return no_such_table();
  if (append.epoch != head->epoch) {
    return another_owner();
  }
  if (append.version != next(head->last)) {
    return not_the_next_version();
  }
  append_event(append.table, append.version, std::move(append.record));
  if (append.ending) {
    end_.bind(1, append.table)
        .bind_blob(2, append.ending->result)
        .bind(3, append.ending->ended_ms)
        .run();
  }
  heads_.change(append.table, Head{head->epoch, append.version});
  return head->epoch;
}

Expected<Epoch> WriteStatements::run(const AddPlayer& add) {
  try {
    add_player_.bind(1, add.player.id)
        .bind_text(2, add.player.display_name)
        .bind(3, add.player.created_ms)
        .run();
  } catch (const StorageError& error) {
    if (error.primary() != SQLITE_CONSTRAINT) throw;
    return refuse(ErrorCode::kInternal, "This player's id is taken.");
  }
  return Epoch{};
}

Expected<Epoch> WriteStatements::run(AddTable& add) {
  savepoint_.run();
  try {
    insert_table(add.table);
  } catch (const StorageError& error) {
    if (error.primary() != SQLITE_CONSTRAINT) throw;
    undo_.run();
    release_.run();
    if (error.code() == SQLITE_CONSTRAINT_FOREIGNKEY) {
      return no_such_player();
    }
    return refuse(ErrorCode::kInternal, "This table's id or one of its seats is taken.");
  }
  release_.run();
  append_event(add.table.id, Version{1}, std::move(add.record));
  heads_.change(add.table.id, Head{Epoch{1}, Version{1}});
  return Epoch{1};
}

Expected<Epoch> WriteStatements::run(const SeatClaim& claim) {
  const auto head = head_of(claim.table);
  if (!head) return no_such_table();
  if (claim.epoch != head->epoch) return another_owner();
  std::int64_t seats = 0;
  seat_count_.bind(1, claim.table).first_row([&](const Statement& row) { seats = row.number(0); });
  if (claim.seat.value >= seats) return no_such_seat(static_cast<std::uint8_t>(seats));
  try {
    add_seat_.bind(1, claim.table).bind(2, claim.seat).bind(3, claim.player).run();
  } catch (const StorageError& error) {
    if (error.primary() != SQLITE_CONSTRAINT) throw;
    if (error.code() == SQLITE_CONSTRAINT_FOREIGNKEY) return no_such_player();
    return seat_taken();
  }
  begin_.bind(1, claim.table).run();
  return head->epoch;
}

Expected<Epoch> WriteStatements::run(const Claim& claim) {
  const auto head = head_of(claim.table);
  if (!head) return no_such_table();
  const Epoch epoch{head->epoch.value + 1};
  claim_.bind(1, claim.table).bind(2, epoch).run();
  heads_.change(claim.table, Head{epoch, head->last});
  return epoch;
}

std::optional<Head> WriteStatements::head_of(TableId table) {
  if (auto head = heads_.find(table)) return head;
  // A table that is not remembered has no recent events: its last version stands in `events`.
  std::optional<Head> found;
  head_.bind(1, table).first_row(
      [&](const Statement& row) { found = Head{row.id<Epoch>(0), row.id<Version>(1)}; });
  if (found) heads_.remember(table, *found);
  return found;
}

void WriteStatements::append_event(TableId table, Version version, std::string record) {
  append_.bind(1, table).bind(2, version).bind_blob(3, record).run();
  events_.push_back({table, Entry{version, std::move(record)}});
}

void WriteStatements::insert_table(const TableRow& table) {
  add_table_.bind(1, table.id)
      .bind_text(2, table.game)
      .bind_blob(3, table.config)
      .bind(4, std::int64_t{table.seat_count})
      .bind(5, Epoch{1})
      .bind(6, table.created_ms)
      .run();
  for (const SeatRow& seat : table.seats) {
    add_seat_.bind(1, table.id).bind(2, seat.seat).bind(3, seat.player).run();
  }
  begin_.bind(1, table.id).run();
}

}  // namespace tesela::store
