// X-Forwarded-For: what proxies say of whom they speak for.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string_view>

namespace tesela::quota {

/// Takes the last entry that is not empty from the list. Empty: there is none.
[[nodiscard]] std::optional<std::string_view> last_forwarded(std::string_view& all);

/// The address of an entry: 192.0.2.1, 192.0.2.1:4000, 2001:db8::1, [2001:db8::1] and
/// [2001:db8::1]:4000. Empty: it is none of these.
[[nodiscard]] std::optional<boost::asio::ip::address> forwarded_address(std::string_view entry);

}  // namespace tesela::quota
