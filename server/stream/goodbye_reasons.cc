#include "server/stream/goodbye_reasons.h"

#include "server/base/limits.h"

namespace tesela::stream {

using CloseCode = boost::beast::websocket::close_code;
using codec::Reason;

CloseCode close_code_of(Reason reason) {
  switch (reason) {
    case Reason::kTooLarge:
      return CloseCode::too_big;
    case Reason::kServerRestart:
      return CloseCode::service_restart;
    case Reason::kInternal:
      return CloseCode::internal_error;
    case Reason::kBusy:
    case Reason::kSlowReader:
    case Reason::kStoreUnavailable:
    case Reason::kTableMoved:
    case Reason::kTooManyConnections:
      return CloseCode::try_again_later;
    default:
      return CloseCode::policy_error;
  }
}

bool worth_coming_back(Reason reason) {
  switch (reason) {
    case Reason::kRateLimited:
    case Reason::kBusy:
    case Reason::kSlowReader:
    case Reason::kServerRestart:
    case Reason::kStoreUnavailable:
    case Reason::kTableMoved:
    case Reason::kTooManyConnections:
      return true;
    default:
      return false;
  }
}

std::uint32_t pause_before_coming_back(Reason reason) {
  switch (reason) {
    case Reason::kServerRestart:
      return limits::kReconnectAfterRestartMs;
    case Reason::kStoreUnavailable:
      return static_cast<std::uint32_t>(limits::kStoreProbeInterval.count());
    case Reason::kRateLimited:
    case Reason::kTooManyConnections:
      return limits::kReconnectLaterMs;
    default:
      return limits::kReconnectSoonMs;
  }
}

bool is_penalized(Reason reason) {
  switch (reason) {
    case Reason::kRateLimited:
    case Reason::kTooLarge:
    case Reason::kMalformed:
    case Reason::kHelloExpected:
    case Reason::kUnauthenticated:
    case Reason::kTableNotFound:
      return true;
    default:
      return false;
  }
}

}  // namespace tesela::stream
