// What the services of this room share: answering a unary call by a coroutine, and reading what
// calls bring.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>
#include <spdlog/spdlog.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <string>
#include <utility>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/io_pool.h"
#include "server/rpc/client_address.h"
#include "server/rpc/grpc_status.h"

namespace tesela::rpc {

/// Runs the work of one call on a context of the pool `parts.io` and answers with what it gives,
/// if the quota that the caller has with `parts.admission` allows one more call.
template <class Parts, class Response>
grpc::ServerUnaryReactor* answer(const Parts& parts, grpc::CallbackServerContext* context,
                                 Response* response,
                                 boost::asio::awaitable<Expected<Response>> work) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  if (const auto counted = count_call(parts.admission, *context); !counted) {
    reactor->Finish(to_status(counted.error()));
    return reactor;
  }
  boost::asio::co_spawn(
      parts.io.any(), std::move(work),
      [reactor, response](const std::exception_ptr& fault, Expected<Response> outcome) {
        if (fault) {
          spdlog::error("a call of the lobby failed");
          reactor->Finish({grpc::StatusCode::INTERNAL, "The server made a mistake."});
        } else if (!outcome) {
          reactor->Finish(to_status(outcome.error()));
        } else {
          *response = std::move(*outcome);
          reactor->Finish(grpc::Status::OK);
        }
      });
  return reactor;
}

/// The bearer token of a call; empty when it has none.
[[nodiscard]] std::string token_of(const grpc::CallbackServerContext& context);

/// Errors: kInvalidArgument for what is not a table's id.
[[nodiscard]] Expected<TableId> table_id_of(const std::string& text);

}  // namespace tesela::rpc
