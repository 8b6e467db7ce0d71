// Who calls: how the HTTP port tells the gRPC server in this process.
#pragma once

#include <grpcpp/server_context.h>

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string_view>

#include "server/net/http/client_headers.h"
#include "server/quota/admission_control.h"

namespace tesela::rpc {

/// Where a call comes from, over either port. None: from this process.
[[nodiscard]] std::optional<boost::asio::ip::address> client_of(
    const quota::AdmissionControl& admission, const grpc::CallbackServerContext& context);

/// The quota of who makes a call, over either port. None: no limit holds them.
[[nodiscard]] quota::QuotaPtr quota_of(quota::AdmissionControl& admission,
                                       const grpc::CallbackServerContext& context);

/// Counts a call that came by gRPC as a request of its address: over HTTP it was counted as one.
/// Errors: kResourceExhausted.
[[nodiscard]] Expected<void> count_call(quota::AdmissionControl& admission,
                                        const grpc::CallbackServerContext& context);

/// The slot of a call that stays open, among the connections of its address: empty for a call over
/// HTTP, whose connection has one. A connection of gRPC has one too, but carries many calls. The
/// call is counted. Errors: kResourceExhausted.
[[nodiscard]] Expected<quota::Slot> slot_of(quota::AdmissionControl& admission,
                                            const grpc::CallbackServerContext& context);

/// What a call that stays open takes.
struct CallSlots {
  quota::Slot connection;
  quota::Slots held;
};

/// As `slot_of`, and the slots of what the call is for. `player`: who calls, if that is known.
/// Errors: those of `slot_of` and of AdmissionControl::hold.
[[nodiscard]] Expected<CallSlots> slots_of(quota::AdmissionControl& admission,
                                           const grpc::CallbackServerContext& context,
                                           quota::Held what, std::optional<PlayerId> player = {});

/// Whether the call came by the gRPC port, and not over HTTP.
[[nodiscard]] bool came_by_grpc(const grpc::CallbackServerContext& context);

}  // namespace tesela::rpc
