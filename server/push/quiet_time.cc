#include "server/push/quiet_time.h"

#include <unicode/timezone.h>
#include <unicode/unistr.h>

#include <chrono>
#include <memory>

namespace tesela::push {
namespace {

using std::chrono::milliseconds;
constexpr std::int64_t kMinuteMs = milliseconds{std::chrono::minutes{1}}.count();
constexpr std::int64_t kMinutesOfDay = 24L * 60;

std::unique_ptr<icu::TimeZone> zone_of(const std::string& name) {
  return std::unique_ptr<icu::TimeZone>(
      icu::TimeZone::createTimeZone(icu::UnicodeString::fromUTF8(name)));
}

}  // namespace

bool is_time_zone(const std::string& name) {
  return *zone_of(name) != icu::TimeZone::getUnknown();
}

std::optional<std::int64_t> quiet_until_ms(const store::QuietHours& quiet, std::int64_t now_ms) {
  if (quiet.time_zone.empty()) return std::nullopt;
  std::int32_t standard_ms = 0;
  std::int32_t summer_ms = 0;
  UErrorCode status = U_ZERO_ERROR;
  zone_of(quiet.time_zone)
      ->getOffset(static_cast<UDate>(now_ms), 0, standard_ms, summer_ms, status);
  if (U_FAILURE(status)) return std::nullopt;
  const std::int64_t minutes = (now_ms + standard_ms + summer_ms) / kMinuteMs;
  const std::int64_t now = minutes % kMinutesOfDay;
  const auto after = [](std::int64_t from, std::int64_t to) {
    return (to - from + kMinutesOfDay) % kMinutesOfDay;
  };
  if (after(quiet.from_minute, now) >= after(quiet.from_minute, quiet.to_minute)) {
    return std::nullopt;
  }
  return now_ms - now_ms % kMinuteMs + after(now, quiet.to_minute) * kMinuteMs;
}

}  // namespace tesela::push
