#include "server/rpc/connect_query.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "server/base/text_encoding.h"
#include "server/base/urls/url_query.h"

namespace tesela::rpc {
namespace {

struct Query {
  std::optional<std::string> message;
  std::string encoding;
  std::string compression;
  std::string base64;
  std::string version;
};

Expected<Query> read_query(std::string_view target) {
  auto fields =
      base::query_fields(target.substr(std::min(target.find('?'), target.size() - 1) + 1));
  if (!fields) {
    return refuse(ErrorCode::kInvalidArgument,
                  "The query has a \"%\" that no two hexadecimal digits follow.");
  }
  Query query;
  for (const auto& [name, value] : *fields) {
    if (name == "message") query.message = value;
    if (name == "encoding") query.encoding = value;
    if (name == "compression") query.compression = value;
    if (name == "base64") query.base64 = value;
    if (name == "connect") query.version = value;
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
