#include "server/rpc/grpc_status.h"

#include <google/protobuf/unknown_field_set.h>

#include <string>
#include <string_view>

namespace tesela::rpc {
namespace {

std::string_view reason_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "INVALID_ARGUMENT";
    case ErrorCode::kUnauthenticated:
      return "UNAUTHENTICATED";
    case ErrorCode::kSessionEnded:
      return "SESSION_ENDED";
    case ErrorCode::kNotFound:
      return "NOT_FOUND";
    case ErrorCode::kNotSeated:
      return "NOT_SEATED";
    case ErrorCode::kNotYourTurn:
      return "NOT_YOUR_TURN";
    case ErrorCode::kIllegalMove:
      return "ILLEGAL_MOVE";
    case ErrorCode::kGameOver:
      return "GAME_OVER";
    case ErrorCode::kNotStarted:
      return "NOT_STARTED";
    case ErrorCode::kSeatTaken:
      return "SEAT_TAKEN";
    case ErrorCode::kAlreadyTried:
      return "ALREADY_TRIED";
    case ErrorCode::kAlreadyOffered:
      return "ALREADY_OFFERED";
    case ErrorCode::kTaken:
      return "TAKEN";
    case ErrorCode::kLastCredential:
      return "LAST_CREDENTIAL";
    case ErrorCode::kTooSoon:
      return "TOO_SOON";
    case ErrorCode::kNotShownYet:
      return "NOT_SHOWN_YET";
    case ErrorCode::kNotOver:
      return "NOT_OVER";
    case ErrorCode::kStarted:
      return "STARTED";
    case ErrorCode::kPermissionDenied:
      return "PERMISSION_DENIED";
    case ErrorCode::kSuspended:
      return "SUSPENDED";
    case ErrorCode::kBanned:
      return "BANNED";
    case ErrorCode::kPaused:
      return "PAUSED";
    case ErrorCode::kTimeOver:
      return "TIME_OVER";
    case ErrorCode::kInviteNeeded:
      return "INVITE_NEEDED";
    case ErrorCode::kNoSpectators:
      return "NO_SPECTATORS";
    case ErrorCode::kNotPractice:
      return "NOT_PRACTICE";
    case ErrorCode::kStale:
      return "STALE";
    case ErrorCode::kResourceExhausted:
      return "RESOURCE_EXHAUSTED";
    case ErrorCode::kUnavailable:
      return "UNAVAILABLE";
    case ErrorCode::kFenced:
      return "TABLE_MOVED";
    case ErrorCode::kRulesChanged:
      return "RULES_CHANGED";
    case ErrorCode::kCorrupt:
      return "CORRUPT";
    case ErrorCode::kInternal:
      break;
  }
  return "INTERNAL";
}

using Fields = google::protobuf::UnknownFieldSet;

std::string encoded(const Fields& message) {
  std::string bytes;
  message.SerializeToString(&bytes);
  return bytes;
}

/// A detail in a google.rpc.Status: of the package google.rpc, written without its .proto.
void add_detail(Fields& status, const std::string& type, const Fields& detail) {
  Fields any;
  any.AddLengthDelimited(1, "type.googleapis.com/google.rpc." + type);
  any.AddLengthDelimited(2, encoded(detail));
  status.AddLengthDelimited(3, encoded(any));
}

/// The details are a google.rpc.Status with a google.rpc.ErrorInfo.
grpc::Status status_of(grpc::StatusCode code, std::string_view reason,
                       const std::string& sentence) {
  Fields info;
  info.AddLengthDelimited(1, std::string(reason));
  info.AddLengthDelimited(2, "tesela");  // the domain
  Fields status;
  status.AddVarint(1, static_cast<std::uint64_t>(code));
  status.AddLengthDelimited(2, sentence);
  add_detail(status, "ErrorInfo", info);
  return {code, sentence, encoded(status)};
}

}  // namespace

grpc::StatusCode to_status_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return grpc::StatusCode::INVALID_ARGUMENT;
    case ErrorCode::kUnauthenticated:
    case ErrorCode::kSessionEnded:
      return grpc::StatusCode::UNAUTHENTICATED;
    case ErrorCode::kNotFound:
      return grpc::StatusCode::NOT_FOUND;
    case ErrorCode::kNotSeated:
    case ErrorCode::kPermissionDenied:
    case ErrorCode::kSuspended:
    case ErrorCode::kBanned:
    case ErrorCode::kPaused:
    case ErrorCode::kInviteNeeded:
    case ErrorCode::kNoSpectators:
      return grpc::StatusCode::PERMISSION_DENIED;
    case ErrorCode::kAlreadyTried:
    case ErrorCode::kAlreadyOffered:
    case ErrorCode::kTaken:
      return grpc::StatusCode::ALREADY_EXISTS;
    case ErrorCode::kNotYourTurn:
    case ErrorCode::kLastCredential:
    case ErrorCode::kTooSoon:
    case ErrorCode::kIllegalMove:
    case ErrorCode::kGameOver:
    case ErrorCode::kNotStarted:
    case ErrorCode::kNotShownYet:
    case ErrorCode::kSeatTaken:
    case ErrorCode::kNotOver:
    case ErrorCode::kNotPractice:
    case ErrorCode::kStarted:
    case ErrorCode::kRulesChanged:
      return grpc::StatusCode::FAILED_PRECONDITION;
    case ErrorCode::kTimeOver:
    case ErrorCode::kStale:
    case ErrorCode::kFenced:
      return grpc::StatusCode::ABORTED;
    case ErrorCode::kResourceExhausted:
      return grpc::StatusCode::RESOURCE_EXHAUSTED;
    case ErrorCode::kUnavailable:
      return grpc::StatusCode::UNAVAILABLE;
    case ErrorCode::kCorrupt:
      return grpc::StatusCode::DATA_LOSS;
    case ErrorCode::kInternal:
      break;
  }
  return grpc::StatusCode::INTERNAL;
}

std::optional<ErrorCode> error_code_of(std::string_view reason) {
  for (int number = 0; number <= static_cast<int>(ErrorCode::kInternal); ++number) {
    const auto code = static_cast<ErrorCode>(number);
    if (reason_of(code) == reason) return code;
  }
  return std::nullopt;
}

grpc::Status to_status(const Error& error) {
  return status_of(to_status_code(error.code), reason_of(error.code), error.message);
}

grpc::Status with_request(const grpc::Status& status, const std::string& request_id) {
  if (status.error_details().empty()) return status;
  Fields info;
  info.AddLengthDelimited(1, request_id);
  Fields more;
  add_detail(more, "RequestInfo", info);
  // Messages that are written one behind the other are one message with the fields of both.
  return {status.error_code(), status.error_message(), status.error_details() + encoded(more)};
}

grpc::Status unimplemented(const std::string& sentence) {
  return status_of(grpc::StatusCode::UNIMPLEMENTED, "UNIMPLEMENTED", sentence);
}

grpc::Status no_such_method(std::string_view path) {
  path.remove_prefix(path.starts_with('/') ? 1 : 0);
  return unimplemented("There is no method " + std::string(path) + ".");
}

grpc::Status deadline_exceeded(const std::string& sentence) {
  return status_of(grpc::StatusCode::DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED", sentence);
}

}  // namespace tesela::rpc
