#include "clients/cli/client/connect_protocol.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <array>
#include <boost/beast/http/field.hpp>
#include <boost/endian/conversion.hpp>
#include <cstdint>
#include <string_view>
#include <utility>

namespace tesela::cli {
namespace {

namespace http = boost::beast::http;
using google::protobuf::Struct;

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

std::optional<Error> error_of(const Struct& object) {
  const auto& fields = object.fields();
  const auto code = fields.find("code");
  if (code == fields.end()) return std::nullopt;
  const auto message = fields.find("message");
  const auto& words = message == fields.end() ? code->second : message->second;
  return Error{code_named(code->second.string_value()), words.string_value()};
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
  Struct object;
  if (google::protobuf::util::JsonStringToMessage(body, &object).ok()) {
    if (auto error = error_of(object)) return *std::move(error);
  }
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
  Struct end;
  if (google::protobuf::util::JsonStringToMessage(message, &end).ok()) {
    const auto found = end.fields().find("error");
    if (found == end.fields().end()) return {};
    if (auto error = error_of(found->second.struct_value())) {
      return std::unexpected(*std::move(error));
    }
  }
  return refuse(ErrorCode::kInternal, "The end of the server's answer cannot be read.");
}

}  // namespace tesela::cli
