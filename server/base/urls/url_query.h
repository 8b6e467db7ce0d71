// Texts in URLs (RFC 3986), and the fields of a query.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tesela::base {

/// What is no letter, digit, "-", ".", "_" or "~" becomes %XX.
[[nodiscard]] std::string percent_encoded(std::string_view text);

/// The names and values of a query ("a=1&b=2"), in its order: %XX of a value is a byte, and "+" a
/// space. Empty: no two hexadecimal digits follow a "%". Not by Boost.URL 1.81, whose last value
/// goes on to the next zero byte.
[[nodiscard]] std::optional<std::vector<std::pair<std::string_view, std::string>>> query_fields(
    std::string_view query);

}  // namespace tesela::base
