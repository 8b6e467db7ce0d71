#include "server/services/conduct/conduct_service.h"

#include <algorithm>
#include <string>
#include <utility>

#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/base/scale_limits.h"
#include "server/base/text_encoding.h"
#include "server/bots/bots.h"
#include "server/codec/shown_text.h"
#include "server/services/conduct/conduct_proto.h"

namespace tesela::services {
namespace {

using boost::asio::awaitable;

/// A text that may be left out, as it is shown.
Expected<std::string> optional_text(const std::string& text, std::size_t max,
                                    std::string_view what) {
  if (text.empty()) return text;
  return codec::shown_text(text, max, what);
}

/// Of a bot of this server nobody's conduct can be reported.
Expected<void> check_reported(const store::TableRow& table, PlayerId player, bool has_talked) {
  const auto seat = std::ranges::find(table.seats, player, &store::SeatRow::player);
  if (seat == table.seats.end() && !has_talked) {
    return refuse(ErrorCode::kPermissionDenied, "This player was not seen at this table.");
  }
  if (seat != table.seats.end() && bots::is_bot(table.game, *seat) &&
      !bots::is_remote(seat->strategy)) {
    return refuse(ErrorCode::kInvalidArgument, "This is a bot of the server's own.");
  }
  return {};
}

}  // namespace

std::vector<rpc::Method> ConductService::methods() {
  using Conduct = ConductService;
  return rpc::methods_of("tesela.account.v1.ConductService",
                         {
                             rpc::method_by(*this, &Conduct::report_player),
                             rpc::method_by(*this, &Conduct::get_conduct),
                             rpc::method_by(*this, &Conduct::see_act),
                             rpc::method_by(*this, &Conduct::get_notice),
                         });
}

awaitable<Expected<store::ReportRow>> ConductService::report_of(
    account::v1::ReportPlayerRequest request, PlayerId reporter) {
  const auto table = rpc::table_id_of(request.table_id());
  if (!table) co_return std::unexpected(table.error());
  const auto player = base::parse_id<PlayerId>(request.player_id());
  if (!player || *player == reporter) {
    co_return refuse(ErrorCode::kInvalidArgument, "player_id must be the id of another player.");
  }
  const auto kind = static_cast<store::ReportKind>(request.kind());
  if (kind < store::ReportKind::kTalk || kind > store::ReportKind::kOther) {
    co_return refuse(ErrorCode::kInvalidArgument, "Say why: the kind of the report is none.");
  }
  auto text = optional_text(request.text(), limits::kReportTextMax, "report");
  if (!text) co_return std::unexpected(std::move(text.error()));
  const auto row = co_await parts_.directory.stored(*table);
  if (!row) co_return std::unexpected(row.error());
  auto talk = co_await tables_.talk_at(*table, reporter);
  const bool seated =
      std::ranges::find(row->seats, reporter, &store::SeatRow::player) != row->seats.end();
  if (!seated && !talk.is_there) {
    co_return refuse(ErrorCode::kPermissionDenied, "You are not at this table.");
  }
  const bool has_talked =
      std::ranges::find(talk.lines, *player, &store::ReportLine::player) != talk.lines.end();
  if (auto right = check_reported(*row, *player, has_talked); !right) {
    co_return std::unexpected(std::move(right.error()));
  }
  co_return store::ReportRow{.id = base::random_id<ReportId>(),
                             .reporter = reporter,
                             .player = *player,
                             .table = *table,
                             .kind = kind,
                             .text = *std::move(text),
                             .created_ms = base::unix_ms(),
                             .lines = std::move(talk.lines)};
}

awaitable<Expected<account::v1::ReportPlayerResponse>> ConductService::report_player(
    account::v1::ReportPlayerRequest request, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  auto report = co_await report_of(std::move(request), identity->player);
  if (!report) co_return std::unexpected(std::move(report.error()));
  const auto quota = parts_.admission.player(caller.quota, identity->player);
  if (quota && !(quota->take(quota::Act::kReport) && caller.quota->take(quota::Act::kReport))) {
    co_return quota::too_often(quota::Act::kReport);
  }
  const auto added = co_await parts_.moderation.add_report(*std::move(report));
  if (!added) co_return std::unexpected(added.error());
  co_return account::v1::ReportPlayerResponse{};
}

awaitable<Expected<account::v1::GetConductResponse>> ConductService::get_conduct(
    account::v1::GetConductRequest /*request*/, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto rows = co_await parts_.moderation.acts(identity->player, limits::kActsShown);
  if (!rows) co_return std::unexpected(rows.error());
  const std::int64_t now_ms = base::unix_ms();
  account::v1::GetConductResponse response;
  for (const store::ActRow& row : *rows) {
    if (row.kind != store::ActKind::kUndo) *response.add_acts() = to_proto(row, now_ms);
  }
  co_return response;
}

awaitable<Expected<account::v1::SeeActResponse>> ConductService::see_act(
    account::v1::SeeActRequest request, rpc::Caller caller) {
  const auto identity = co_await parts_.players.admit(std::move(caller.token), caller.quota);
  if (!identity) co_return std::unexpected(identity.error());
  const auto act = base::parse_id<ActId>(request.act_id());
  if (!act) co_return refuse(ErrorCode::kInvalidArgument, "act_id is not an act's id.");
  auto answer = optional_text(request.answer(), limits::kActAnswerMax, "answer");
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  const auto seen = co_await parts_.moderation.see_act(identity->player, *act, *std::move(answer),
                                                       base::unix_ms());
  if (!seen) co_return std::unexpected(seen.error());
  co_return account::v1::SeeActResponse{};
}

awaitable<Expected<account::v1::GetNoticeResponse>> ConductService::get_notice(
    account::v1::GetNoticeRequest /*request*/, rpc::Caller /*caller*/) {
  account::v1::GetNoticeResponse response;
  response.set_announcement(parts_.players.announcement());
  co_return response;
}

}  // namespace tesela::services
