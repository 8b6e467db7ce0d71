// When a player wants to be told nothing. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "server/store/notices.h"

namespace tesela::push {

/// Whether ICU knows a time zone of this name.
[[nodiscard]] bool is_time_zone(const std::string& name);

/// The end of the quiet hours in which the time is; empty: it is in none. Both are Unix time.
[[nodiscard]] std::optional<std::int64_t> quiet_until_ms(const store::QuietHours& quiet,
                                                         std::int64_t now_ms);

}  // namespace tesela::push
