#include "server/stream/goodbye_reasons.h"

#include <cstdint>

#include "server/base/limits.h"
#include "server/directory/hand_over.h"

namespace tesela::stream {

using CloseCode = boost::beast::websocket::close_code;
using codec::Reason;

namespace {

/// Whether the client may succeed later with the same frames.
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

/// How long it should wait before it does, in milliseconds.
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

}  // namespace

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

Reason reason_at_table(const Error& error, bool loaded, bool closing) {
  // Another server has it, or is to take it.
  if (!loaded && directory::HandOver::is_elsewhere(error)) return Reason::kTableMoved;
  if (closing) return Reason::kServerRestart;
  // A table that is loaded and refuses is busy, not the store.
  if (error.code == (loaded ? ErrorCode::kUnavailable : ErrorCode::kResourceExhausted)) {
    return Reason::kBusy;
  }
  return codec::reason_of(error.code);
}

codec::FramePtr goodbye_for(Reason reason, std::string_view sentence) {
  const bool reconnect = worth_coming_back(reason);
  const std::uint32_t after_ms = reconnect ? pause_before_coming_back(reason) : 0;
  return codec::goodbye_frame(reason, sentence, reconnect, after_ms);
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
