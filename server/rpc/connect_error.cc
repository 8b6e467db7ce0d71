#include "server/rpc/connect_error.h"

#include <fmt/format.h>
#include <google/protobuf/any.pb.h>
#include <google/protobuf/empty.pb.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "server/base/text_encoding.h"
#include "server/rpc/grpc_status.h"

namespace tesela::rpc {
namespace {

using nlohmann::ordered_json;

struct Code {
  std::string_view name;
  unsigned http;
};

// By the number of grpc::StatusCode. The first, OK, is no error.
constexpr std::array<Code, 17> kCodes{{{"ok", 200},
                                       {"canceled", 499},
                                       {"unknown", 500},
                                       {"invalid_argument", 400},
                                       {"deadline_exceeded", 504},
                                       {"not_found", 404},
                                       {"already_exists", 409},
                                       {"permission_denied", 403},
                                       {"resource_exhausted", 429},
                                       {"failed_precondition", 400},
                                       {"aborted", 409},
                                       {"out_of_range", 400},
                                       {"unimplemented", 501},
                                       {"internal", 500},
                                       {"unavailable", 503},
                                       {"data_loss", 500},
                                       {"unauthenticated", 401}}};

constexpr std::string_view kErrorInfo = "google.rpc.ErrorInfo";

const Code& code_of(grpc::StatusCode code) {
  const auto index = static_cast<std::size_t>(code);
  return kCodes[index < kCodes.size() ? index : static_cast<std::size_t>(grpc::UNKNOWN)];
}

// The texts in a message, by the numbers of their fields.
std::map<int, std::string> texts_in(const std::string& encoded) {
  std::map<int, std::string> texts;
  google::protobuf::Empty message;
  if (!message.ParseFromString(encoded)) return texts;
  const auto& fields = google::protobuf::Empty::GetReflection()->GetUnknownFields(message);
  for (int i = 0; i < fields.field_count(); ++i) {
    const auto& field = fields.field(i);
    if (field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED) {
      texts[field.number()] = field.length_delimited();
    }
  }
  return texts;
}

// What a detail says, for whoever reads the JSON: the `debug` of the Connect protocol.
ordered_json debug_of(std::string_view type, const std::string& encoded) {
  auto texts = texts_in(encoded);
  if (type == kErrorInfo) return {{"reason", texts[1]}, {"domain", texts[2]}};
  return {{"requestId", texts[1]}};
}

// Field 3 of google.rpc.Status, read without its .proto.
ordered_json details_of(const std::string& encoded_status) {
  constexpr int kDetails = 3;
  ordered_json details = ordered_json::array();
  google::protobuf::Empty status;
  if (!status.ParseFromString(encoded_status)) return details;
  const auto& fields = google::protobuf::Empty::GetReflection()->GetUnknownFields(status);
  for (int i = 0; i < fields.field_count(); ++i) {
    const auto& field = fields.field(i);
    google::protobuf::Any detail;
    if (field.number() != kDetails ||
        field.type() != google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED ||
        !detail.ParseFromString(field.length_delimited())) {
      continue;
    }
    const std::string type = detail.type_url().substr(detail.type_url().rfind('/') + 1);
    details.push_back({{"type", type},
                       {"value", base::encode_base64(detail.value())},
                       {"debug", debug_of(type, detail.value())}});
  }
  return details;
}

ordered_json error_object(const grpc::Status& status) {
  ordered_json error{{"code", connect_code(status.error_code())}};
  if (!status.error_message().empty()) error["message"] = status.error_message();
  ordered_json details = details_of(status.error_details());
  if (!details.empty()) error["details"] = std::move(details);
  return error;
}

// A member that is text; otherwise nothing.
std::string text_in(const ordered_json& object, const char* name) {
  if (!object.is_object()) return {};
  const auto at = object.find(name);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string{};
}

// The reason of the google.rpc.ErrorInfo in one of `details`: its field 1.
std::optional<ErrorCode> reason_in(const ordered_json& details) {
  for (const ordered_json& detail : details) {
    if (text_in(detail, "type") != kErrorInfo) continue;
    const auto bytes = base::decode_base64(text_in(detail, "value"));
    if (bytes) return error_code_of(texts_in(*bytes)[1]);
  }
  return std::nullopt;
}

// Of a status without a reason: a limit of the server, the deadline, or a server of an earlier
// release, which does not know the call.
ErrorCode code_of_http(unsigned http_status) {
  switch (http_status) {
    case 429:
      return ErrorCode::kResourceExhausted;
    case 404:
    case 503:
    case 504:
      return ErrorCode::kUnavailable;
    default:
      return ErrorCode::kInternal;
  }
}

unsigned http_status_of(const std::string& connect_code) {
  const auto found = std::ranges::find(kCodes, connect_code, &Code::name);
  return found == kCodes.end() ? 500 : found->http;
}

/// As gRPC writes Status-Message: what is not printable ASCII, and "%" itself, as %XX.
std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char character : text) {
    if (character >= ' ' && character <= '~' && character != '%') {
      encoded += character;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(character));
    }
  }
  return encoded;
}

std::string text_of(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

std::string_view connect_code(grpc::StatusCode code) {
  return code_of(code).name;
}

unsigned http_status(grpc::StatusCode code) {
  return code_of(code).http;
}

std::string error_json(const grpc::Status& status) {
  return text_of(error_object(status));
}

std::string end_stream_json(const grpc::Status& status) {
  ordered_json end = ordered_json::object();
  if (!status.ok()) end["error"] = error_object(status);
  return text_of(end);
}

std::string grpc_web_trailers(const grpc::Status& status) {
  std::string trailers = fmt::format("grpc-status: {}\r\n", static_cast<int>(status.error_code()));
  if (!status.error_message().empty()) {
    trailers += "grpc-message: " + percent_encoded(status.error_message()) + "\r\n";
  }
  if (!status.error_details().empty()) {
    trailers += "grpc-status-details-bin: " + base::encode_base64(status.error_details()) + "\r\n";
  }
  return trailers;
}

Expected<void> read_end_stream(std::string_view json) {
  const auto end = ordered_json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!end.is_object()) return refuse(ErrorCode::kInternal, "The server's last word is not JSON.");
  if (!end.contains("error")) return {};
  const ordered_json& error = end["error"];
  return std::unexpected(read_error(http_status_of(text_in(error, "code")), text_of(error)));
}

Error read_error(unsigned http_status, std::string_view body) {
  const auto json = ordered_json::parse(body, nullptr, /*allow_exceptions=*/false);
  std::optional<ErrorCode> code;
  if (json.is_object() && json.contains("details")) code = reason_in(json["details"]);
  if (!code) code = code_of_http(http_status);
  std::string message = text_in(json, "message");
  if (!json.is_object()) message = body.substr(0, body.find('\n'));
  if (message.empty()) message = "The server that was asked could not answer.";
  return {.code = *code, .message = std::move(message)};
}

net::Response error_response(const grpc::Status& status) {
  net::Response response{.status = static_cast<net::http::status>(http_status(status.error_code())),
                         .headers = {},
                         .body = error_json(status)};
  response.headers.set(net::http::field::content_type, "application/json");
  return response;
}

}  // namespace tesela::rpc
