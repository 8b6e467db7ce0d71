// Who calls: how the HTTP port tells the gRPC server in this process.
#pragma once

#include <grpcpp/server_context.h>

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string_view>

#include "server/net/gate.h"

namespace tesela::net {

/// The header that the HTTP port puts into each request, in the place of what a client may have
/// sent: the address of the client.
inline constexpr std::string_view kClientAddress = "tesela-client-address";

/// The header that the HTTP port adds for a client behind a proxy, whose connection has no place
/// among those of the client's address.
inline constexpr std::string_view kThroughProxy = "tesela-through-proxy";

/// What a client is told when the server has no room for its connection.
inline constexpr std::string_view kServerFull =
    "The server has as many connections as it takes; try again later.";

/// What a client is told that has as many connections as its address may.
inline constexpr std::string_view kTooManyFromAddress =
    "Your address has as many connections as it may; close one first.";

/// Where a call comes from, over either port. None: from this process.
[[nodiscard]] std::optional<boost::asio::ip::address> client_of(
    const Gate& gate, const grpc::CallbackServerContext& context);

/// The account of who makes a call, over either port. None: no limit holds them.
[[nodiscard]] AccountPtr account_of(Gate& gate, const grpc::CallbackServerContext& context);

/// Counts a call that came by gRPC as a request of its address: over HTTP it was counted as one.
/// Errors: kResourceExhausted.
[[nodiscard]] Expected<void> count_call(Gate& gate, const grpc::CallbackServerContext& context);

/// The place of a call that stays open, among the connections of its address: empty for a call over
/// HTTP, whose connection has one. A connection of gRPC has one too, but carries many calls. The
/// call is counted. Errors: kResourceExhausted.
[[nodiscard]] Expected<Place> place_of(Gate& gate, const grpc::CallbackServerContext& context);

/// What a call that stays open takes.
struct CallPlaces {
  Place connection;
  Places held;
};

/// As `place_of`, and the places of what the call is for. `player`: who calls, if that is known.
/// Errors: those of `place_of` and of Gate::hold.
[[nodiscard]] Expected<CallPlaces> places_of(Gate& gate, const grpc::CallbackServerContext& context,
                                             Held what, std::optional<PlayerId> player = {});

/// Whether the call came by the gRPC port, and not over HTTP.
[[nodiscard]] bool came_by_grpc(const grpc::CallbackServerContext& context);

}  // namespace tesela::net
