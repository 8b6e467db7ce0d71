// The interfaces of the store by the operations of this folder. A database says how they run.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/accounts.h"
#include "server/store/game_archives.h"
#include "server/store/moderation.h"
#include "server/store/profiles.h"
#include "server/store/removals.h"
#include "server/store/snapshots.h"
#include "server/store/sql/people_store.h"
#include "server/store/sql/session/session.h"
#include "server/store/store.h"
#include "server/store/table_rows.h"

namespace tesela::store::sql {

/// Any thread.
class SqlStore : public TableRows,
                 public Store,
                 public Accounts,
                 public Profiles,
                 public Moderation,
                 public Snapshots,
                 public Removals,
                 public GameArchives,
                 public PeopleStore {
 public:
  boost::asio::awaitable<Expected<void>> add_player(PlayerRow player) override;
  boost::asio::awaitable<Expected<PlayerRow>> player(PlayerId id) override;
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

  boost::asio::awaitable<Expected<void>> add_guest(PlayerRow player, SessionRow session) override;
  boost::asio::awaitable<Expected<std::vector<SessionId>>> add_session(
      SessionRow session, std::optional<CredentialUse> use, std::int64_t dead_before_ms) override;
  boost::asio::awaitable<Expected<SessionRow>> session(SessionId id) override;
  boost::asio::awaitable<Expected<std::vector<SessionRow>>> sessions(
      PlayerId player, std::int64_t seen_since_ms) override;
  boost::asio::awaitable<Expected<void>> see_session(SessionId id, PlayerId player,
                                                     std::int64_t at_ms) override;
  boost::asio::awaitable<Expected<std::vector<SessionId>>> end_sessions(
      PlayerId player, std::optional<SessionId> only, std::optional<SessionId> but) override;
  boost::asio::awaitable<Expected<std::vector<EndedSession>>> ended_sessions(
      std::int64_t since_ms, std::size_t max) override;
  boost::asio::awaitable<Expected<void>> add_credential(CredentialRow credential) override;
  boost::asio::awaitable<Expected<std::vector<CredentialRow>>> credentials(
      PlayerId player) override;
  boost::asio::awaitable<Expected<CredentialRow>> credential(std::string id) override;
  boost::asio::awaitable<Expected<void>> name_credential(PlayerId player, std::string id,
                                                         std::string name) override;
  boost::asio::awaitable<Expected<void>> remove_credential(PlayerId player, std::string id,
                                                           bool last_too) override;

  boost::asio::awaitable<Expected<void>> claim_handle(HandleClaim claim) override;
  boost::asio::awaitable<Expected<PlayerRow>> holder(std::string key) override;
  boost::asio::awaitable<Expected<std::vector<PlayerRow>>> holders(std::string key_prefix,
                                                                   std::size_t max) override;
  boost::asio::awaitable<Expected<std::vector<KeptHandle>>> kept_handles(
      PlayerId player, std::int64_t now_ms) override;
  boost::asio::awaitable<Expected<void>> set_audience(PlayerId player, Audience audience) override;
  boost::asio::awaitable<Expected<std::vector<RatingPoint>>> rating_days(std::string game,
                                                                         PlayerId player,
                                                                         Day since) override;
  boost::asio::awaitable<Expected<NewestScores>> newest_scores(PlayerId player,
                                                               std::size_t best_max,
                                                               std::size_t daily_max) override;
  boost::asio::awaitable<Expected<void>> add_report(ReportRow report) override;
  boost::asio::awaitable<Expected<std::vector<ReportRow>>> reports(ReportList which,
                                                                   PlayerId player,
                                                                   std::optional<PastCursor> after,
                                                                   std::size_t max) override;
  boost::asio::awaitable<Expected<ReportRow>> report(ReportId id) override;
  boost::asio::awaitable<Expected<std::vector<ReportLine>>> lines_of(PlayerId player,
                                                                     std::size_t max) override;
  boost::asio::awaitable<Expected<void>> assign_report(ReportId id, std::string assignee) override;
  boost::asio::awaitable<Expected<void>> close_report(ReportId id, std::string assignee,
                                                      std::string outcome,
                                                      std::int64_t at_ms) override;
  boost::asio::awaitable<Expected<Acted>> act(ActRow act, std::int64_t now_ms) override;
  boost::asio::awaitable<Expected<Acted>> undo(ActRow undo, std::int64_t now_ms) override;
  boost::asio::awaitable<Expected<std::vector<ActRow>>> acts(PlayerId player,
                                                             std::size_t max) override;
  boost::asio::awaitable<Expected<std::vector<ActRow>>> acts_in_force(std::int64_t now_ms,
                                                                      std::size_t max) override;
  boost::asio::awaitable<Expected<ActRow>> find_act(ActId id) override;
  boost::asio::awaitable<Expected<std::vector<ActRow>>> acts_since(std::int64_t since_ms,
                                                                   std::size_t max) override;
  boost::asio::awaitable<Expected<void>> see_act(PlayerId player, ActId act, std::string answer,
                                                 std::int64_t at_ms) override;

  void write(TableId table, SnapshotRow row) override;
  void thin_out(TableId table, std::uint64_t versions) override;
  boost::asio::awaitable<Expected<std::optional<SnapshotRow>>> newest_snapshot(
      TableId table, Version until) override;
  boost::asio::awaitable<Expected<std::vector<SnapshotRow>>> snapshot_marks(TableId table,
                                                                            Version until) override;

  boost::asio::awaitable<Expected<std::vector<EndedTable>>> ended_tables(
      std::optional<EndedCursor> after, std::int64_t before_ms, std::size_t max) override;
  boost::asio::awaitable<Expected<std::vector<SilentGuest>>> silent_guests(
      std::int64_t before_ms, std::size_t max) override;
  boost::asio::awaitable<Expected<Removed>> remove(Removal removal) override;

  boost::asio::awaitable<Expected<std::vector<ArchiveTask>>> archive_tasks(
      std::int64_t ended_before_ms, std::size_t max) override;
  boost::asio::awaitable<Expected<std::uint64_t>> archive_backlog(
      std::int64_t ended_before_ms) override;
  boost::asio::awaitable<Expected<void>> archive(TableId table,
                                                 std::optional<archive::PackedLog> packed,
                                                 std::uint64_t snapshots_apart) override;
  boost::asio::awaitable<Expected<void>> drop_packed(TableId table) override;

 protected:
  using Operations::write;

  /// Runs statements for which nobody waits, as Snapshots::write does.
  virtual void write_aside(Batch batch) = 0;
  /// Events are compacted soon: an operation waits for it.
  virtual boost::asio::awaitable<Expected<void>> compact_events() = 0;
  /// Gives unused space back, if there is much. Returns the number of pages.
  virtual boost::asio::awaitable<Expected<std::size_t>> give_back_pages() = 0;
};

}  // namespace tesela::store::sql
