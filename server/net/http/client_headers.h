// What the HTTP port tells the services of a client, and a client that it turns away.
#pragma once

#include <string_view>

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

}  // namespace tesela::net
