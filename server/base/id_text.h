// Ids as people and URLs see them: 13 characters of Crockford's base 32, lower case.
// Source: https://www.crockford.com/base32.html
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/ids.h"

namespace tesela::base {

inline constexpr std::size_t kIdTextSize = 13;

[[nodiscard]] std::string to_text(TableId id);
[[nodiscard]] std::string to_text(PlayerId id);

/// Empty for anything that to_text never gives, but for upper case, which is accepted.
[[nodiscard]] std::optional<TableId> parse_table_id(std::string_view text);
[[nodiscard]] std::optional<PlayerId> parse_player_id(std::string_view text);

}  // namespace tesela::base
