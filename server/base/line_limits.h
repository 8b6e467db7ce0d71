// The limits of lines that fall silent, and at the stop of a server: the form is that of limits.h.
#pragma once

#include <chrono>

namespace tesela::limits {

/// A line of a streaming call, and of the gRPC port, may acknowledge nothing for this time; nobody
/// is paired with one that is silent for ten seconds. Above: closed. For a stream of a table see
/// kPingInterval.
inline constexpr std::chrono::milliseconds kLineSilenceMax{9'000};
/// After this time without a word from the line the system asks it (keepalive), and then asks again
/// at this interval: three times before it is closed.
inline constexpr std::chrono::seconds kLineProbeAfter{4};
inline constexpr std::chrono::seconds kLineProbeInterval{2};
/// A streaming call that has nothing to tell sends a message after this time, because many proxies
/// cut connections that are silent for a minute.
inline constexpr std::chrono::seconds kStreamQuietMax{20};
/// At the stop of a server: from Goodbye to the client's close, and for what is under way on other
/// connections once no table and no call waits any more. Later: closed.
inline constexpr std::chrono::milliseconds kStopCloseTime{1000};

}  // namespace tesela::limits
