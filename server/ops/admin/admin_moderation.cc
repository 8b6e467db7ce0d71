#include "server/ops/admin/admin_moderation.h"

#include <google/protobuf/util/time_util.h>
#include <spdlog/spdlog.h>

#include <optional>
#include <string_view>
#include <utility>

#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/base/scale_limits.h"
#include "server/base/text_encoding.h"
#include "server/codec/shown_text.h"
#include "server/services/conduct/conduct_proto.h"
#include "server/services/page_token.h"

namespace tesela::ops {
namespace {

namespace pb = admin::v1;
using boost::asio::awaitable;
using google::protobuf::util::TimeUtil;
using store::ActKind;

std::string act_line(const pb::ListReportsRequest& /*request*/) {
  return "lists reports";
}
std::string act_line(const pb::InspectReportRequest& request) {
  return "inspects report " + request.report_id();
}
std::string act_line(const pb::AssignReportRequest& request) {
  return fmt::format("gives report {} to {}", request.report_id(), request.assignee());
}
std::string act_line(const pb::CloseReportRequest& request) {
  return fmt::format("closes report {} as {}: {}", request.report_id(), request.operator_(),
                     request.outcome());
}
std::string act_line(const pb::ListActsRequest& request) {
  if (request.player_id().empty()) return "lists acts on all servers";
  return "lists acts on player " + request.player_id();
}
std::string act_line(const pb::ActOnPlayerRequest& request) {
  return fmt::format("acts on player {} as {}: {}: {}", request.player_id(), request.operator_(),
                     account::v1::ActKind_Name(request.kind()), request.reason());
}
std::string act_line(const pb::ActOnServersRequest& request) {
  return fmt::format("acts on all servers as {}: {}: {}", request.operator_(),
                     account::v1::ActKind_Name(request.kind()), request.reason());
}
std::string act_line(const pb::VoidGameRequest& request) {
  return fmt::format("makes table {} void as {}, on player {}: {}", request.table_id(),
                     request.operator_(), request.player_id(), request.reason());
}
std::string act_line(const pb::UndoActRequest& request) {
  return fmt::format("undoes act {} as {}: {}", request.act_id(), request.operator_(),
                     request.reason());
}

Expected<ReportId> report_id_of(const std::string& text) {
  if (const auto id = base::parse_id<ReportId>(text)) return *id;
  return refuse(ErrorCode::kInvalidArgument, "report_id is not a report's id.");
}

/// Who acts, and why.
struct Grounds {
  std::string operator_name;
  std::string reason;
};

Expected<Grounds> grounds_of(const std::string& name, const std::string& reason,
                             std::string_view what) {
  auto shown = codec::shown_text(name, limits::kOperatorNameMax, "operator");
  if (!shown) return std::unexpected(std::move(shown.error()));
  auto why = codec::shown_text(reason, limits::kActReasonMax, what);
  if (!why) return std::unexpected(std::move(why.error()));
  return Grounds{.operator_name = std::move(*shown), .reason = std::move(*why)};
}

/// Until when an act of this kind holds. Error: kInvalidArgument.
template <class Request>
Expected<std::optional<std::int64_t>> end_of(ActKind kind, const Request& request,
                                             std::int64_t now_ms) {
  const bool ends = request.has_until();
  const bool lasts = kind != ActKind::kWarn && kind != ActKind::kEndSessions;
  if (ends && (!lasts || kind == ActKind::kRename)) {
    return refuse(ErrorCode::kInvalidArgument,
                  "A warning, another name and the end of sessions have no end.");
  }
  if (!ends && kind == ActKind::kSuspend) {
    return refuse(ErrorCode::kInvalidArgument, "Say until when, or ban the player.");
  }
  if (!lasts) return std::nullopt;
  if (!ends) return store::kForEver;
  const std::int64_t until_ms = TimeUtil::TimestampToMilliseconds(request.until());
  if (until_ms > now_ms) return until_ms;
  return refuse(ErrorCode::kInvalidArgument, "This time is over: give a later one.");
}

/// One that nobody is offended by.
std::string neutral_name(PlayerId player) {
  constexpr std::uint64_t kNumbers = 1'000'000;
  return fmt::format("Player {:06}", player.value % kNumbers);
}

}  // namespace

pb::Report to_proto(const store::ReportRow& row) {
  pb::Report report;
  report.set_report_id(base::to_text(row.id));
  report.set_reporter_id(base::to_text(row.reporter));
  report.set_player_id(base::to_text(row.player));
  report.set_table_id(base::to_text(row.table));
  report.set_kind(static_cast<account::v1::ReportKind>(row.kind));
  report.set_text(row.text);
  *report.mutable_created_at() = TimeUtil::MillisecondsToTimestamp(row.created_ms);
  report.set_assignee(row.assignee);
  if (row.closed_ms) {
    *report.mutable_closed_at() = TimeUtil::MillisecondsToTimestamp(*row.closed_ms);
  }
  report.set_outcome(row.outcome);
  for (const store::ReportLine& line : row.lines) *report.add_lines() = services::to_proto(line);
  return report;
}

pb::PlayerAct to_proto(const store::ActRow& row) {
  pb::PlayerAct act;
  *act.mutable_act() = services::to_proto(row, base::unix_ms());
  if (row.player != PlayerId{}) act.set_player_id(base::to_text(row.player));
  act.set_operator_(row.operator_name);
  act.set_before(row.before);
  act.set_after(row.after);
  if (row.undoes) act.set_undoes_act_id(base::to_text(*row.undoes));
  if (row.answered_ms) {
    *act.mutable_answered_at() = TimeUtil::MillisecondsToTimestamp(*row.answered_ms);
  }
  return act;
}

std::vector<rpc::Method> AdminModeration::methods() {
  return rpc::methods_of("tesela.admin.v1.ModerationService",
                         {method_by(Role::kRead, &AdminModeration::list_reports),
                          method_by(Role::kRead, &AdminModeration::inspect_report),
                          method_by(Role::kModerate, &AdminModeration::assign_report),
                          method_by(Role::kModerate, &AdminModeration::close_report),
                          method_by(Role::kRead, &AdminModeration::list_acts),
                          method_by(Role::kModerate, &AdminModeration::act_on_player),
                          method_by(Role::kModerate, &AdminModeration::void_game),
                          method_by(Role::kModerate, &AdminModeration::act_on_servers),
                          method_by(Role::kModerate, &AdminModeration::undo_act)});
}

template <class Request, class Response>
rpc::Method AdminModeration::method_by(Role role,
                                       Answer<Response> (AdminModeration::*work)(Request)) {
  return rpc::method_by<Request, Response>([this, role, work](Request request, rpc::Caller caller) {
    if constexpr (requires { request.operator_(); }) parts_.gate.sign(request, caller);
    std::string what = act_line(request);
    return parts_.gate.attend(std::move(caller), role, std::move(what),
                              (this->*work)(std::move(request)));
  });
}

AdminModeration::Answer<pb::ListReportsResponse> AdminModeration::list_reports(
    pb::ListReportsRequest request) {
  const auto size = services::page_size_of(request.page_size());
  if (!size) co_return std::unexpected(size.error());
  const auto start = services::table_page_start(request.page_token());
  if (!start) co_return std::unexpected(start.error());
  std::optional<store::PastCursor> after;
  if (*start) after = {.created_ms = (*start)->created_ms, .id = (*start)->id.value};
  auto which = request.closed_too() ? store::ReportList::kAll : store::ReportList::kOpen;
  PlayerId player;
  if (!request.player_id().empty()) {
    const auto id = rpc::player_id_of(request.player_id());
    if (!id) co_return std::unexpected(id.error());
    which = store::ReportList::kOfPlayer;
    player = *id;
  }
  auto rows = co_await parts_.moderation.reports(which, player, after, *size + 1);
  if (!rows) co_return std::unexpected(rows.error());
  pb::ListReportsResponse response;
  if (rows->size() > *size) {
    rows->resize(*size);
    // The token of a list of tables, which also has a time and an id.
    const store::TableCursor end{.created_ms = rows->back().created_ms,
                                 .id = TableId{rows->back().id.value}};
    response.set_next_page_token(services::to_page_token(end));
  }
  for (const store::ReportRow& row : *rows) *response.add_reports() = to_proto(row);
  co_return response;
}

AdminModeration::Answer<pb::InspectReportResponse> AdminModeration::inspect_report(
    pb::InspectReportRequest request) {
  const auto id = report_id_of(request.report_id());
  if (!id) co_return std::unexpected(id.error());
  const auto row = co_await parts_.moderation.report(*id);
  if (!row) co_return std::unexpected(row.error());
  pb::InspectReportResponse response;
  *response.mutable_report() = to_proto(*row);
  co_return response;
}

AdminModeration::Answer<pb::AssignReportResponse> AdminModeration::assign_report(
    pb::AssignReportRequest request) {
  const auto id = report_id_of(request.report_id());
  if (!id) co_return std::unexpected(id.error());
  std::string name;
  if (!request.assignee().empty()) {
    auto shown = codec::shown_text(request.assignee(), limits::kOperatorNameMax, "assignee");
    if (!shown) co_return std::unexpected(std::move(shown.error()));
    name = std::move(*shown);
  }
  const auto assigned = co_await parts_.moderation.assign_report(*id, std::move(name));
  if (!assigned) co_return std::unexpected(assigned.error());
  co_return pb::AssignReportResponse{};
}

AdminModeration::Answer<pb::CloseReportResponse> AdminModeration::close_report(
    pb::CloseReportRequest request) {
  const auto id = report_id_of(request.report_id());
  if (!id) co_return std::unexpected(id.error());
  auto grounds = grounds_of(request.operator_(), request.outcome(), "outcome");
  if (!grounds) co_return std::unexpected(std::move(grounds.error()));
  const auto closed = co_await parts_.moderation.close_report(
      *id, std::move(grounds->operator_name), std::move(grounds->reason), base::unix_ms());
  if (!closed) co_return std::unexpected(closed.error());
  co_return pb::CloseReportResponse{};
}

AdminModeration::Answer<pb::ListActsResponse> AdminModeration::list_acts(
    pb::ListActsRequest request) {
  PlayerId id;
  if (!request.player_id().empty()) {
    const auto given = rpc::player_id_of(request.player_id());
    if (!given) co_return std::unexpected(given.error());
    id = *given;
    const auto player = co_await parts_.store.player(id);
    if (!player) co_return std::unexpected(player.error());
  }
  const auto rows = co_await parts_.moderation.acts(id, limits::kActsShown);
  if (!rows) co_return std::unexpected(rows.error());
  pb::ListActsResponse response;
  for (const store::ActRow& row : *rows) *response.add_acts() = to_proto(row);
  co_return response;
}

AdminModeration::Answer<void> AdminModeration::check_target(PlayerId player, ActKind kind) {
  const auto row = co_await parts_.store.player(player);
  if (!row) co_return std::unexpected(row.error());
  if (row->kind != store::PlayerKind::kBot) co_return Expected<void>{};
  // The name of a bot is its strategy's.
  const bool from_outside = row->display_name.starts_with("ext/");
  if (from_outside && (kind == ActKind::kSuspend || kind == ActKind::kBan)) {
    co_return Expected<void>{};
  }
  co_return refuse(ErrorCode::kInvalidArgument,
                   from_outside ? "A bot can be suspended or banned."
                                : "This is a bot of the server's own: nobody plays by it.");
}

awaitable<void> AdminModeration::carry_out(const store::Acted& acted) {
  store::ActRow act = acted.act;
  const auto done = co_await parts_.effects.carry_out(std::move(act));
  if (!done) spdlog::warn("admin: some tables show the old name: {}", done.error().message);
  for (const SessionId session : acted.sessions) parts_.tokens.sessions().end(session);
}

AdminModeration::Answer<pb::ActOnPlayerResponse> AdminModeration::act_on_player(
    pb::ActOnPlayerRequest request) {
  const auto player = rpc::player_id_of(request.player_id());
  if (!player) co_return std::unexpected(player.error());
  const bool known =
      request.kind() == account::v1::ACT_KIND_END_SESSIONS ||
      (request.kind() >= account::v1::ACT_KIND_WARN && request.kind() <= account::v1::ACT_KIND_BAN);
  if (!known) {
    co_return refuse(ErrorCode::kInvalidArgument,
                     "This is no kind of act on a player; an act is undone by UndoAct.");
  }
  const auto kind = static_cast<ActKind>(request.kind());
  auto grounds = grounds_of(request.operator_(), request.reason(), "reason");
  if (!grounds) co_return std::unexpected(std::move(grounds.error()));
  const std::int64_t now_ms = base::unix_ms();
  const auto until_ms = end_of(kind, request, now_ms);
  if (!until_ms) co_return std::unexpected(until_ms.error());
  if (const auto right = co_await check_target(*player, kind); !right) {
    co_return std::unexpected(right.error());
  }
  store::ActRow row{.id = base::random_id<ActId>(),
                    .player = *player,
                    .kind = kind,
                    .operator_name = std::move(grounds->operator_name),
                    .reason = std::move(grounds->reason),
                    .until_ms = *until_ms};
  if (kind == ActKind::kRename) row.after = neutral_name(*player);
  const auto acted = co_await parts_.moderation.act(std::move(row), now_ms);
  if (!acted) co_return std::unexpected(acted.error());
  co_await carry_out(*acted);
  pb::ActOnPlayerResponse response;
  *response.mutable_act() = to_proto(acted->act);
  response.set_ended_sessions(static_cast<std::uint32_t>(acted->sessions.size()));
  co_return response;
}

AdminModeration::Answer<pb::VoidGameResponse> AdminModeration::void_game(
    pb::VoidGameRequest request) {
  const auto table = rpc::table_id_of(request.table_id());
  if (!table) co_return std::unexpected(table.error());
  const auto player = rpc::player_id_of(request.player_id());
  if (!player) co_return std::unexpected(player.error());
  auto grounds = grounds_of(request.operator_(), request.reason(), "reason");
  if (!grounds) co_return std::unexpected(std::move(grounds.error()));
  store::ActRow row{.id = base::random_id<ActId>(),
                    .player = *player,
                    .kind = ActKind::kVoidGame,
                    .operator_name = std::move(grounds->operator_name),
                    .reason = std::move(grounds->reason),
                    .table = *table};
  const auto act = co_await void_games_.make_void(std::move(row));
  if (!act) co_return std::unexpected(act.error());
  pb::VoidGameResponse response;
  *response.mutable_act() = to_proto(*act);
  co_return response;
}

AdminModeration::Answer<pb::ActOnServersResponse> AdminModeration::act_on_servers(
    pb::ActOnServersRequest request) {
  if (request.kind() < account::v1::ACT_KIND_ANNOUNCE ||
      request.kind() > account::v1::ACT_KIND_PAUSE_SIGN_INS) {
    co_return refuse(ErrorCode::kInvalidArgument, "This is no kind of act on all servers.");
  }
  const auto kind = static_cast<ActKind>(request.kind());
  auto grounds = grounds_of(request.operator_(), request.reason(), "reason");
  if (!grounds) co_return std::unexpected(std::move(grounds.error()));
  const std::int64_t now_ms = base::unix_ms();
  const auto until_ms = end_of(kind, request, now_ms);
  if (!until_ms) co_return std::unexpected(until_ms.error());
  store::ActRow row{.id = base::random_id<ActId>(),
                    .player = {},
                    .kind = kind,
                    .operator_name = std::move(grounds->operator_name),
                    .reason = std::move(grounds->reason),
                    .until_ms = *until_ms};
  const auto acted = co_await parts_.moderation.act(std::move(row), now_ms);
  if (!acted) co_return std::unexpected(acted.error());
  co_await carry_out(*acted);
  pb::ActOnServersResponse response;
  *response.mutable_act() = to_proto(acted->act);
  co_return response;
}

AdminModeration::Answer<pb::UndoActResponse> AdminModeration::undo_act(pb::UndoActRequest request) {
  const auto id = base::parse_id<ActId>(request.act_id());
  if (!id) co_return refuse(ErrorCode::kInvalidArgument, "act_id is not an act's id.");
  auto grounds = grounds_of(request.operator_(), request.reason(), "reason");
  if (!grounds) co_return std::unexpected(std::move(grounds.error()));
  store::ActRow undo{.id = base::random_id<ActId>(),
                     .player = {},
                     .operator_name = std::move(grounds->operator_name),
                     .reason = std::move(grounds->reason),
                     .undoes = id};
  const auto act = co_await parts_.moderation.find_act(*id);
  if (!act) co_return std::unexpected(act.error());
  if (act->table && !act->undone_by) {
    const auto counts = co_await void_games_.count_again(*act->table);
    if (!counts) co_return std::unexpected(counts.error());
  }
  const auto undone = co_await parts_.moderation.undo(std::move(undo), base::unix_ms());
  if (!undone) co_return std::unexpected(undone.error());
  co_await carry_out(*undone);
  pb::UndoActResponse response;
  *response.mutable_act() = to_proto(undone->act);
  co_return response;
}

}  // namespace tesela::ops
