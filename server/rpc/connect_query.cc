#include "server/rpc/connect_query.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/base/text_encoding.h"

namespace tesela::rpc {
namespace {

// What a value of a query stands for: %XX is a byte, and "+" a space. Not by Boost.URL 1.81, whose
// last value goes on to the next zero byte.
std::optional<std::string> percent_decoded(std::string_view text) {
  constexpr std::size_t kDigits = 2;
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, kDigits);
    unsigned char byte = 0;
    const char* const end = digits.data() + digits.size();
    const auto [after, error] = std::from_chars(text.data() + i + 1, end, byte, 16);
    if (digits.size() != kDigits || error != std::errc{} || after != end) return std::nullopt;
    decoded += static_cast<char>(byte);
    i += kDigits;
  }
  return decoded;
}

struct Query {
  std::optional<std::string> message;
  std::string encoding;
  std::string compression;
  std::string base64;
  std::string version;
};

Expected<Query> read_query(std::string_view target) {
  Query query;
  std::string_view rest = target.substr(std::min(target.find('?'), target.size() - 1) + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
    const std::string_view name = pair.substr(0, pair.find('='));
    auto value = percent_decoded(pair.substr(std::min(name.size() + 1, pair.size())));
    if (!value) {
      return refuse(ErrorCode::kInvalidArgument,
                    "The query has a \"%\" that no two hexadecimal digits follow.");
    }
    if (name == "message") query.message = std::move(*value);
    if (name == "encoding") query.encoding = std::move(*value);
    if (name == "compression") query.compression = std::move(*value);
    if (name == "base64") query.base64 = std::move(*value);
    if (name == "connect") query.version = std::move(*value);
  }
  return query;
}

}  // namespace

Expected<ConnectContent> take_query(net::Request& request) {
  auto query = read_query({request.target().data(), request.target().size()});
  if (!query) return std::unexpected(query.error());
  if (!query->version.empty() && query->version != "v1") {
    return refuse(ErrorCode::kInvalidArgument, "The query's `connect` must be v1.");
  }
  if (query->encoding != "json" && query->encoding != "proto") {
    return refuse(ErrorCode::kInvalidArgument,
                  "The query needs `encoding`, json or proto: ?encoding=json&message={}");
  }
  if (!query->message) {
    return refuse(ErrorCode::kInvalidArgument,
                  "The query needs the request as `message`: ?encoding=json&message={}");
  }
  if (query->base64 == "1") {
    query->message = base::decode_base64(*query->message);
    if (!query->message) {
      return refuse(ErrorCode::kInvalidArgument, "The query's `message` is not base64.");
    }
  }
  request.body() = std::move(*query->message);
  request.set(net::http::field::content_encoding, query->compression);
  return ConnectContent{.json = query->encoding == "json"};
}

}  // namespace tesela::rpc
