// Limits of what players are told while they are away, as those in base/limits.h.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tesela::limits {

/// Bytes of a device's endpoint. Above: INVALID_ARGUMENT.
inline constexpr std::size_t kEndpointBytesMax = 1024;
/// Bytes of the name of a time zone. Above: INVALID_ARGUMENT.
inline constexpr std::size_t kTimeZoneBytesMax = 64;
/// Notices that wait to be stored. Above: the newest are dropped.
inline constexpr std::size_t kNoticesToStoreMax = 10'000;
/// Notices that are stored in one transaction. Others follow.
inline constexpr std::size_t kNoticesStoredTogether = 100;
/// How often a server looks for notices that are due.
inline constexpr std::chrono::milliseconds kNoticeInterval = std::chrono::seconds{1};
/// Notices that a server sends at once. Others wait.
inline constexpr std::size_t kNoticesAtOnce = 32;
/// When another server may send a notice that one has taken and not finished: more than clocks may
/// be apart.
inline constexpr std::chrono::milliseconds kNoticeLease = std::chrono::seconds{90};
/// How often a notice is sent that nobody accepts. The pause after the first try, which grows by
/// the factor after each.
inline constexpr std::int64_t kNoticeTriesMax = 8;
inline constexpr std::chrono::milliseconds kNoticePause = std::chrono::seconds{2};
inline constexpr std::int64_t kNoticePauseGrowth = 4;
/// How long a push service may keep the proof of who the server is (RFC 8292: at most a day).
inline constexpr std::chrono::seconds kVapidTime = std::chrono::hours{12};

}  // namespace tesela::limits
