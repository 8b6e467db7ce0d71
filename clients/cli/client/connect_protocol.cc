#include "clients/cli/client/connect_protocol.h"

#include <algorithm>
#include <array>
#include <boost/beast/http/field.hpp>
#include <boost/endian/conversion.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace tesela::cli {
namespace {

namespace http = boost::beast::http;
using Json = nlohmann::json;

constexpr int kHttp11 = 11;
// An envelope is a byte of flags, four of the message's size, and the message.
constexpr std::size_t kEnvelopeHeadBytes = 5;
constexpr unsigned char kLastEnvelope = 2;

struct CodeName {
  std::string_view name;
  ErrorCode code;
};
constexpr std::array kCodes = {
    CodeName{"invalid_argument", ErrorCode::kInvalidArgument},
    CodeName{"unauthenticated", ErrorCode::kUnauthenticated},
    CodeName{"permission_denied", ErrorCode::kPermissionDenied},
    CodeName{"not_found", ErrorCode::kNotFound},
    CodeName{"failed_precondition", ErrorCode::kSeatTaken},
    CodeName{"already_exists", ErrorCode::kAlreadyTried},
    CodeName{"aborted", ErrorCode::kStale},
    CodeName{"resource_exhausted", ErrorCode::kResourceExhausted},
    CodeName{"unavailable", ErrorCode::kUnavailable},
    CodeName{"deadline_exceeded", ErrorCode::kUnavailable},
};

ErrorCode code_named(std::string_view name) {
  for (const auto& entry : kCodes) {
    if (entry.name == name) return entry.code;
  }
  return ErrorCode::kInternal;
}

/// Nothing that cannot be read throws: it is no object.
Json read_json(const std::string& text) {
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

std::optional<Error> error_of(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const auto text = [&json](const char* name) -> const std::string* {
    const auto found = json.find(name);
    return found == json.end() ? nullptr : found->get_ptr<const std::string*>();
  };
  const std::string* const code = text("code");
  if (code == nullptr) return std::nullopt;
  const std::string* const message = text("message");
  return Error{code_named(*code), message == nullptr ? *code : *message};
}

}  // namespace

http::request<http::string_body> connect_request(const ConnectCall& call, std::string body) {
  http::request<http::string_body> request(http::verb::post, "/" + call.package + "." + call.method,
                                           kHttp11, std::move(body));
  request.set(http::field::host, to_text(call.server));
  request.set(http::field::content_type, call.content_type);
  request.set("connect-protocol-version", "1");
  if (!call.token.empty()) request.set(http::field::authorization, "Bearer " + call.token);
  request.prepare_payload();
  return request;
}

Error read_connect_error(unsigned http_status, const std::string& body) {
  if (auto error = error_of(read_json(body))) return *std::move(error);
  return {ErrorCode::kUnavailable,
          "The server answered with HTTP status " + std::to_string(http_status) + "."};
}

std::string write_envelope(const std::string& message) {
  std::array<unsigned char, kEnvelopeHeadBytes> head{};
  boost::endian::store_big_u32(&head[1], static_cast<std::uint32_t>(message.size()));
  return std::string(head.begin(), head.end()) + message;
}

std::optional<Envelope> take_envelope(std::string& bytes) {
  if (bytes.size() < kEnvelopeHeadBytes) return std::nullopt;
  std::array<unsigned char, kEnvelopeHeadBytes> head{};
  std::copy_n(bytes.begin(), head.size(), head.begin());
  const std::size_t size = boost::endian::load_big_u32(&head[1]);
  if (bytes.size() - head.size() < size) return std::nullopt;
  Envelope envelope{.last = (head[0] & kLastEnvelope) != 0,
                    .message = bytes.substr(head.size(), size)};
  bytes.erase(0, head.size() + size);
  return envelope;
}

Expected<void> read_stream_end(const std::string& message) {
  const Json end = read_json(message);
  if (end.is_object()) {
    const auto found = end.find("error");
    if (found == end.end()) return {};
    if (auto error = error_of(*found)) return std::unexpected(*std::move(error));
  }
  return refuse(ErrorCode::kInternal, "The end of the server's answer cannot be read.");
}

}  // namespace tesela::cli
