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
  return write<sql::add_player>(Lane::kWrites, std::move(player));
}

awaitable<Expected<PlayerRow>> SqlStore::player(PlayerId id) {
  return read<sql::player>(Lane::kReads, id);
}

awaitable<Expected<std::vector<PlayerRow>>> SqlStore::players(std::string name_prefix,
                                                              std::optional<PlayerCursor> after,
                                                              std::size_t max) {
  return read<sql::players>(Lane::kLists, std::move(name_prefix), std::move(after), max);
}

awaitable<Expected<void>> SqlStore::add_table(TableRow table,
                                              std::optional<std::string> first_record,
                                              GameOutcome outcome) {
  return write<sql::add_table>(
      Lane::kTables, TableWrite{std::move(table), std::move(first_record), std::move(outcome)});
}

awaitable<Expected<void>> SqlStore::change_table(TableRow table,
                                                 std::optional<std::string> first_record,
                                                 GameOutcome outcome) {
  return write<sql::change_table>(
      Lane::kTables, TableWrite{std::move(table), std::move(first_record), std::move(outcome)});
}

awaitable<Expected<TableRow>> SqlStore::table(TableId id) {
  return read<sql::table>(Lane::kReads, id);
}

awaitable<Expected<std::vector<TableRow>>> SqlStore::tables(TableFilter filter,
                                                            std::optional<TableCursor> after,
                                                            std::size_t max) {
  return read<sql::tables>(Lane::kLists, std::move(filter), after, max);
}

awaitable<Expected<std::vector<SeekerRow>>> SqlStore::seekers(std::string game,
                                                              std::vector<PlayerId> players) {
  return read<sql::seekers>(Lane::kReads, std::move(game), std::move(players));
}

awaitable<Expected<void>> SqlStore::make_tables(std::vector<MatchedTable> tables, Epoch lease) {
  return write<sql::make_tables>(Lane::kTables, std::move(tables), lease);
}

awaitable<Expected<RatingRow>> SqlStore::rating(std::string game, PlayerId player) {
  return read<sql::rating>(Lane::kReads, std::move(game), player);
}

awaitable<Expected<std::vector<BoardEntry>>> SqlStore::board(BoardKey key, BoardRange range) {
  return read<sql::board>(Lane::kLists, std::move(key), range);
}

awaitable<Expected<void>> SqlStore::add_guest(PlayerRow player, SessionRow session) {
  return write<sql::add_guest>(Lane::kWrites, std::move(player), std::move(session));
}

awaitable<Expected<std::vector<SessionId>>> SqlStore::add_session(SessionRow session,
                                                                  std::optional<CredentialUse> use,
                                                                  std::int64_t dead_before_ms) {
  return write<sql::add_session>(Lane::kWrites, std::move(session), std::move(use), dead_before_ms);
}

awaitable<Expected<SessionRow>> SqlStore::session(SessionId id) {
  return read<sql::session_row>(Lane::kReads, id);
}

awaitable<Expected<std::vector<SessionRow>>> SqlStore::sessions(PlayerId player,
                                                                std::int64_t seen_since_ms) {
  return read<sql::sessions>(Lane::kReads, player, seen_since_ms);
}

awaitable<Expected<void>> SqlStore::see_session(SessionId id, PlayerId player, std::int64_t at_ms) {
  return write<sql::see_session>(Lane::kWrites, id, player, at_ms);
}

awaitable<Expected<std::vector<SessionId>>> SqlStore::end_sessions(PlayerId player,
                                                                   std::optional<SessionId> only,
                                                                   std::optional<SessionId> but) {
  return write<sql::end_sessions>(Lane::kWrites, player, only, but);
}

awaitable<Expected<std::vector<EndedSession>>> SqlStore::ended_sessions(std::int64_t since_ms,
                                                                        std::size_t max) {
  return read<sql::ended_sessions>(Lane::kLists, since_ms, max);
}

awaitable<Expected<void>> SqlStore::add_credential(CredentialRow credential) {
  return write<sql::add_credential>(Lane::kWrites, std::move(credential));
}

awaitable<Expected<std::vector<CredentialRow>>> SqlStore::credentials(PlayerId player) {
  return read<sql::credentials>(Lane::kReads, player);
}

awaitable<Expected<CredentialRow>> SqlStore::credential(std::string id) {
  return read<sql::credential>(Lane::kReads, std::move(id));
}

awaitable<Expected<void>> SqlStore::name_credential(PlayerId player, std::string id,
                                                    std::string name) {
  return write<sql::name_credential>(Lane::kWrites, player, std::move(id), std::move(name));
}

awaitable<Expected<void>> SqlStore::remove_credential(PlayerId player, std::string id,
                                                      bool last_too) {
  return write<sql::remove_credential>(Lane::kWrites, player, std::move(id), last_too);
}

awaitable<Expected<void>> SqlStore::claim_handle(HandleClaim claim) {
  return write<sql::claim_handle>(Lane::kWrites, std::move(claim));
}

awaitable<Expected<PlayerRow>> SqlStore::holder(std::string key) {
  return read<sql::holder>(Lane::kReads, std::move(key));
}

awaitable<Expected<std::vector<PlayerRow>>> SqlStore::holders(std::string key_prefix,
                                                              std::size_t max) {
  return read<sql::holders>(Lane::kLists, std::move(key_prefix), max);
}

awaitable<Expected<std::vector<KeptHandle>>> SqlStore::kept_handles(PlayerId player,
                                                                    std::int64_t now_ms) {
  return read<sql::kept_handles>(Lane::kReads, player, now_ms);
}

awaitable<Expected<void>> SqlStore::set_audience(PlayerId player, Audience audience) {
  return write<sql::set_audience>(Lane::kWrites, player, audience);
}

awaitable<Expected<std::vector<RatingPoint>>> SqlStore::rating_days(std::string game,
                                                                    PlayerId player, Day since) {
  return read<sql::rating_days>(Lane::kReads, std::move(game), player, since);
}

awaitable<Expected<NewestScores>> SqlStore::newest_scores(PlayerId player, std::size_t best_max,
                                                          std::size_t daily_max) {
  return read<sql::newest_scores>(Lane::kReads, player, best_max, daily_max);
}

awaitable<Expected<void>> SqlStore::add_report(ReportRow report) {
  return write<sql::add_report>(Lane::kWrites, std::move(report));
}

awaitable<Expected<std::vector<ReportRow>>> SqlStore::reports(ReportList which, PlayerId player,
                                                              std::optional<PastCursor> after,
                                                              std::size_t max) {
  return read<sql::reports>(Lane::kLists, which, player, after, max);
}

awaitable<Expected<ReportRow>> SqlStore::report(ReportId id) {
  return read<sql::report>(Lane::kLists, id);
}

awaitable<Expected<std::vector<ReportLine>>> SqlStore::lines_of(PlayerId player, std::size_t max) {
  return read<sql::lines_of>(Lane::kLists, player, max);
}

awaitable<Expected<void>> SqlStore::assign_report(ReportId id, std::string assignee) {
  return write<sql::assign_report>(Lane::kWrites, id, std::move(assignee));
}

awaitable<Expected<void>> SqlStore::close_report(ReportId id, std::string assignee,
                                                 std::string outcome, std::int64_t at_ms) {
  return write<sql::close_report>(Lane::kWrites, id, std::move(assignee), std::move(outcome),
                                  at_ms);
}

awaitable<Expected<Acted>> SqlStore::act(ActRow act, std::int64_t now_ms) {
  return write<sql::act>(Lane::kWrites, std::move(act), now_ms);
}

awaitable<Expected<Acted>> SqlStore::undo(ActRow undo, std::int64_t now_ms) {
  return write<sql::undo>(Lane::kWrites, std::move(undo), now_ms);
}

awaitable<Expected<std::vector<ActRow>>> SqlStore::acts(PlayerId player, std::size_t max) {
  return read<sql::acts>(Lane::kReads, player, max);
}

awaitable<Expected<std::vector<ActRow>>> SqlStore::acts_in_force(std::int64_t now_ms,
                                                                 std::size_t max) {
  return read<sql::acts_in_force>(Lane::kLists, now_ms, max);
}

awaitable<Expected<ActRow>> SqlStore::find_act(ActId id) {
  return read<sql::find_act>(Lane::kReads, id);
}

awaitable<Expected<std::vector<ActRow>>> SqlStore::acts_since(std::int64_t since_ms,
                                                              std::size_t max) {
  return read<sql::acts_since>(Lane::kLists, since_ms, max);
}

awaitable<Expected<void>> SqlStore::see_act(PlayerId player, ActId act, std::string answer,
                                            std::int64_t at_ms) {
  return write<sql::see_act>(Lane::kWrites, player, act, std::move(answer), at_ms);
}

void SqlStore::write(TableId table, SnapshotRow row) {
  write_aside(add_snapshot(table, row));
}

void SqlStore::thin_out(TableId table, std::uint64_t versions) {
  write_aside(thin_out_snapshots(table, versions));
}

awaitable<Expected<std::optional<SnapshotRow>>> SqlStore::newest_snapshot(TableId table,
                                                                          Version until) {
  return read<sql::newest_snapshot>(Lane::kReads, table, until);
}

awaitable<Expected<std::vector<SnapshotRow>>> SqlStore::snapshot_marks(TableId table,
                                                                       Version until) {
  return read<sql::snapshot_marks>(Lane::kReads, table, until);
}

awaitable<Expected<std::vector<EndedTable>>> SqlStore::ended_tables(
    std::optional<EndedCursor> after, std::int64_t before_ms, std::size_t max) {
  return read<sql::ended_tables>(Lane::kLists, after, before_ms, max);
}

awaitable<Expected<std::vector<SilentGuest>>> SqlStore::silent_guests(std::int64_t before_ms,
                                                                      std::size_t max) {
  return read<sql::silent_guests>(Lane::kLists, before_ms, max);
}

awaitable<Expected<Removed>> SqlStore::remove(Removal removal) {
  auto removed = co_await write<sql::remove_rows>(Lane::kBackground, std::move(removal));
  if (!removed) co_return removed;
  if (removed->postponed) static_cast<void>(co_await compact_events());
  const auto events = co_await write<sql::remove_events>(Lane::kBackground);
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
  auto due = co_await read<sql::archive_tasks>(Lane::kLists, ended_before_ms, max);
  if (!due) co_return std::unexpected(std::move(due.error()));
  // Events are compacted with writes, of which there may be few.
  bool hurries = due->left_out && due->tasks.size() < max;
  for (int writes = 0; hurries && writes < limits::kArchiveHurriesMax; ++writes) {
    hurries = (co_await compact_events()).has_value();
  }
  co_return std::move(due->tasks);
}

awaitable<Expected<std::uint64_t>> SqlStore::archive_backlog(std::int64_t ended_before_ms) {
  return read<sql::archive_backlog>(Lane::kLists, ended_before_ms);
}

awaitable<Expected<void>> SqlStore::archive(TableId table, std::optional<archive::PackedLog> packed,
                                            std::uint64_t snapshots_apart) {
  return write<sql::archive>(Lane::kBackground, table, std::move(packed), snapshots_apart);
}

awaitable<Expected<void>> SqlStore::drop_packed(TableId table) {
  return write<sql::drop_packed>(Lane::kBackground, table);
}

}  // namespace tesela::store::sql
