#include "server/lobby/lobby_service.h"

#include <google/protobuf/util/time_util.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

#include "engine/core/game.h"
#include "server/codec/id_text.h"
#include "server/lobby/page_token.h"
#include "server/lobby/table_proto.h"
#include "server/net/grpc_status.h"
#include "server/net/limits.h"

namespace tesela::lobby {
namespace {

namespace asio = boost::asio;
using asio::awaitable;

// Runs the work of one call on a context of the pool and answers with what it gives.
template <class Response>
grpc::ServerUnaryReactor* answer(net::IoPool& io, grpc::CallbackServerContext* context,
                                 Response* response, awaitable<Expected<Response>> work) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  asio::co_spawn(io.any(), std::move(work),
                 [reactor, response](const std::exception_ptr& fault, Expected<Response> outcome) {
                   if (fault) {
                     spdlog::error("a call of the lobby failed");
                     reactor->Finish({grpc::StatusCode::INTERNAL, "The server made a mistake."});
                   } else if (!outcome) {
                     reactor->Finish(net::to_status(outcome.error()));
                   } else {
                     *response = std::move(*outcome);
                     reactor->Finish(grpc::Status::OK);
                   }
                 });
  return reactor;
}

std::string token_of(const grpc::CallbackServerContext& context) {
  const auto& metadata = context.client_metadata();
  const auto at = metadata.find("authorization");
  if (at == metadata.end()) return {};
  return std::string{bearer_token({at->second.data(), at->second.size()})};
}

Expected<TableId> table_id_of(const std::string& text) {
  if (const auto id = codec::parse_table_id(text)) return *id;
  return refuse(ErrorCode::kInvalidArgument, "table_id is not a table's id.");
}

Expected<std::size_t> page_size(const v1::ListTablesRequest& request) {
  if (request.page_size() > limits::kPageMax) {
    return refuse(ErrorCode::kInvalidArgument,
                  "page_size must be at most " + std::to_string(limits::kPageMax) + ".");
  }
  return request.page_size() == 0 ? limits::kPageDefault : request.page_size();
}

Expected<std::optional<store::TableCursor>> page_start(const v1::ListTablesRequest& request) {
  if (request.page_token().empty()) return std::nullopt;
  const auto cursor = parse_page_token(request.page_token());
  if (!cursor) {
    return refuse(ErrorCode::kInvalidArgument,
                  "page_token is not one of this server's; leave it empty for the first page.");
  }
  return cursor;
}

}  // namespace

LobbyService::LobbyService(Parts parts)
    : parts_(parts), watches_(parts.io, parts.store, parts.feed) {}

grpc::ServerUnaryReactor* LobbyService::SignIn(grpc::CallbackServerContext* context,
                                               const v1::SignInRequest* request,
                                               v1::SignInResponse* response) {
  return answer(parts_.io, context, response, sign_in(request->display_name()));
}

grpc::ServerUnaryReactor* LobbyService::CreateTable(grpc::CallbackServerContext* context,
                                                    const v1::CreateTableRequest* request,
                                                    v1::CreateTableResponse* response) {
  return answer(parts_.io, context, response, create_table(token_of(*context), *request));
}

grpc::ServerUnaryReactor* LobbyService::JoinTable(grpc::CallbackServerContext* context,
                                                  const v1::JoinTableRequest* request,
                                                  v1::JoinTableResponse* response) {
  return answer(parts_.io, context, response, join_table(token_of(*context), *request));
}

grpc::ServerUnaryReactor* LobbyService::GetTable(grpc::CallbackServerContext* context,
                                                 const v1::GetTableRequest* request,
                                                 v1::GetTableResponse* response) {
  return answer(parts_.io, context, response, get_table(request->table_id()));
}

grpc::ServerUnaryReactor* LobbyService::ListTables(grpc::CallbackServerContext* context,
                                                   const v1::ListTablesRequest* request,
                                                   v1::ListTablesResponse* response) {
  return answer(parts_.io, context, response, list_tables(*request));
}

grpc::ServerWriteReactor<v1::WatchTablesResponse>* LobbyService::WatchTables(
    grpc::CallbackServerContext* /*context*/, const v1::WatchTablesRequest* request) {
  return watches_.watch(request->filter());
}

awaitable<Expected<v1::SignInResponse>> LobbyService::sign_in(std::string name) {
  const auto signed_in = co_await parts_.players.sign_in(std::move(name));
  if (!signed_in) co_return std::unexpected(signed_in.error());
  v1::SignInResponse response;
  response.set_token(signed_in->proof.token);
  response.set_player_id(codec::to_text(signed_in->identity.player));
  response.set_display_name(signed_in->identity.display_name);
  *response.mutable_expires_at() = google::protobuf::util::TimeUtil::TimeTToTimestamp(
      std::chrono::system_clock::to_time_t(signed_in->proof.expires));
  co_return response;
}

awaitable<Expected<v1::CreateTableResponse>> LobbyService::create_table(
    std::string token, v1::CreateTableRequest request) {
  const auto identity = parts_.tokens.verify(token);
  if (!identity) co_return std::unexpected(identity.error());
  std::optional<google::protobuf::Any> config;
  if (request.has_config()) config = request.config();
  const auto row =
      co_await parts_.directory.create(identity->player, request.game(), std::move(config));
  // The token outlived the player: somebody put a new database under the old key.
  if (!row && row.error().code == ErrorCode::kNotFound) {
    co_return refuse(ErrorCode::kUnauthenticated, "The player is not known here; sign in again.");
  }
  if (!row) co_return std::unexpected(row.error());
  v1::CreateTableResponse response;
  *response.mutable_table() = to_proto(*row);
  co_return response;
}

awaitable<Expected<v1::JoinTableResponse>> LobbyService::join_table(std::string token,
                                                                    v1::JoinTableRequest request) {
  auto identity = parts_.tokens.verify(token);
  if (!identity) co_return std::unexpected(identity.error());
  const auto id = table_id_of(request.table_id());
  if (!id) co_return std::unexpected(id.error());
  std::optional<Seat> seat;
  if (request.has_seat()) {
    if (request.seat() >= kSeatsMax) {
      co_return refuse(ErrorCode::kInvalidArgument, "seat must be below " +
                                                        std::to_string(kSeatsMax) + ", not " +
                                                        std::to_string(request.seat()) + ".");
    }
    seat = Seat{static_cast<std::uint8_t>(request.seat())};
  }
  const auto row = co_await parts_.directory.join(*id, identity->player,
                                                  std::move(identity->display_name), seat);
  if (!row) co_return std::unexpected(row.error());
  v1::JoinTableResponse response;
  *response.mutable_table() = to_proto(*row);
  co_return response;
}

awaitable<Expected<v1::GetTableResponse>> LobbyService::get_table(std::string table_id) {
  const auto id = table_id_of(table_id);
  if (!id) co_return std::unexpected(id.error());
  const auto row = co_await parts_.store.table(*id);
  if (!row) co_return std::unexpected(row.error());
  v1::GetTableResponse response;
  *response.mutable_table() = to_proto(*row);
  co_return response;
}

awaitable<Expected<v1::ListTablesResponse>> LobbyService::list_tables(
    v1::ListTablesRequest request) {
  const auto size = page_size(request);
  if (!size) co_return std::unexpected(size.error());
  const auto start = page_start(request);
  if (!start) co_return std::unexpected(start.error());
  const auto filter = from_proto(request.filter());
  if (!filter) co_return std::unexpected(filter.error());
  // One more than asked for tells whether there is a next page.
  const auto rows = co_await parts_.store.tables(*filter, *start, *size + 1);
  if (!rows) co_return std::unexpected(rows.error());
  v1::ListTablesResponse response;
  const std::size_t count = std::min(*size, rows->size());
  for (std::size_t i = 0; i < count; ++i) *response.add_tables() = to_proto((*rows)[i]);
  if (rows->size() > *size) {
    const store::TableRow& last = (*rows)[count - 1];
    response.set_next_page_token(to_page_token({last.created_ms, last.id}));
  }
  co_return response;
}

}  // namespace tesela::lobby
