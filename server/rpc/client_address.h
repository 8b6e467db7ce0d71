// Who calls: how the HTTP port tells the gRPC server in this process.
#pragma once

#include <grpcpp/server_context.h>

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string_view>

#include "server/net/http/client_headers.h"
#include "server/quota/gate.h"

namespace tesela::rpc {

/// Where a call comes from, over either port. None: from this process.
[[nodiscard]] std::optional<boost::asio::ip::address> client_of(
    const quota::Gate& gate, const grpc::CallbackServerContext& context);

/// The account of who makes a call, over either port. None: no limit holds them.
[[nodiscard]] quota::AccountPtr account_of(quota::Gate& gate,
                                           const grpc::CallbackServerContext& context);

/// Counts a call that came by gRPC as a request of its address: over HTTP it was counted as one.
/// Errors: kResourceExhausted.
[[nodiscard]] Expected<void> count_call(quota::Gate& gate,
                                        const grpc::CallbackServerContext& context);

/// The place of a call that stays open, among the connections of its address: empty for a call over
/// HTTP, whose connection has one. A connection of gRPC has one too, but carries many calls. The
/// call is counted. Errors: kResourceExhausted.
[[nodiscard]] Expected<quota::Place> place_of(quota::Gate& gate,
                                              const grpc::CallbackServerContext& context);

/// What a call that stays open takes.
struct CallPlaces {
  quota::Place connection;
  quota::Places held;
};

/// As `place_of`, and the places of what the call is for. `player`: who calls, if that is known.
/// Errors: those of `place_of` and of Gate::hold.
[[nodiscard]] Expected<CallPlaces> places_of(quota::Gate& gate,
                                             const grpc::CallbackServerContext& context,
                                             quota::Held what, std::optional<PlayerId> player = {});

/// Whether the call came by the gRPC port, and not over HTTP.
[[nodiscard]] bool came_by_grpc(const grpc::CallbackServerContext& context);

}  // namespace tesela::rpc
