#include "server/rpc/client_address.h"

#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

namespace tesela::rpc {
namespace {

namespace ip = boost::asio::ip;

std::string_view metadata(const grpc::CallbackServerContext& context, std::string_view name) {
  const auto& all = context.client_metadata();
  const auto at = all.find({name.data(), name.size()});
  return at == all.end() ? std::string_view{}
                         : std::string_view{at->second.data(), at->second.size()};
}

// Every field of that name: a client's own may stand before the proxy's.
std::string forwarded_for(const grpc::CallbackServerContext& context) {
  std::string all;
  auto [at, end] = context.client_metadata().equal_range("x-forwarded-for");
  for (; at != end; ++at) quota::append_forwarded(all, {at->second.data(), at->second.size()});
  return all;
}

// gRPC writes fd:12 for a connection that it was given, and something else for a call from this
// process.
std::optional<int> descriptor_of(std::string_view peer) {
  constexpr std::string_view kBegin = "fd:";
  int descriptor{};
  if (!peer.starts_with(kBegin)) return std::nullopt;
  const auto [end, error] =
      std::from_chars(peer.data() + kBegin.size(), peer.data() + peer.size(), descriptor);
  return error == std::errc{} ? std::optional{descriptor} : std::nullopt;
}

}  // namespace

std::optional<ip::address> client_of(const quota::AdmissionControl& admission,
                                     const grpc::CallbackServerContext& context) {
  if (const auto descriptor = descriptor_of(context.peer())) {
    const auto peer = admission.introduced(*descriptor);
    return peer ? std::optional{admission.client(*peer, forwarded_for(context))} : std::nullopt;
  }
  boost::system::error_code error;
  auto told = ip::make_address(metadata(context, net::kClientAddress), error);
  if (error) return std::nullopt;
  return told;
}

quota::QuotaPtr quota_of(quota::AdmissionControl& admission,
                         const grpc::CallbackServerContext& context) {
  const auto client = client_of(admission, context);
  return client ? admission.address(*client) : nullptr;
}

Expected<void> count_call(quota::AdmissionControl& admission,
                          const grpc::CallbackServerContext& context) {
  const auto caller = came_by_grpc(context) ? quota_of(admission, context) : nullptr;
  if (caller && !caller->take(quota::Act::kRequest)) return quota::too_often(quota::Act::kRequest);
  return {};
}

Expected<quota::Slot> slot_of(quota::AdmissionControl& admission,
                              const grpc::CallbackServerContext& context) {
  if (auto counted = count_call(admission, context); !counted) {
    return std::unexpected(std::move(counted.error()));
  }
  if (!came_by_grpc(context) && metadata(context, net::kThroughProxy).empty()) return quota::Slot{};
  auto slot = admission.enter(quota_of(admission, context));
  if (!slot) return refuse(ErrorCode::kResourceExhausted, std::string{net::kTooManyFromAddress});
  return std::move(*slot);
}

Expected<CallSlots> slots_of(quota::AdmissionControl& admission,
                             const grpc::CallbackServerContext& context, quota::Held what,
                             std::optional<PlayerId> player) {
  auto connection = slot_of(admission, context);
  if (!connection) return std::unexpected(std::move(connection.error()));
  auto held = admission.hold(what, quota_of(admission, context), player);
  if (!held) return std::unexpected(std::move(held.error()));
  return CallSlots{.connection = std::move(*connection), .held = std::move(*held)};
}

bool came_by_grpc(const grpc::CallbackServerContext& context) {
  return descriptor_of(context.peer()).has_value();
}

}  // namespace tesela::rpc
