#include "server/rpc/connect_metadata.h"

#include <grpc/grpc.h>
#include <grpc/slice.h>

#include <algorithm>
#include <array>
#include <string>

#include "server/base/text_encoding.h"

namespace tesela::rpc {
namespace {

// Names that are HTTP's, the browsers' or the protocols' own, and what others of theirs begin with.
constexpr auto kReserved = std::to_array<std::string_view>(
    {"cache-control", "connection", "cookie", "date", "dnt", "expect", "forwarded", "host",
     "keep-alive", "origin", "pragma", "priority", "referer", "server", "set-cookie", "te",
     "upgrade", "upgrade-insecure-requests", "user-agent"});
constexpr auto kReservedPrefixes = std::to_array<std::string_view>(
    {":", "accept", "access-control-", "connect-", "content-", "grpc-", "if-", "proxy-", "sec-",
     "trailer", "transfer-", "x-forwarded-"});

bool is_reserved(std::string_view name) {
  return std::ranges::find(kReserved, name) != kReserved.end() ||
         std::ranges::any_of(kReservedPrefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::string lower_case(std::string_view name) {
  std::string lower{name};
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

grpc_slice slice_of(const std::string& text) {
  return grpc_slice_from_static_buffer(text.data(), text.size());
}

std::string_view view(grpc::string_ref text) {
  return {text.data(), text.size()};
}

}  // namespace

void send_metadata(const boost::beast::http::fields& headers, grpc::ClientContext& call) {
  for (const auto& header : headers) {
    const std::string name = lower_case(header.name_string());
    if (is_reserved(name) || grpc_header_key_is_legal(slice_of(name)) == 0) continue;
    std::string value{header.value()};
    if (name.ends_with("-bin")) {
      auto bytes = base::decode_base64(value);
      if (!bytes) continue;
      value = std::move(*bytes);
    } else if (grpc_header_nonbin_value_is_legal(slice_of(value)) == 0) {
      continue;
    }
    call.AddMetadata(name, value);
  }
}

Metadata received_metadata(const std::multimap<grpc::string_ref, grpc::string_ref>& metadata) {
  Metadata received;
  for (const auto& [name, value] : metadata) {
    if (is_reserved(view(name))) continue;
    const bool binary = view(name).ends_with("-bin");
    received.emplace(view(name),
                     binary ? base::encode_base64(view(value)) : std::string{view(value)});
  }
  return received;
}

}  // namespace tesela::rpc
