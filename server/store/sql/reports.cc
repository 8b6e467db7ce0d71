#include "server/store/sql/moderation.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/store/refusals.h"
#include "server/store/sql/friends.h"
#include "server/store/sql/session/idempotent.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

constexpr Text kAddReport{
    "INSERT INTO reports (id, reporter_id, player_id, table_id, kind, text, created_ms, assignee,"
    " outcome) VALUES ($1, $2, $3, $4, $5, $6, $7, '', '')"};
constexpr Text kAddReportLine{
    "INSERT INTO report_lines (report_id, place, player_id, at_ms, text, phrase)"
    " VALUES ($1, $2, $3, $4, $5, $6)"};
constexpr Text kIsReport{"SELECT 1 FROM reports WHERE id = $1"};
const std::string kReports =
    "SELECT id, reporter_id, player_id, table_id, kind, text, created_ms, assignee, closed_ms,"
    " outcome FROM reports WHERE ";
const std::string kPage = "(created_ms, id) < ($2, $3) ORDER BY created_ms DESC, id DESC LIMIT $1";
const std::string kOpenReports = kReports + "closed_ms IS NULL AND " + kPage;
const std::string kAllReports = kReports + kPage;
const std::string kReportsOf = kReports + "player_id = $4 AND " + kPage;
const std::string kReportsBy = kReports + "reporter_id = $4 AND " + kPage;
const std::string kReport = kReports + "id = $1";
constexpr Text kReportLines{
    "SELECT player_id, at_ms, text, phrase FROM report_lines WHERE report_id = $1 ORDER BY place"};
constexpr Text kLinesOf{
    "SELECT player_id, at_ms, text, phrase FROM report_lines WHERE player_id = $1"
    " ORDER BY report_id, place LIMIT $2"};
constexpr Text kAssignReport{
    "UPDATE reports SET assignee = $2 WHERE id = $1 AND closed_ms IS NULL"};
constexpr Text kCloseReport{
    "UPDATE reports SET assignee = $2, outcome = $3, closed_ms = $4"
    " WHERE id = $1 AND closed_ms IS NULL"};
constexpr Text kIsClosed{
    "SELECT 1 FROM reports WHERE id = $1 AND assignee = $2 AND outcome = $3 AND closed_ms = $4"};

ReportRow report_of(Row row) {
  return {.id = row.id<ReportId>(0),
          .reporter = row.id<PlayerId>(1),
          .player = row.id<PlayerId>(2),
          .table = row.id<TableId>(3),
          .kind = row.one_of(4, ReportKind::kTalk, ReportKind::kOther),
          .text = row.text(5),
          .created_ms = row.number(6),
          .assignee = row.text(7),
          .closed_ms = row.number_or_none(8),
          .outcome = row.text(9)};
}

ReportLine said_of(Row row) {
  return {.player = row.id<PlayerId>(0),
          .at_ms = row.number(1),
          .text = row.text(2),
          .phrase = row.small<std::uint32_t>(3)};
}

std::unexpected<Error> no_such_report() {
  return refuse(ErrorCode::kNotFound, "There is no such report.");
}

std::unexpected<Error> reported_before(const Violation& violation) {
  if (violation.constraint() == Violation::Of::kForeignKey) return no_such_player();
  return refuse(ErrorCode::kTaken,
                "You have reported this player already; an operator is to look at it.");
}

awaitable<Expected<void>> insert_report(WriteSession& session, const ReportRow& row) {
  const auto locked = co_await lock_both(session, row.reporter, row.player);
  if (!locked) co_return locked;
  Batch batch;
  batch.add(kAddReport)
      .id(row.id)
      .id(row.reporter)
      .id(row.player)
      .id(row.table)
      .one_of(row.kind)
      .text(row.text)
      .number(row.created_ms);
  for (std::size_t place = 0; place < row.lines.size(); ++place) {
    const ReportLine& line = row.lines[place];
    batch.add(kAddReportLine)
        .id(row.id)
        .count(place)
        .id(line.player)
        .number(line.at_ms)
        .text(line.text)
        .number(line.phrase);
  }
  co_return co_await session.commit(std::move(batch));
}

/// Changes one report, which is open. `done` has a row if an earlier try did.
awaitable<Expected<void>> change_report(WriteSession& session, ReportId id, Query change,
                                        Query done) {
  Batch batch;
  batch.add(std::move(change));
  batch.add(kReport.c_str()).id(id);
  batch.add(std::move(done));
  const auto answers = co_await session.run(std::move(batch));
  if (answers[1].empty()) co_return no_such_report();
  const bool before = session.again() && !answers[2].empty();
  if (answers[0].changed() == 0 && !before) {
    co_return refuse(ErrorCode::kStarted, "This report was closed before.");
  }
  co_return co_await session.commit();
}

}  // namespace

awaitable<Expected<void>> add_report(WriteSession& session, const ReportRow& report) {
  auto add = [&report](WriteSession& in) { return insert_report(in, report); };
  co_return co_await idempotent(session, Query(kIsReport).id(report.id), reported_before, add);
}

awaitable<Expected<std::vector<ReportRow>>> reports(Session& session, ReportList which,
                                                    PlayerId player,
                                                    std::optional<PastCursor> after,
                                                    std::size_t max) {
  const bool of_one = which == ReportList::kOfPlayer || which == ReportList::kByPlayer;
  const std::string& one = which == ReportList::kOfPlayer ? kReportsOf : kReportsBy;
  const std::string& any = which == ReportList::kOpen ? kOpenReports : kAllReports;
  const PastCursor start = after.value_or(PastCursor{.created_ms = kForEver});
  Batch batch;
  Query& list = batch.add((of_one ? one : any).c_str())
                    .count(max)
                    .number(start.created_ms)
                    .number(static_cast<std::int64_t>(start.id));
  if (of_one) list.id(player);
  const auto answers = co_await session.finish(std::move(batch));
  co_return answers[0].map(report_of);
}

awaitable<Expected<ReportRow>> report(Session& session, ReportId id) {
  Batch batch;
  batch.add(kReport.c_str()).id(id);
  batch.add(kReportLines).id(id);
  const auto answers = co_await session.finish(std::move(batch));
  if (answers[0].empty()) co_return no_such_report();
  ReportRow row = report_of(answers[0][0]);
  row.lines = answers[1].map(said_of);
  co_return row;
}

awaitable<Expected<std::vector<ReportLine>>> lines_of(Session& session, PlayerId player,
                                                      std::size_t max) {
  const auto rows = co_await session.finish(Query(kLinesOf).id(player).count(max));
  co_return rows.map(said_of);
}

awaitable<Expected<void>> assign_report(WriteSession& session, ReportId id,
                                        const std::string& assignee) {
  Query change{kAssignReport};
  change.id(id).text(assignee);
  Query done{kIsReport};
  done.id(id);
  return change_report(session, id, std::move(change), std::move(done));
}

awaitable<Expected<void>> close_report(WriteSession& session, ReportId id,
                                       const std::string& assignee, const std::string& outcome,
                                       std::int64_t at_ms) {
  Query change{kCloseReport};
  change.id(id).text(assignee).text(outcome).number(at_ms);
  Query done{kIsClosed};
  done.id(id).text(assignee).text(outcome).number(at_ms);
  return change_report(session, id, std::move(change), std::move(done));
}

}  // namespace tesela::store::sql
