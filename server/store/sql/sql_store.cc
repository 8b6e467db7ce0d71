#include "server/store/sql/sql_store.h"

#include "server/base/scale_limits.h"
#include "server/base/store_limits.h"
#include "server/store/sql/accounts.h"
#include "server/store/sql/archives.h"
#include "server/store/sql/boards.h"
#include "server/store/sql/moderation.h"
#include "server/store/sql/players.h"
#include "server/store/sql/profiles.h"
#include "server/store/sql/removals.h"
#include "server/store/sql/snapshots.h"
#include "server/store/sql/table_writes.h"
#include "server/store/sql/tables.h"

namespace tesela::store::sql {

using boost::asio::awaitable;

awaitable<Expected<void>> SqlStore::add_player(PlayerRow player) {
  return write<void>(Lane::kWrites, [player = std::move(player)](WriteSession& session) {
    return sql::add_player(session, player);
  });
}

awaitable<Expected<PlayerRow>> SqlStore::player(PlayerId id) {
  return read<PlayerRow>(Lane::kReads, [id](Session& session) { return sql::player(session, id); });
}

awaitable<Expected<std::vector<PlayerRow>>> SqlStore::players(std::string name_prefix,
                                                              std::optional<PlayerCursor> after,
                                                              std::size_t max) {
  return read<std::vector<PlayerRow>>(
      Lane::kLists,
      [name_prefix = std::move(name_prefix), after = std::move(after), max](Session& session) {
        return sql::players(session, name_prefix, after, max);
      });
}

awaitable<Expected<void>> SqlStore::add_table(TableRow table,
                                              std::optional<std::string> first_record,
                                              GameOutcome outcome) {
  TableWrite added{std::move(table), std::move(first_record), std::move(outcome)};
  return write<void>(Lane::kTables, [added = std::move(added)](WriteSession& session) {
    return sql::add_table(session, added);
  });
}

awaitable<Expected<void>> SqlStore::change_table(TableRow table,
                                                 std::optional<std::string> first_record,
                                                 GameOutcome outcome) {
  TableWrite changed{std::move(table), std::move(first_record), std::move(outcome)};
  return write<void>(Lane::kTables, [changed = std::move(changed)](WriteSession& session) {
    return sql::change_table(session, changed);
  });
}

awaitable<Expected<TableRow>> SqlStore::table(TableId id) {
  return read<TableRow>(Lane::kReads, [id](Session& session) { return sql::table(session, id); });
}

awaitable<Expected<std::vector<TableRow>>> SqlStore::tables(TableFilter filter,
                                                            std::optional<TableCursor> after,
                                                            std::size_t max) {
  return read<std::vector<TableRow>>(Lane::kLists,
                                     [filter = std::move(filter), after, max](Session& session) {
                                       return sql::tables(session, filter, after, max);
                                     });
}

awaitable<Expected<std::vector<SeekerRow>>> SqlStore::seekers(std::string game,
                                                              std::vector<PlayerId> players) {
  return read<std::vector<SeekerRow>>(
      Lane::kReads, [game = std::move(game), players = std::move(players)](Session& session) {
        return sql::seekers(session, game, players);
      });
}

awaitable<Expected<void>> SqlStore::make_tables(std::vector<MatchedTable> tables, Epoch lease) {
  return write<void>(Lane::kTables, [tables = std::move(tables), lease](WriteSession& session) {
    return sql::make_tables(session, tables, lease);
  });
}

awaitable<Expected<RatingRow>> SqlStore::rating(std::string game, PlayerId player) {
  return read<RatingRow>(Lane::kReads, [game = std::move(game), player](Session& session) {
    return sql::rating(session, game, player);
  });
}

awaitable<Expected<std::vector<BoardEntry>>> SqlStore::board(BoardKey key, BoardRange range) {
  return read<std::vector<BoardEntry>>(
      Lane::kLists,
      [key = std::move(key), range](Session& session) { return sql::board(session, key, range); });
}

awaitable<Expected<void>> SqlStore::add_guest(PlayerRow player, SessionRow session) {
  return write<void>(Lane::kWrites,
                     [player = std::move(player), first = std::move(session)](
                         WriteSession& session) { return sql::add_guest(session, player, first); });
}

awaitable<Expected<std::vector<SessionId>>> SqlStore::add_session(SessionRow session,
                                                                  std::optional<CredentialUse> use,
                                                                  std::int64_t dead_before_ms) {
  return write<std::vector<SessionId>>(
      Lane::kWrites,
      [row = std::move(session), use = std::move(use), dead_before_ms](WriteSession& session) {
        return sql::add_session(session, row, use, dead_before_ms);
      });
}

awaitable<Expected<SessionRow>> SqlStore::session(SessionId id) {
  return read<SessionRow>(Lane::kReads,
                          [id](Session& session) { return sql::session_row(session, id); });
}

awaitable<Expected<std::vector<SessionRow>>> SqlStore::sessions(PlayerId player,
                                                                std::int64_t seen_since_ms) {
  return read<std::vector<SessionRow>>(Lane::kReads, [=](Session& session) {
    return sql::sessions(session, player, seen_since_ms);
  });
}

awaitable<Expected<void>> SqlStore::see_session(SessionId id, PlayerId player, std::int64_t at_ms) {
  return write<void>(Lane::kWrites, [=](WriteSession& session) {
    return sql::see_session(session, id, player, at_ms);
  });
}

awaitable<Expected<std::vector<SessionId>>> SqlStore::end_sessions(PlayerId player,
                                                                   std::optional<SessionId> only,
                                                                   std::optional<SessionId> but) {
  return write<std::vector<SessionId>>(Lane::kWrites, [=](WriteSession& session) {
    return sql::end_sessions(session, player, only, but);
  });
}

awaitable<Expected<std::vector<EndedSession>>> SqlStore::ended_sessions(std::int64_t since_ms,
                                                                        std::size_t max) {
  return read<std::vector<EndedSession>>(
      Lane::kLists, [=](Session& session) { return sql::ended_sessions(session, since_ms, max); });
}

awaitable<Expected<void>> SqlStore::add_credential(CredentialRow credential) {
  return write<void>(Lane::kWrites, [row = std::move(credential)](WriteSession& session) {
    return sql::add_credential(session, row);
  });
}

awaitable<Expected<std::vector<CredentialRow>>> SqlStore::credentials(PlayerId player) {
  return read<std::vector<CredentialRow>>(
      Lane::kReads, [player](Session& session) { return sql::credentials(session, player); });
}

awaitable<Expected<CredentialRow>> SqlStore::credential(std::string id) {
  return read<CredentialRow>(Lane::kReads, [id = std::move(id)](Session& session) {
    return sql::credential(session, id);
  });
}

awaitable<Expected<void>> SqlStore::name_credential(PlayerId player, std::string id,
                                                    std::string name) {
  return write<void>(Lane::kWrites,
                     [player, id = std::move(id), name = std::move(name)](WriteSession& session) {
                       return sql::name_credential(session, player, id, name);
                     });
}

awaitable<Expected<void>> SqlStore::remove_credential(PlayerId player, std::string id,
                                                      bool last_too) {
  return write<void>(Lane::kWrites, [player, id = std::move(id), last_too](WriteSession& session) {
    return sql::remove_credential(session, player, id, last_too);
  });
}

awaitable<Expected<void>> SqlStore::claim_handle(HandleClaim claim) {
  return write<void>(Lane::kWrites, [claim = std::move(claim)](WriteSession& session) {
    return sql::claim_handle(session, claim);
  });
}

awaitable<Expected<PlayerRow>> SqlStore::holder(std::string key) {
  return read<PlayerRow>(
      Lane::kReads, [key = std::move(key)](Session& session) { return sql::holder(session, key); });
}

awaitable<Expected<std::vector<PlayerRow>>> SqlStore::holders(std::string key_prefix,
                                                              std::size_t max) {
  return read<std::vector<PlayerRow>>(Lane::kLists,
                                      [prefix = std::move(key_prefix), max](Session& session) {
                                        return sql::holders(session, prefix, max);
                                      });
}

awaitable<Expected<std::vector<KeptHandle>>> SqlStore::kept_handles(PlayerId player,
                                                                    std::int64_t now_ms) {
  return read<std::vector<KeptHandle>>(
      Lane::kReads, [=](Session& session) { return sql::kept_handles(session, player, now_ms); });
}

awaitable<Expected<void>> SqlStore::set_audience(PlayerId player, Audience audience) {
  return write<void>(Lane::kWrites, [=](WriteSession& session) {
    return sql::set_audience(session, player, audience);
  });
}

awaitable<Expected<std::vector<RatingPoint>>> SqlStore::rating_days(std::string game,
                                                                    PlayerId player, Day since) {
  return read<std::vector<RatingPoint>>(Lane::kReads,
                                        [game = std::move(game), player, since](Session& session) {
                                          return sql::rating_days(session, game, player, since);
                                        });
}

awaitable<Expected<NewestScores>> SqlStore::newest_scores(PlayerId player, std::size_t best_max,
                                                          std::size_t daily_max) {
  return read<NewestScores>(Lane::kReads, [=](Session& session) {
    return sql::newest_scores(session, player, best_max, daily_max);
  });
}

awaitable<Expected<void>> SqlStore::add_report(ReportRow report) {
  return write<void>(Lane::kWrites, [row = std::move(report)](WriteSession& session) {
    return sql::add_report(session, row);
  });
}

awaitable<Expected<std::vector<ReportRow>>> SqlStore::reports(ReportList which, PlayerId player,
                                                              std::optional<PastCursor> after,
                                                              std::size_t max) {
  return read<std::vector<ReportRow>>(Lane::kLists, [=](Session& session) {
    return sql::reports(session, which, player, after, max);
  });
}

awaitable<Expected<ReportRow>> SqlStore::report(ReportId id) {
  return read<ReportRow>(Lane::kLists, [id](Session& session) { return sql::report(session, id); });
}

awaitable<Expected<std::vector<ReportLine>>> SqlStore::lines_of(PlayerId player, std::size_t max) {
  return read<std::vector<ReportLine>>(
      Lane::kLists, [=](Session& session) { return sql::lines_of(session, player, max); });
}

awaitable<Expected<void>> SqlStore::assign_report(ReportId id, std::string assignee) {
  return write<void>(Lane::kWrites, [id, assignee = std::move(assignee)](WriteSession& session) {
    return sql::assign_report(session, id, assignee);
  });
}

awaitable<Expected<void>> SqlStore::close_report(ReportId id, std::string assignee,
                                                 std::string outcome, std::int64_t at_ms) {
  return write<void>(Lane::kWrites, [id, assignee = std::move(assignee),
                                     outcome = std::move(outcome), at_ms](WriteSession& session) {
    return sql::close_report(session, id, assignee, outcome, at_ms);
  });
}

awaitable<Expected<Acted>> SqlStore::act(ActRow act, std::int64_t now_ms) {
  return write<Acted>(Lane::kWrites, [act = std::move(act), now_ms](WriteSession& session) {
    return sql::act(session, act, now_ms);
  });
}

awaitable<Expected<Acted>> SqlStore::undo(ActRow undo, std::int64_t now_ms) {
  return write<Acted>(Lane::kWrites, [undo = std::move(undo), now_ms](WriteSession& session) {
    return sql::undo(session, undo, now_ms);
  });
}

awaitable<Expected<std::vector<ActRow>>> SqlStore::acts(PlayerId player, std::size_t max) {
  return read<std::vector<ActRow>>(
      Lane::kReads, [=](Session& session) { return sql::acts(session, player, max); });
}

awaitable<Expected<std::vector<ActRow>>> SqlStore::acts_in_force(std::int64_t now_ms,
                                                                 std::size_t max) {
  return read<std::vector<ActRow>>(
      Lane::kLists, [=](Session& session) { return sql::acts_in_force(session, now_ms, max); });
}

awaitable<Expected<ActRow>> SqlStore::find_act(ActId id) {
  return read<ActRow>(Lane::kReads, [=](Session& session) { return sql::find_act(session, id); });
}

awaitable<Expected<std::vector<ActRow>>> SqlStore::acts_since(std::int64_t since_ms,
                                                              std::size_t max) {
  return read<std::vector<ActRow>>(
      Lane::kLists, [=](Session& session) { return sql::acts_since(session, since_ms, max); });
}

awaitable<Expected<void>> SqlStore::see_act(PlayerId player, ActId act, std::string answer,
                                            std::int64_t at_ms) {
  return write<void>(Lane::kWrites,
                     [player, act, answer = std::move(answer), at_ms](WriteSession& session) {
                       return sql::see_act(session, player, act, answer, at_ms);
                     });
}

void SqlStore::write(TableId table, SnapshotRow row) {
  write_aside(add_snapshot(table, row));
}

void SqlStore::thin_out(TableId table, std::uint64_t versions) {
  write_aside(thin_out_snapshots(table, versions));
}

awaitable<Expected<std::optional<SnapshotRow>>> SqlStore::newest_snapshot(TableId table,
                                                                          Version until) {
  return read<std::optional<SnapshotRow>>(
      Lane::kReads, [=](Session& session) { return sql::newest_snapshot(session, table, until); });
}

awaitable<Expected<std::vector<SnapshotRow>>> SqlStore::snapshot_marks(TableId table,
                                                                       Version until) {
  return read<std::vector<SnapshotRow>>(
      Lane::kReads, [=](Session& session) { return sql::snapshot_marks(session, table, until); });
}

awaitable<Expected<std::vector<EndedTable>>> SqlStore::ended_tables(std::int64_t before_ms,
                                                                    std::size_t max) {
  return read<std::vector<EndedTable>>(Lane::kLists, [=](Session& session) {
    return sql::ended_tables(session, std::nullopt, before_ms, max);
  });
}

awaitable<Expected<std::vector<EndedTable>>> SqlStore::ended_tables_after(EndedCursor after,
                                                                          std::int64_t before_ms,
                                                                          std::size_t max) {
  return read<std::vector<EndedTable>>(Lane::kLists, [=](Session& session) {
    return sql::ended_tables(session, after, before_ms, max);
  });
}

awaitable<Expected<std::vector<SilentGuest>>> SqlStore::silent_guests(std::int64_t before_ms,
                                                                      std::size_t max) {
  return read<std::vector<SilentGuest>>(
      Lane::kLists, [=](Session& session) { return sql::silent_guests(session, before_ms, max); });
}

awaitable<Expected<Removed>> SqlStore::remove(Removal removal) {
  auto remove_rows = [removal = std::move(removal)](WriteSession& session) {
    return sql::remove_rows(session, removal);
  };
  auto removed = co_await write<Removed>(Lane::kBackground, std::move(remove_rows));
  if (!removed) co_return removed;
  if (removed->postponed) static_cast<void>(co_await compact_events());
  const auto events = co_await write<Removed>(Lane::kBackground, &sql::remove_events);
  // What cannot be done now is left for the next step.
  removed->more = removed->more || !events || events->more;
  if (events) removed->events = events->events;
  if (removed->more) co_return removed;
  const auto pages = co_await give_back_pages();
  removed->pages = pages.value_or(0);
  removed->more = removed->pages > 0;
  co_return removed;
}

awaitable<Expected<std::vector<ArchiveTask>>> SqlStore::archive_tasks(std::int64_t ended_before_ms,
                                                                      std::size_t max) {
  auto look = [=](Session& session) { return sql::archive_tasks(session, ended_before_ms, max); };
  auto due = co_await read<DueLogs>(Lane::kLists, look);
  if (!due) co_return std::unexpected(std::move(due.error()));
  // Events are compacted with writes, of which there may be few.
  bool hurries = due->left_out && due->tasks.size() < max;
  for (int writes = 0; hurries && writes < limits::kArchiveHurriesMax; ++writes) {
    hurries = (co_await compact_events()).has_value();
  }
  co_return std::move(due->tasks);
}

awaitable<Expected<std::uint64_t>> SqlStore::archive_backlog(std::int64_t ended_before_ms) {
  return read<std::uint64_t>(Lane::kLists, [=](Session& session) {
    return sql::archive_backlog(session, ended_before_ms);
  });
}

awaitable<Expected<void>> SqlStore::archive(TableId table, std::optional<archive::PackedLog> packed,
                                            std::uint64_t snapshots_apart) {
  return write<void>(Lane::kBackground, [=, packed = std::move(packed)](WriteSession& session) {
    return sql::archive(session, table, packed, snapshots_apart);
  });
}

awaitable<Expected<void>> SqlStore::drop_packed(TableId table) {
  return write<void>(Lane::kBackground,
                     [table](WriteSession& session) { return sql::drop_packed(session, table); });
}

}  // namespace tesela::store::sql
