// Addresses that the server asks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tesela::fetch {

/// An absolute URL without user, password and fragment: of https, or of http on this machine alone
/// (localhost, 127.0.0.1, [::1]).
struct Url {
  bool tls{};
  std::string host;    // a name or an address, lower case, without the brackets of IPv6
  std::string port;    // "443" and "80" where none is written
  std::string target;  // path and query; at least "/"

  /// Empty for anything else.
  [[nodiscard]] static std::optional<Url> parse(std::string_view text);
  /// The same, and http to any host: of what the operator has in a network of their own.
  [[nodiscard]] static std::optional<Url> parse_inside(std::string_view text);

  /// Of the header Host.
  [[nodiscard]] std::string authority() const;
};

}  // namespace tesela::fetch
