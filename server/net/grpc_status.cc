#include "server/net/grpc_status.h"

namespace tesela::net {

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
    case ErrorCode::kStarted:
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

grpc::Status to_status(const Error& error) {
  return {to_status_code(error.code), error.message};
}

}  // namespace tesela::net
