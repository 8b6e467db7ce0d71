#include "server/services/history/history_service.h"

#include <boost/asio/this_coro.hpp>
#include <optional>
#include <string>
#include <utility>

#include "server/base/text_encoding.h"
#include "server/directory/execution_charge.h"
#include "server/execution/verify.h"

namespace tesela::services {

using boost::asio::awaitable;

namespace {

awaitable<Expected<lobby::v1::VerifyResponse>> verified(lobby::v1::GameRecord record) {
  co_return execution::verify(record);
}

awaitable<Expected<lobby::v1::GameRecord>> with_digests(lobby::v1::GameRecord record) {
  execution::add_digests(record);
  co_return record;
}

}  // namespace

std::vector<rpc::Method> HistoryService::methods() {
  return rpc::methods_of("tesela.lobby.v1.HistoryService",
                         {rpc::method_by(*this, &HistoryService::get_record),
                          rpc::method_by(*this, &HistoryService::verify),
                          rpc::method_by(*this, &HistoryService::replay),
                          rpc::method_by(*this, &HistoryService::analyse)});
}

history::Invitation HistoryService::invitation_of(std::string invite,
                                                  const std::string& table_id) const {
  const auto id = base::parse_id<TableId>(table_id);
  const bool by_pass = id && parts_.tokens.passes().admits(invite, *id);
  return {.invite = std::move(invite), .by_pass = by_pass};
}

awaitable<Expected<lobby::v1::GameRecord>> HistoryService::read_record(
    std::string table_id, quota::QuotaPtr from, history::Invitation invitation) {
  const auto id = rpc::table_id_of(table_id);
  if (!id) co_return std::unexpected(id.error());
  auto record = co_await read_charged(*id, std::move(from), std::move(invitation));
  if (!record) parts_.aside.note(*id, record.error());
  co_return record;
}

awaitable<Expected<lobby::v1::GameRecord>> HistoryService::read_charged(
    TableId id, quota::QuotaPtr from, history::Invitation invitation) {
  if (auto charged = co_await directory::charge_execution(parts_.log, id, from); !charged) {
    co_return std::unexpected(std::move(charged.error()));
  }
  auto record =
      co_await history::read_record(parts_.log, parts_.table_rows, id, std::move(invitation));
  if (!record || !execution::lacks_digests(*record)) co_return record;
  auto whole = with_digests(std::move(*record));
  co_return co_await replay::run_aside(parts_.aside, replay::Urgency::kEnded, id, std::move(whole));
}

awaitable<Expected<lobby::v1::GetRecordResponse>> HistoryService::get_record(
    lobby::v1::GetRecordRequest request, rpc::Caller caller) {
  auto invitation = invitation_of(request.invite(), request.table_id());
  auto record = co_await read_record(request.table_id(), caller.quota, std::move(invitation));
  if (!record) co_return std::unexpected(std::move(record.error()));
  lobby::v1::GetRecordResponse response;
  *response.mutable_record() = std::move(*record);
  co_return response;
}

awaitable<Expected<lobby::v1::VerifyResponse>> HistoryService::verify(
    lobby::v1::VerifyRequest request, rpc::Caller caller) {
  history::Invitation none;
  auto record = co_await read_record(request.table_id(), caller.quota, std::move(none));
  if (!record) co_return std::unexpected(std::move(record.error()));
  if (record->game_seed().empty()) {
    co_return refuse(ErrorCode::kNotOver,
                     "A game is verified once it is over: until then its seed is secret.");
  }
  const auto table = rpc::table_id_of(request.table_id());
  if (!table) co_return std::unexpected(table.error());
  auto verdict = verified(std::move(*record));
  co_return co_await replay::run_aside(parts_.aside, replay::Urgency::kEnded, *table,
                                       std::move(verdict));
}

Expected<quota::Slots> HistoryService::hold(quota::Held what, const rpc::Caller& caller) const {
  std::optional<PlayerId> player;
  if (const auto identity = parts_.tokens.verify(caller.token)) player = identity->player;
  return parts_.admission.hold(what, caller.quota, player);
}

awaitable<Expected<rpc::StreamPtr>> HistoryService::replay(lobby::v1::ReplayRequest request,
                                                           rpc::Caller caller) {
  auto slots = hold(quota::Held::kReplay, caller);
  if (!slots) co_return std::unexpected(std::move(slots.error()));
  auto invitation = invitation_of(request.invite(), request.table_id());
  co_return replays_.show(request, std::move(*slots), std::move(caller.quota),
                          std::move(invitation));
}

awaitable<Expected<rpc::StreamPtr>> HistoryService::analyse(lobby::v1::AnalyseRequest request,
                                                            rpc::Caller caller) {
  auto slots = hold(quota::Held::kAnalysis, caller);
  if (!slots) co_return std::unexpected(std::move(slots.error()));
  const auto executor = co_await boost::asio::this_coro::executor;
  co_return analyses_.analyse(request, std::move(*slots), std::move(caller.quota), executor);
}

}  // namespace tesela::services
