// Where a page of tables ended, as clients hand it back: opaque text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/store/store.h"

namespace tesela::lobby {

[[nodiscard]] std::string to_page_token(const store::TableCursor& cursor);

/// Empty for anything that to_page_token never gives.
[[nodiscard]] std::optional<store::TableCursor> parse_page_token(std::string_view token);

}  // namespace tesela::lobby
