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
    case ErrorCode::kNotShownYet:
      return "NOT_SHOWN_YET";
    case ErrorCode::kNotOver:
      return "NOT_OVER";
    case ErrorCode::kStarted:
      return "STARTED";
    case ErrorCode::kPermissionDenied:
      return "PERMISSION_DENIED";
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

/// The details are a google.rpc.Status with a google.rpc.ErrorInfo, written without their .proto.
grpc::Status status_of(grpc::StatusCode code, std::string_view reason,
                       const std::string& sentence) {
  Fields info;
  info.AddLengthDelimited(1, std::string(reason));
  info.AddLengthDelimited(2, "tesela");  // the domain
  Fields any;
  any.AddLengthDelimited(1, "type.googleapis.com/google.rpc.ErrorInfo");
  any.AddLengthDelimited(2, encoded(info));
  Fields status;
  status.AddVarint(1, static_cast<std::uint64_t>(code));
  status.AddLengthDelimited(2, sentence);
  status.AddLengthDelimited(3, encoded(any));
  return {code, sentence, encoded(status)};
}

}  // namespace

grpc::StatusCode to_status_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return grpc::StatusCode::INVALID_ARGUMENT;
    case ErrorCode::kUnauthenticated:
      return grpc::StatusCode::UNAUTHENTICATED;
    case ErrorCode::kNotFound:
      return grpc::StatusCode::NOT_FOUND;
    case ErrorCode::kNotSeated:
    case ErrorCode::kPermissionDenied:
    case ErrorCode::kInviteNeeded:
    case ErrorCode::kNoSpectators:
      return grpc::StatusCode::PERMISSION_DENIED;
    case ErrorCode::kAlreadyTried:
    case ErrorCode::kAlreadyOffered:
      return grpc::StatusCode::ALREADY_EXISTS;
    case ErrorCode::kNotYourTurn:
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
