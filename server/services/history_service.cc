#include "server/services/history_service.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "server/directory/directory.h"
#include "server/execution/verify.h"
#include "server/history/game_record.h"
#include "server/rpc/unary_call.h"

namespace tesela::services {

using boost::asio::awaitable;

namespace {

awaitable<lobby::v1::VerifyResponse> verified(lobby::v1::GameRecord record) {
  co_return execution::verify(record);
}

}  // namespace

grpc::ServerUnaryReactor* HistoryService::GetRecord(grpc::CallbackServerContext* context,
                                                    const lobby::v1::GetRecordRequest* request,
                                                    lobby::v1::GetRecordResponse* response) {
  return rpc::answer(parts_, context, response,
                     get_record(request->table_id(), rpc::quota_of(parts_.admission, *context)));
}

grpc::ServerUnaryReactor* HistoryService::Verify(grpc::CallbackServerContext* context,
                                                 const lobby::v1::VerifyRequest* request,
                                                 lobby::v1::VerifyResponse* response) {
  return rpc::answer(parts_, context, response,
                     verify_game(request->table_id(), rpc::quota_of(parts_.admission, *context)));
}

grpc::ServerWriteReactor<lobby::v1::ReplayResponse>* HistoryService::Replay(
    grpc::CallbackServerContext* context, const lobby::v1::ReplayRequest* request) {
  return replays_.show(*request, rpc::slots_of(parts_.admission, *context, quota::Held::kReplay),
                       rpc::quota_of(parts_.admission, *context));
}

awaitable<Expected<lobby::v1::GetRecordResponse>> HistoryService::get_record(std::string table_id,
                                                                             quota::QuotaPtr from) {
  const auto id = rpc::table_id_of(table_id);
  if (!id) co_return std::unexpected(id.error());
  if (auto charged = co_await directory::charge_execution(parts_.log, *id, from); !charged) {
    co_return std::unexpected(std::move(charged.error()));
  }
  auto record = co_await history::read_record(parts_.log, parts_.store, *id);
  if (!record) co_return std::unexpected(std::move(record.error()));
  lobby::v1::GetRecordResponse response;
  *response.mutable_record() = std::move(*record);
  co_return response;
}

awaitable<Expected<lobby::v1::VerifyResponse>> HistoryService::verify_game(std::string table_id,
                                                                           quota::QuotaPtr from) {
  auto response = co_await get_record(std::move(table_id), std::move(from));
  if (!response) co_return std::unexpected(std::move(response.error()));
  if (response->record().game_seed().empty()) {
    co_return refuse(ErrorCode::kNotOver,
                     "A game is verified once it is over: until then its seed is secret.");
  }
  if (parts_.executions == nullptr) co_return execution::verify(response->record());
  auto verifying = verified(std::move(*response->mutable_record()));
  co_return co_await boost::asio::co_spawn(parts_.executions->any(), std::move(verifying),
                                           boost::asio::use_awaitable);
}

}  // namespace tesela::services
