// Sets of IP addresses, as operators write them.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace tesela::quota {

/// Immutable: any thread.
class Networks {
 public:
  /// Networks and addresses with commas between, such as "10.0.0.0/8,::1"; "none" is the empty set.
  /// Errors: kInvalidArgument.
  [[nodiscard]] static Expected<Networks> parse(std::string_view text);

  /// An IPv4 address that is written as one of IPv6 is the IPv4 address.
  [[nodiscard]] bool contains(const boost::asio::ip::address& address) const;

 private:
  struct Network {
    boost::asio::ip::address base;
    unsigned prefix{};  // bits that an address must share with it
  };

  std::vector<Network> networks_;
};

/// The address without the clothes of an IPv4 address on an IPv6 socket.
[[nodiscard]] boost::asio::ip::address plain_address(const boost::asio::ip::address& address);

}  // namespace tesela::quota
