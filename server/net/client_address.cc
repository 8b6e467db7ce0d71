#include "server/net/client_address.h"

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string>
#include <utility>

namespace tesela::net {
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
  for (; at != end; ++at) append_forwarded(all, {at->second.data(), at->second.size()});
  return all;
}

// gRPC writes ipv4:192.0.2.1:50000 and ipv6:%5B2001:db8::1%5D:50000, brackets as they are in some
// versions, and something else for a call from this process.
std::optional<ip::address> address_of(std::string_view peer) {
  const bool v6 = peer.starts_with("ipv6:");
  if (!v6 && !peer.starts_with("ipv4:")) return std::nullopt;
  peer.remove_prefix(5);
  peer = peer.substr(0, peer.rfind(':'));
  for (const std::string_view open : {"%5B", "["}) {
    if (peer.starts_with(open)) peer.remove_prefix(open.size());
  }
  for (const std::string_view close : {"%5D", "]"}) {
    if (peer.ends_with(close)) peer.remove_suffix(close.size());
  }
  boost::system::error_code error;
  auto address = ip::make_address(peer, error);
  if (error) return std::nullopt;
  return address;
}

}  // namespace

std::optional<ip::address> client_of(const Gate& gate, const grpc::CallbackServerContext& context) {
  const std::string peer = context.peer();
  if (const auto address = address_of(peer)) {
    return gate.client(*address, forwarded_for(context));
  }
  boost::system::error_code error;
  auto told = ip::make_address(metadata(context, kClientAddress), error);
  if (error) return std::nullopt;
  return told;
}

AccountPtr account_of(Gate& gate, const grpc::CallbackServerContext& context) {
  const auto client = client_of(gate, context);
  return client ? gate.address(*client) : nullptr;
}

Expected<void> count_call(Gate& gate, const grpc::CallbackServerContext& context) {
  const auto caller = came_by_grpc(context) ? account_of(gate, context) : nullptr;
  if (caller && !caller->take(Act::kRequest)) return too_often(Act::kRequest);
  return {};
}

Expected<Place> place_of(Gate& gate, const grpc::CallbackServerContext& context) {
  if (auto counted = count_call(gate, context); !counted) {
    return std::unexpected(std::move(counted.error()));
  }
  if (!came_by_grpc(context) && metadata(context, kThroughProxy).empty()) return Place{};
  auto place = gate.enter(account_of(gate, context));
  if (!place) return refuse(ErrorCode::kResourceExhausted, std::string{kTooManyFromAddress});
  return std::move(*place);
}

bool came_by_grpc(const grpc::CallbackServerContext& context) {
  return address_of(context.peer()).has_value();
}

}  // namespace tesela::net
