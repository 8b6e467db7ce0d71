#include "server/store/sqlite/read/queries.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "server/store/log_page.h"
#include "server/store/refusals.h"
#include "server/store/sqlite/database/board_sql.h"
#include "server/store/sqlite/database/diagnosis.h"
#include "server/store/sqlite/database/schema.h"

namespace tesela::store {
namespace {

constexpr const char* kTableColumns =
    "id, game, config, options, owner_id, invite, seed, state, assisted, seat_count, epoch,"
    " created_ms, result, ended_ms, daily";

TableRow table_of(const Statement& row) {
  TableRow table{.id = row.id<TableId>(0),
                 .game = row.text(1),
                 .config = row.blob(2),
                 .options = row.blob(3),
                 .owner = row.id<PlayerId>(4),
                 .invite = row.text(5),
                 .seed = row.blob(6),
                 .state = row.one_of(7, TableState::kInPlay, TableState::kClosed),
                 .assisted = row.number(8) != 0,
                 .seat_count = row.small<std::uint8_t>(9),
                 .seats = {},
                 .epoch = row.id<Epoch>(10),
                 .created_ms = row.number(11),
                 .ending = std::nullopt,
                 .daily = day_of_number(row.null(14) ? 0 : row.number(14))};
  if (!row.null(13)) {
    table.ending = Ending{row.null(12) ? std::string() : row.blob(12), row.number(13)};
  }
  return table;
}

bool is_bot(std::int64_t kind) {
  return kind == static_cast<std::int64_t>(PlayerKind::kBot);
}

}  // namespace

Queries::Queries(const std::filesystem::path& database, const RecentEvents& recent,
                 StoreHealth& health)
    : recent_(recent),
      health_(health),
      connection_(database, Connection::Access::kReadOnly),
      log_place_(connection_, "SELECT log_place FROM tables WHERE id = ?1"),
      events_(connection_,
              "SELECT version, record FROM events WHERE table_id = ?1 AND version >= ?2"
              " ORDER BY version LIMIT ?3"),
      last_event_(connection_,
                  "SELECT version, record FROM events WHERE table_id = ?1"
                  " ORDER BY version DESC LIMIT 1"),
      snapshot_(connection_,
                "SELECT version, position FROM snapshots WHERE table_id = ?1 AND version <= ?2"
                " ORDER BY version DESC LIMIT 1"),
      marks_(connection_,
             "SELECT version, marks FROM snapshots WHERE table_id = ?1 AND version <= ?2"
             " AND length(marks) > 0 ORDER BY version"),
      player_(connection_, std::string("SELECT ") + kPlayerColumns + " FROM players WHERE id = ?1"),
      table_(connection_, std::string("SELECT ") + kTableColumns + " FROM tables WHERE id = ?1"),
      seats_(
          connection_,
          "SELECT seat, player_id, display_name, strategy, contribution, contribution_state, kind"
          " FROM seats JOIN players ON id = player_id WHERE table_id = ?1 ORDER BY seat"),
      seeker_(connection_,
              "SELECT mu, table_id, tables.state IN (1, 3) FROM players"
              " LEFT JOIN ratings ON ratings.game = ?2 AND ratings.player_id = players.id"
              " LEFT JOIN last_matches ON last_matches.player_id = players.id"
              " LEFT JOIN tables ON tables.id = table_id WHERE players.id = ?1"),
      newest_seq_(connection_, "SELECT max(seq) FROM recent_events"),
      packed_logs_(connection_),
      table_lists_(connection_),
      player_lists_(connection_),
      boards_(connection_),
      removals_(connection_, table_lists_),
      player_data_(connection_) {
  tune_reader(connection_);
}

Error Queries::failed(const StorageError& error) {
  health_.read_failed(error);
  if (damaged(error)) return damaged_database().error();
  if (refuses_value(error)) {
    return {ErrorCode::kInvalidArgument, "The request holds a value that cannot be looked for."};
  }
  return {ErrorCode::kUnavailable, "The server cannot read its database now."};
}

template <class T, class Read>
Expected<T> Queries::at_one_moment(Read&& read) {
  Expected<T> result;
  try {
    connection_.run("BEGIN");
    result = read();
  } catch (const StorageError& error) {
    result = std::unexpected(failed(error));
  }
  try {
    if (connection_.in_transaction()) connection_.run("COMMIT");
  } catch (const StorageError& error) {
    result = std::unexpected(failed(error));
  }
  return result;
}

Expected<Queries::Stored> Queries::read_place(TableId table) {
  std::optional<LogPlace> place;
  log_place_.bind(1, table).first_row(
      [&](const Statement& row) { place = row.one_of(0, LogPlace::kEvents, LogPlace::kStays); });
  if (!place) return no_such_table();
  Stored stored;
  if (*place != LogPlace::kBoth && *place != LogPlace::kPacked) return stored;
  auto packed = packed_logs_.packed(table);
  if (!packed) return std::unexpected(std::move(packed.error()));
  stored.packed = std::move(*packed);
  return stored;
}

Expected<std::vector<Entry>> Queries::events(TableId table, Version from, std::size_t max) {
  Version end_before;
  while (true) {
    // Memory first: see RecentEvents::since.
    auto recent = recent_.since(table, from, max);
    auto stored = at_one_moment<Stored>([&]() -> Expected<Stored> {
      auto found = read_place(table);
      if (!found) return found;
      const Version begin = std::max(from, next(found->packed_until()));
      events_.bind(1, table).bind(2, begin).bind(3, static_cast<std::int64_t>(max));
      events_.each_row([&](const Statement& row) {
        found->events.push_back(Entry{row.id<Version>(0), row.blob(1)});
      });
      if (found->events.size() < max) found->end = packed_logs_.end(table);
      return found;
    });
    if (!stored) return std::unexpected(std::move(stored.error()));

    LogPage page(from, max);
    // After the transaction: while one is open, the write-ahead log cannot begin anew.
    if (stored->packed) {
      if (auto added = page.add(*stored->packed); !added) return std::unexpected(added.error());
    }
    for (std::vector<Entry>* part : {&stored->events, &recent}) {
      if (auto added = page.add(std::move(*part)); !added) return std::unexpected(added.error());
    }
    if (!page.ends_before(stored->end)) return page.take();
    if (stored->end == end_before) return missing_from_log(page.next_version());
    end_before = stored->end;
    if (auto shown = events_shown(); !shown) return std::unexpected(shown.error());
  }
}

Expected<std::optional<Entry>> Queries::last_event(TableId table) {
  Version end_before;
  while (true) {
    // Memory first: see RecentEvents::since.
    auto recent = recent_.last(table);
    auto stored = at_one_moment<Stored>([&]() -> Expected<Stored> {
      auto found = read_place(table);
      if (!found || recent) return found;
      last_event_.bind(1, table).first_row([&](const Statement& row) {
        const auto version = row.id<Version>(0);
        if (version > found->packed_until()) found->events.push_back(Entry{version, row.blob(1)});
      });
      found->end = packed_logs_.end(table);
      return found;
    });
    if (!stored) return std::unexpected(std::move(stored.error()));
    if (recent) return recent;
    std::optional<Entry> last;
    if (!stored->events.empty()) {
      last = std::move(stored->events.front());
    } else if (stored->packed) {
      auto unpacked = last_of(*stored->packed);
      if (!unpacked) return std::unexpected(std::move(unpacked.error()));
      last = std::move(*unpacked);
    }
    const Version found = last ? last->version : Version{};
    if (found >= stored->end) return last;
    if (stored->end == end_before) return missing_from_log(next(found));
    end_before = stored->end;
    if (auto shown = events_shown(); !shown) return std::unexpected(shown.error());
  }
}

/// A row may tell of events that are not in memory yet: returns when those of this moment are.
Expected<void> Queries::events_shown() {
  return at_one_moment<void>([&]() -> Expected<void> {
    wait_for_events();
    return {};
  });
}

Expected<PackedLogs::Tasks> Queries::archive_tasks(std::int64_t ended_before_ms, std::size_t max) {
  return at_one_moment<PackedLogs::Tasks>([&]() -> Expected<PackedLogs::Tasks> {
    return packed_logs_.tasks(recent_, ended_before_ms, max);
  });
}

Expected<std::uint64_t> Queries::archive_backlog(std::int64_t ended_before_ms) {
  return at_one_moment<std::uint64_t>(
      [&]() -> Expected<std::uint64_t> { return packed_logs_.backlog(ended_before_ms); });
}

Expected<std::optional<SnapshotRow>> Queries::newest_snapshot(TableId table, Version until) {
  return at_one_moment<std::optional<SnapshotRow>>([&]() -> Expected<std::optional<SnapshotRow>> {
    std::optional<SnapshotRow> newest;
    snapshot_.bind(1, table).bind(2, until).first_row([&](const Statement& row) {
      newest = SnapshotRow{.version = row.id<Version>(0), .position = row.blob(1)};
    });
    return newest;
  });
}

Expected<std::vector<SnapshotRow>> Queries::snapshot_marks(TableId table, Version until) {
  return at_one_moment<std::vector<SnapshotRow>>([&]() -> Expected<std::vector<SnapshotRow>> {
    std::vector<SnapshotRow> rows;
    marks_.bind(1, table).bind(2, until).each_row([&](const Statement& row) {
      rows.push_back({.version = row.id<Version>(0), .position = {}, .marks = row.blob(1)});
    });
    return rows;
  });
}

Expected<PlayerRow> Queries::player(PlayerId id) {
  return at_one_moment<PlayerRow>([&]() -> Expected<PlayerRow> {
    PlayerRow player;
    const auto read = [&](const Statement& row) { player = player_of(row); };
    if (!player_.bind(1, id).first_row(read)) return no_such_player();
    return player;
  });
}

Expected<std::int64_t> Queries::seen_ms(PlayerId id) {
  return at_one_moment<std::int64_t>([&]() -> Expected<std::int64_t> {
    const auto seen = player_data_.seen_ms(id);
    if (!seen) return no_such_player();
    return *seen;
  });
}

Expected<std::vector<PlayerRow>> Queries::players(const std::string& name_prefix,
                                                  const std::optional<PlayerCursor>& after,
                                                  std::size_t max) {
  return at_one_moment<std::vector<PlayerRow>>([&]() -> Expected<std::vector<PlayerRow>> {
    return player_lists_.page(name_prefix, after, max);
  });
}

Expected<TableRow> Queries::table(TableId id) {
  return at_one_moment<TableRow>([&]() -> Expected<TableRow> { return read_table(id); });
}

Expected<TableRow> Queries::read_table(TableId id) {
  TableRow table;
  const auto read = [&](const Statement& row) { table = table_of(row); };
  if (!table_.bind(1, id).first_row(read)) return no_such_table();
  add_seats(table);
  wait_for_events();
  return table;
}

/// A row tells that its game has begun or ended as soon as the event is committed. A caller may
/// read the log next, so the row is returned only after the event is in RecentEvents: that takes as
/// long as the writer needs to add the events of one commit.
void Queries::wait_for_events() {
  const auto hidden = recent_.hidden();
  if (!hidden) return;
  std::int64_t newest = 0;
  newest_seq_.first_row([&](const Statement& row) { newest = row.number(0); });
  if (newest == *hidden) recent_.wait_until_shown(*hidden);
}

Expected<std::vector<TableRow>> Queries::tables(const TableFilter& filter,
                                                const std::optional<TableCursor>& after,
                                                std::size_t max) {
  return at_one_moment<std::vector<TableRow>>([&]() -> Expected<std::vector<TableRow>> {
    const auto page = table_lists_.page(filter, after, max);
    if (!page) return std::unexpected(page.error());
    std::vector<TableRow> tables;
    tables.reserve(page->size());
    for (const TableCursor& listed : *page) {
      auto table = read_table(listed.id);
      if (!table) return std::unexpected(std::move(table.error()));
      tables.push_back(std::move(*table));
    }
    return tables;
  });
}

Expected<std::vector<SeekerRow>> Queries::seekers(const std::string& game,
                                                  const std::vector<PlayerId>& players) {
  return at_one_moment<std::vector<SeekerRow>>([&]() -> Expected<std::vector<SeekerRow>> {
    std::vector<SeekerRow> found;
    found.reserve(players.size());
    for (const PlayerId player : players) {
      seeker_.bind(1, player).bind_text(2, game).first_row([&](const Statement& row) {
        SeekerRow& seeker = found.emplace_back(SeekerRow{.player = player, .mu = kNewcomer.mu});
        if (!row.null(0)) seeker.mu = row.real(0);
        if (row.null(1)) return;
        seeker.last_match = row.id<TableId>(1);
        seeker.match_lives = row.number(2) != 0;
      });
    }
    return found;
  });
}

Expected<RatingRow> Queries::rating(const std::string& game, PlayerId player) {
  return at_one_moment<RatingRow>(
      [&]() -> Expected<RatingRow> { return boards_.rating(game, player); });
}

Expected<std::vector<BoardEntry>> Queries::board(const BoardKey& key, const BoardRange& range) {
  return at_one_moment<std::vector<BoardEntry>>(
      [&]() -> Expected<std::vector<BoardEntry>> { return boards_.board(key, range); });
}

Expected<std::vector<EndedTable>> Queries::ended_tables(std::optional<EndedCursor> after,
                                                        std::int64_t before_ms, std::size_t max) {
  return at_one_moment<std::vector<EndedTable>>([&]() -> Expected<std::vector<EndedTable>> {
    return removals_.ended_tables(after, before_ms, max);
  });
}

Expected<std::vector<SilentGuest>> Queries::silent_guests(std::int64_t before_ms, std::size_t max) {
  return at_one_moment<std::vector<SilentGuest>>([&]() -> Expected<std::vector<SilentGuest>> {
    return removals_.silent_guests(before_ms, max);
  });
}

Expected<std::vector<PlayerId>> Queries::erased(std::size_t max) {
  return at_one_moment<std::vector<PlayerId>>(
      [&]() -> Expected<std::vector<PlayerId>> { return player_data_.erased(max); });
}

Expected<std::vector<ScoreLine>> Queries::scores(PlayerId player, std::uint64_t after,
                                                 std::size_t max) {
  return at_one_moment<std::vector<ScoreLine>>([&]() -> Expected<std::vector<ScoreLine>> {
    return player_data_.scores(player, after, max);
  });
}

void Queries::add_seats(TableRow& table) {
  seats_.bind(1, table.id).each_row([&](const Statement& row) {
    table.seats.push_back(SeatRow{
        .seat = row.id<Seat>(0),
        .player = row.id<PlayerId>(1),
        .display_name = row.text(2),
        .strategy = row.text(3),
        .contribution = row.blob(4),
        .contribution_state =
            row.one_of(5, games::ContributionState::kNone, games::ContributionState::kWithheld),
        .bot = is_bot(row.number(6))});
  });
}

}  // namespace tesela::store
