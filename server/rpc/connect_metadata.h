// HTTP headers to gRPC metadata and back.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/string_ref.h>

#include <boost/beast/http/fields.hpp>
#include <map>
#include <string_view>

#include "server/rpc/connect_error.h"

namespace tesela::rpc {

/// Gives the call what the client says to the service: every header but those of HTTP, of browsers
/// and of the protocols themselves. Binary ones (-bin) are decoded. What gRPC would not carry is
/// left out: it ends the process over an illegal name or value.
void send_metadata(const boost::beast::http::fields& headers, grpc::ClientContext& call);

/// What the service says to the client, fit for HTTP: without gRPC's own, binary values in base 64.
[[nodiscard]] Metadata received_metadata(
    const std::multimap<grpc::string_ref, grpc::string_ref>& metadata);

}  // namespace tesela::rpc
