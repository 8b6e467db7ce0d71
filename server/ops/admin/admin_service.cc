#include "server/ops/admin/admin_service.h"

#include <google/protobuf/util/time_util.h>
#include <spdlog/spdlog.h>

#include <array>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "server/base/limits.h"
#include "server/base/text_encoding.h"
#include "server/codec/shown_text.h"
#include "server/directory/lobby/table_proto.h"
#include "server/directory/operator_access.h"
#include "server/ops/admin/admin_proto.h"
#include "server/services/page_token.h"

namespace tesela::ops {
namespace {

namespace pb = admin::v1;
using boost::asio::awaitable;
using google::protobuf::util::TimeUtil;

/// The states of tables whose game is not over.
constexpr std::array kNotOver{store::TableState::kInPlay, store::TableState::kOpen};

/// A request's field as it is logged; "any" if it is empty.
std::string_view or_any(std::string_view text) {
  return text.empty() ? "any" : text;
}

/// At which server; nothing for this one.
std::string at_node(std::string_view node) {
  return node.empty() ? "" : fmt::format(" at the server {}", node);
}

/// The action, for the log.
std::string_view what_of(const pb::GetStatusRequest& /*request*/) {
  return "shows the status";
}

std::string what_of(const pb::ListTablesRequest& request) {
  const auto& filter = request.filter();
  return fmt::format("lists tables: game {}, state {}, player {}", or_any(filter.game()),
                     static_cast<int>(filter.state()), or_any(filter.player_id()));
}

std::string what_of(const pb::InspectTableRequest& request) {
  return "inspects table " + request.table_id();
}

std::string what_of(const pb::IssueWatchPassRequest& request) {
  return "looks on at table " + request.table_id();
}

std::string what_of(const pb::ListPlayersRequest& request) {
  return fmt::format("lists players: name {}", or_any(request.name_prefix()));
}

std::string what_of(const pb::InspectPlayerRequest& request) {
  return "inspects player " + request.player_id();
}

std::string what_of(const pb::CloseTableRequest& request) {
  return fmt::format("closes table {}: {}", request.table_id(), request.reason());
}

std::string what_of(const pb::ExportPlayerRequest& request) {
  return "exports player " + request.player_id();
}

std::string what_of(const pb::ErasePlayerRequest& request) {
  return "erases player " + request.player_id();
}

std::string what_of(const pb::FreeBotRequest& request) {
  return "frees bot " + request.player_id();
}

std::string_view what_of(const pb::ListNodesRequest& /*request*/) {
  return "lists the servers";
}

std::string what_of(const pb::DrainRequest& request) {
  return fmt::format("drains{}{}", request.exit() ? " and ends" : "", at_node(request.node()));
}

std::string what_of(const pb::UndrainRequest& request) {
  return "takes a drain back" + at_node(request.node());
}

std::string what_of(const pb::SetLogLevelRequest& request) {
  const auto level = from_proto(request.level());
  return fmt::format("sets the log level to {}{}",
                     level ? spdlog::level::to_string_view(*level) : "one that is none",
                     request.all() ? " at all servers" : at_node(request.node()));
}

}  // namespace

std::vector<rpc::Method> AdminService::methods() {
  return rpc::methods_of("tesela.admin.v1.AdminService",
                         {method_by(Role::kRead, &AdminService::get_status),
                          method_by(Role::kRead, &AdminService::list_nodes),
                          method_by(Role::kRead, &AdminService::list_tables),
                          method_by(Role::kRead, &AdminService::inspect_table),
                          method_by(Role::kRead, &AdminService::issue_watch_pass),
                          method_by(Role::kRead, &AdminService::list_players),
                          method_by(Role::kRead, &AdminService::inspect_player),
                          method_by(Role::kModerate, &AdminService::close_table),
                          method_by(Role::kOperate, &AdminService::export_player),
                          method_by(Role::kOperate, &AdminService::erase_player),
                          method_by(Role::kModerate, &AdminService::free_bot),
                          method_by(Role::kOperate, &AdminService::drain),
                          method_by(Role::kOperate, &AdminService::undrain),
                          method_by(Role::kOperate, &AdminService::set_log_level)});
}

template <class Request, class Response>
rpc::Method AdminService::method_by(Role role, Answer<Response> (AdminService::*work)(Request)) {
  return rpc::method_by<Request, Response>([this, role, work](Request request, rpc::Caller caller) {
    std::string what{what_of(request)};
    return parts_.gate.attend(std::move(caller), role, std::move(what),
                              (this->*work)(std::move(request)));
  });
}

AdminService::Answer<pb::GetStatusResponse> AdminService::get_status(
    pb::GetStatusRequest /*request*/) {
  co_return co_await parts_.here.status();
}

AdminService::Answer<pb::ListNodesResponse> AdminService::list_nodes(
    pb::ListNodesRequest /*request*/) {
  return parts_.nodes.list();
}

awaitable<pb::TableSummary> AdminService::summary_of(store::TableRow row) {
  const auto live = co_await tables_.look_at(row.id);
  co_return to_proto(row, live);
}

AdminService::Answer<pb::ListTablesResponse> AdminService::list_tables(
    pb::ListTablesRequest request) {
  const auto size = services::page_size_of(request.page_size());
  if (!size) co_return std::unexpected(size.error());
  const auto start = services::table_page_start(request.page_token());
  if (!start) co_return std::unexpected(start.error());
  auto filter = directory::from_proto(request.filter(), std::nullopt);
  if (!filter) co_return std::unexpected(filter.error());
  filter->private_too = true;
  auto rows = co_await parts_.store.tables(*filter, *start, *size + 1);
  if (!rows) co_return std::unexpected(rows.error());
  pb::ListTablesResponse response;
  response.set_next_page_token(services::cut_page(*rows, *size));
  services::PageRoom room;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    auto summary = co_await summary_of((*rows)[i]);
    if (!room.takes(summary.ByteSizeLong())) {
      response.set_next_page_token(services::to_page_token(services::cursor_at((*rows)[i - 1])));
      break;
    }
    *response.add_tables() = std::move(summary);
  }
  co_return response;
}

AdminService::Answer<pb::InspectTableResponse> AdminService::inspect_table(
    pb::InspectTableRequest request) {
  const auto id = rpc::table_id_of(request.table_id());
  if (!id) co_return std::unexpected(id.error());
  co_return co_await inspection_.inspect(*id);
}

AdminService::Answer<pb::IssueWatchPassResponse> AdminService::issue_watch_pass(
    pb::IssueWatchPassRequest request) {
  const auto id = rpc::table_id_of(request.table_id());
  if (!id) co_return std::unexpected(id.error());
  auto issued = parts_.tokens.passes().issue(*id);
  pb::IssueWatchPassResponse response;
  response.set_pass(std::move(issued.pass));
  *response.mutable_expires_at() =
      TimeUtil::TimeTToTimestamp(std::chrono::system_clock::to_time_t(issued.expires));
  co_return response;
}

AdminService::Answer<pb::ListPlayersResponse> AdminService::list_players(
    pb::ListPlayersRequest request) {
  const auto size = services::page_size_of(request.page_size());
  if (!size) co_return std::unexpected(size.error());
  const auto start = services::player_page_start(request.page_token());
  if (!start) co_return std::unexpected(start.error());
  auto rows = co_await parts_.store.players(request.name_prefix(), *start, *size + 1);
  if (!rows) co_return std::unexpected(rows.error());
  pb::ListPlayersResponse response;
  response.set_next_page_token(services::cut_page(*rows, *size));
  services::PageRoom room;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    auto player = to_proto((*rows)[i]);
    if (!room.takes(player.ByteSizeLong())) {
      response.set_next_page_token(services::to_page_token(services::cursor_at((*rows)[i - 1])));
      break;
    }
    *response.add_players() = std::move(player);
  }
  co_return response;
}

AdminService::Answer<pb::InspectPlayerResponse> AdminService::inspect_player(
    pb::InspectPlayerRequest request) {
  const auto id = rpc::player_id_of(request.player_id());
  if (!id) co_return std::unexpected(id.error());
  const auto player = co_await parts_.store.player(*id);
  if (!player) co_return std::unexpected(player.error());
  pb::InspectPlayerResponse response;
  *response.mutable_player() = to_proto(*player);
  if (auto added = co_await player_data_.add_ratings(*id, response); !added) {
    co_return std::unexpected(std::move(added.error()));
  }
  for (const auto state : kNotOver) {
    if (auto added = co_await add_tables(*id, state, response); !added) {
      co_return std::unexpected(std::move(added.error()));
    }
  }
  const auto here = co_await tables_.tables_with(*id);
  for (const TableId table : here) response.add_connected_table_ids(base::to_text(table));
  co_return response;
}

awaitable<Expected<void>> AdminService::add_tables(PlayerId player, store::TableState state,
                                                   pb::InspectPlayerResponse& response) {
  store::TableFilter theirs{.game = {}, .state = state, .player = player, .private_too = true};
  auto rows = co_await parts_.store.tables(std::move(theirs), std::nullopt, limits::kPageMax);
  if (!rows) co_return std::unexpected(rows.error());
  for (auto& row : *rows) {
    auto summary = co_await summary_of(std::move(row));
    *response.add_tables() = std::move(summary);
  }
  co_return Expected<void>{};
}

AdminService::Answer<pb::CloseTableResponse> AdminService::close_table(
    pb::CloseTableRequest request) {
  const auto id = rpc::table_id_of(request.table_id());
  if (!id) co_return std::unexpected(id.error());
  const auto reason = codec::shown_text(request.reason(), limits::kCloseReasonMax, "reason");
  if (!reason) co_return std::unexpected(reason.error());
  tables::Close command{.sentence =
                            codec::with_reason("The table was closed by the operator", *reason)};
  auto row = co_await tables_.close(*id, std::move(command));
  if (!row) co_return std::unexpected(std::move(row.error()));
  pb::CloseTableResponse response;
  auto summary = co_await summary_of(std::move(*row));
  *response.mutable_summary() = std::move(summary);
  co_return response;
}

AdminService::Answer<pb::ExportPlayerResponse> AdminService::export_player(
    pb::ExportPlayerRequest request) {
  const auto id = rpc::player_id_of(request.player_id());
  if (!id) co_return std::unexpected(id.error());
  co_return co_await player_data_.page(*id, request.page_token());
}

AdminService::Answer<pb::ErasePlayerResponse> AdminService::erase_player(
    pb::ErasePlayerRequest request) {
  const auto id = rpc::player_id_of(request.player_id());
  if (!id) co_return std::unexpected(id.error());
  co_return co_await player_data_.erase(*id);
}

AdminService::Answer<pb::FreeBotResponse> AdminService::free_bot(pb::FreeBotRequest request) {
  const auto id = rpc::player_id_of(request.player_id());
  if (!id) co_return std::unexpected(id.error());
  const auto freed = co_await parts_.friends.own_bot(*id, std::nullopt);
  if (!freed) co_return std::unexpected(freed.error());
  co_return pb::FreeBotResponse{};
}

AdminService::Answer<pb::DrainResponse> AdminService::drain(pb::DrainRequest request) {
  return parts_.nodes.drain(std::move(request));
}

AdminService::Answer<pb::UndrainResponse> AdminService::undrain(pb::UndrainRequest request) {
  return parts_.nodes.undrain(std::move(*request.mutable_node()));
}

AdminService::Answer<pb::SetLogLevelResponse> AdminService::set_log_level(
    pb::SetLogLevelRequest request) {
  return parts_.nodes.set_log_level(std::move(request));
}

}  // namespace tesela::ops
