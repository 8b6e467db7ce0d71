// Values of request headers (RFC 9110, 5 and 8): one value of several lines, elements of lists,
// media types. Lists of tokens are read by Beast's token_list and ext_list.
#pragma once

#include <boost/beast/http/fields.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tesela::net {

/// Makes one line of all lines of a header, with commas between: what a list means (5.3), and what
/// no other header can be. A line that says the same again adds nothing. Those that say where a
/// request ends and whom it is for stay as they are (framing_fault, names_its_host).
void join_lines(boost::beast::http::fields& headers);

/// The elements of a list (5.6.1), without the space around them. Empty ones do not count.
[[nodiscard]] std::vector<std::string_view> elements_of(std::string_view list);

/// A media type (8.3.1), or one of Accept (12.5.1), with the parameters that are read here. The
/// case of its letters means nothing.
struct MediaType {
  std::string_view name;  // "application/json"
  std::string charset{};  // empty: none
  double weight{1};       // 0: not acceptable
};
/// Empty: it is none.
[[nodiscard]] std::optional<MediaType> parse_media_type(std::string_view value);

}  // namespace tesela::net
