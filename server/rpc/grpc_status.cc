#include "server/rpc/grpc_status.h"

#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace tesela::rpc {
namespace {

struct ErrorRow {
  ErrorCode code;
  std::string_view reason;
  grpc::StatusCode status;
};

// By the number of ErrorCode.
constexpr auto kErrors = std::to_array<ErrorRow>({
    {ErrorCode::kInvalidArgument, "INVALID_ARGUMENT", grpc::INVALID_ARGUMENT},
    {ErrorCode::kUnauthenticated, "UNAUTHENTICATED", grpc::UNAUTHENTICATED},
    {ErrorCode::kSessionEnded, "SESSION_ENDED", grpc::UNAUTHENTICATED},
    {ErrorCode::kNotFound, "NOT_FOUND", grpc::NOT_FOUND},
    {ErrorCode::kNotSeated, "NOT_SEATED", grpc::PERMISSION_DENIED},
    {ErrorCode::kNotYourTurn, "NOT_YOUR_TURN", grpc::FAILED_PRECONDITION},
    {ErrorCode::kIllegalMove, "ILLEGAL_MOVE", grpc::FAILED_PRECONDITION},
    {ErrorCode::kGameOver, "GAME_OVER", grpc::FAILED_PRECONDITION},
    {ErrorCode::kNotStarted, "NOT_STARTED", grpc::FAILED_PRECONDITION},
    {ErrorCode::kSeatTaken, "SEAT_TAKEN", grpc::FAILED_PRECONDITION},
    {ErrorCode::kAlreadyTried, "ALREADY_TRIED", grpc::ALREADY_EXISTS},
    {ErrorCode::kAlreadyOffered, "ALREADY_OFFERED", grpc::ALREADY_EXISTS},
    {ErrorCode::kTaken, "TAKEN", grpc::ALREADY_EXISTS},
    {ErrorCode::kLastCredential, "LAST_CREDENTIAL", grpc::FAILED_PRECONDITION},
    {ErrorCode::kTooSoon, "TOO_SOON", grpc::FAILED_PRECONDITION},
    {ErrorCode::kNotShownYet, "NOT_SHOWN_YET", grpc::FAILED_PRECONDITION},
    {ErrorCode::kNotOver, "NOT_OVER", grpc::FAILED_PRECONDITION},
    {ErrorCode::kStarted, "STARTED", grpc::FAILED_PRECONDITION},
    {ErrorCode::kPermissionDenied, "PERMISSION_DENIED", grpc::PERMISSION_DENIED},
    {ErrorCode::kSuspended, "SUSPENDED", grpc::PERMISSION_DENIED},
    {ErrorCode::kBanned, "BANNED", grpc::PERMISSION_DENIED},
    {ErrorCode::kPaused, "PAUSED", grpc::PERMISSION_DENIED},
    {ErrorCode::kTimeOver, "TIME_OVER", grpc::ABORTED},
    {ErrorCode::kInviteNeeded, "INVITE_NEEDED", grpc::PERMISSION_DENIED},
    {ErrorCode::kNoSpectators, "NO_SPECTATORS", grpc::PERMISSION_DENIED},
    {ErrorCode::kNotPractice, "NOT_PRACTICE", grpc::FAILED_PRECONDITION},
    {ErrorCode::kStale, "STALE", grpc::ABORTED},
    {ErrorCode::kResourceExhausted, "RESOURCE_EXHAUSTED", grpc::RESOURCE_EXHAUSTED},
    {ErrorCode::kUnavailable, "UNAVAILABLE", grpc::UNAVAILABLE},
    {ErrorCode::kFenced, "TABLE_MOVED", grpc::ABORTED},
    {ErrorCode::kRulesChanged, "RULES_CHANGED", grpc::FAILED_PRECONDITION},
    {ErrorCode::kCorrupt, "CORRUPT", grpc::DATA_LOSS},
    {ErrorCode::kInternal, "INTERNAL", grpc::INTERNAL},
});
static_assert([] {
  std::size_t number = 0;
  for (const ErrorRow& row : kErrors) {
    if (static_cast<std::size_t>(row.code) != number++) return false;
  }
  return kErrors.back().code == ErrorCode::kInternal;
}());

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

std::optional<ErrorCode> error_code_of(std::string_view reason) {
  const auto found = std::ranges::find(kErrors, reason, &ErrorRow::reason);
  if (found == kErrors.end()) return std::nullopt;
  return found->code;
}

grpc::Status to_status(const Error& error) {
  const ErrorRow& row = kErrors.at(static_cast<std::size_t>(error.code));
  return status_of(row.status, row.reason, error.message);
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
