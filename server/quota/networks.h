// Sets of IP addresses in an operator's notation.
#pragma once

#include <array>
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

  /// An IPv4-mapped IPv6 address is treated as the IPv4 address.
  [[nodiscard]] bool contains(const boost::asio::ip::address& address) const;

 private:
  struct Network {
    boost::asio::ip::address base;
    unsigned prefix{};  // leading bits that an address must share
  };

  std::vector<Network> networks_;
};

/// A network of IPv6 whose addresses share a quota, and how many times that of one address it is.
/// One client usually has a whole /64; on request providers give a /56 or a /48.
struct CountedNetwork {
  unsigned prefix;
  unsigned times;
};
inline constexpr std::array<CountedNetwork, 3> kCountedNetworks{{{48, 4}, {56, 2}, {64, 1}}};

/// The first address of the network of IPv6.
[[nodiscard]] boost::asio::ip::address first_of(const boost::asio::ip::address_v6& address,
                                                unsigned prefix);

/// The IPv4 address of an IPv4-mapped IPv6 address; any other address unchanged.
[[nodiscard]] boost::asio::ip::address plain_address(const boost::asio::ip::address& address);

}  // namespace tesela::quota
