#include "server/quota/networks.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <span>
#include <utility>

namespace tesela::quota {
namespace {

namespace ip = boost::asio::ip;

bool same_bits(std::span<const unsigned char> a, std::span<const unsigned char> b, unsigned bits) {
  for (std::size_t i = 0; bits > 0; ++i) {
    const unsigned here = std::min(bits, 8U);
    if (((a[i] ^ b[i]) >> (8U - here)) != 0) return false;
    bits -= here;
  }
  return true;
}

std::unexpected<Error> not_a_network(std::string_view text) {
  return refuse(ErrorCode::kInvalidArgument,
                "\"" + std::string{text} +
                    "\" is not a network; write an IP address, or one with the length of its "
                    "prefix such as 10.0.0.0/8, several of them with commas between, or none.");
}

}  // namespace

ip::address first_of(const ip::address_v6& address, unsigned prefix) {
  auto bytes = address.to_bytes();
  constexpr unsigned kByte = 8;  // all prefixes of kCountedNetworks are whole bytes
  std::fill(bytes.begin() + prefix / kByte, bytes.end(), 0);
  return ip::address_v6{bytes};
}

ip::address plain_address(const ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return ip::make_address_v4(ip::v4_mapped, address.to_v6());
  }
  return address;
}

Expected<Networks> Networks::parse(std::string_view text) {
  Networks networks;
  if (text == "none") return networks;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view one = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    const std::size_t slash = one.find('/');
    boost::system::error_code error;
    Network network{.base = ip::make_address(one.substr(0, slash), error)};
    if (error) return not_a_network(one);
    const unsigned bits = network.base.is_v4() ? 32 : 128;
    network.prefix = bits;
    if (slash != std::string_view::npos) {
      const std::string_view length = one.substr(slash + 1);
      const auto [end, fault] =
          std::from_chars(length.data(), length.data() + length.size(), network.prefix);
      if (fault != std::errc{} || end != length.data() + length.size() || network.prefix > bits) {
        return not_a_network(one);
      }
    }
    networks.networks_.push_back(std::move(network));
  }
  return networks;
}

bool Networks::contains(const ip::address& address) const {
  const ip::address plain = plain_address(address);
  for (const auto& [base, prefix] : networks_) {
    if (base.is_v4() != plain.is_v4()) continue;
    if (plain.is_v4() && same_bits(base.to_v4().to_bytes(), plain.to_v4().to_bytes(), prefix)) {
      return true;
    }
    if (plain.is_v6() && same_bits(base.to_v6().to_bytes(), plain.to_v6().to_bytes(), prefix)) {
      return true;
    }
  }
  return false;
}

}  // namespace tesela::quota
