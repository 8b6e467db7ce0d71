#include "server/quota/networks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tesela::ops {
namespace {

using boost::asio::ip::make_address;

bool holds(const char* networks, const char* address) {
  return quota::Networks::parse(networks).value().contains(make_address(address));
}

TEST(Networks, AnAddressIsANetworkOfOne) {
  EXPECT_TRUE(holds("192.0.2.1", "192.0.2.1"));
  EXPECT_FALSE(holds("192.0.2.1", "192.0.2.2"));
  EXPECT_TRUE(holds("::1", "::1"));
}

TEST(Networks, PrefixesNeedNotEndAtBytes) {
  EXPECT_TRUE(holds("172.16.0.0/12", "172.31.255.255"));
  EXPECT_FALSE(holds("172.16.0.0/12", "172.32.0.0"));
  EXPECT_TRUE(holds("2001:db8::/33", "2001:db8:7fff::1"));
  EXPECT_FALSE(holds("2001:db8::/33", "2001:db8:8000::1"));
  EXPECT_TRUE(holds("0.0.0.0/0", "198.51.100.1"));
  EXPECT_FALSE(holds("0.0.0.0/0", "::1"));
}

TEST(Networks, AnIpv4AddressOnAnIpv6SocketIsOneOfIpv4) {
  EXPECT_TRUE(holds("10.0.0.0/8", "::ffff:10.1.2.3"));
  EXPECT_FALSE(holds("::/0", "::ffff:10.1.2.3"));
}

TEST(Networks, SeveralStandWithCommasBetween) {
  EXPECT_TRUE(holds("127.0.0.0/8,::1", "127.3.2.1"));
  EXPECT_TRUE(holds("127.0.0.0/8,::1", "::1"));
  EXPECT_FALSE(holds("none", "127.0.0.1"));
}

TEST(Networks, WhatIsNoneIsRefusedInASentence) {
  for (const char* text : {"example.org", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8x", "::1/129",
                           "10.0.0.1,,", "10.0.0.1, 10.0.0.2"}) {
    const auto networks = quota::Networks::parse(text);
    ASSERT_FALSE(networks) << text;
    EXPECT_THAT(networks.error().message, testing::HasSubstr("is not a network; write")) << text;
  }
}

}  // namespace
}  // namespace tesela::ops
