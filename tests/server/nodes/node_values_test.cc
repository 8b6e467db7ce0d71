// Addresses of nodes, the marks of relayed requests, and who is remembered as an owner.
#include <gtest/gtest.h>

#include <string>

#include "server/base/text_encoding.h"
#include "server/nodes/node_address.h"
#include "server/nodes/owner_cache.h"
#include "server/nodes/relay_headers.h"

namespace tesela::nodes {
namespace {

namespace ip = boost::asio::ip;

TEST(NodeAddresses, AreReadAsTheyAreWritten) {
  for (const NodeAddress& address : {NodeAddress{"node-1.example", 7000},
                                     NodeAddress{"10.0.0.1", 1}, NodeAddress{"fd00::1", 65535}}) {
    EXPECT_EQ(parse_node_address(to_text(address)), address) << to_text(address);
  }
  EXPECT_EQ(to_text({"fd00::1", 7000}), "node://[fd00::1]:7000");
}

TEST(NodeAddresses, AServerWithoutANodePortHasNone) {
  for (const char* text :
       {"", "machine:8080", "node://", "node://machine", "node://machine:", "node://:7000",
        "node://machine:0", "node://machine:70000", "node://machine:70x", "http://machine:7000"}) {
    EXPECT_FALSE(parse_node_address(text)) << text;
  }
}

TEST(RelayHeaders, WhatTheClientHasSetIsReplaced) {
  UpgradeRequest request;
  request.insert("Tesela-Relayed-For", "198.51.100.1");
  request.insert("tesela-relayed-for", "198.51.100.2");
  request.insert("Tesela-Node-Proof", "forged");
  request.insert("Tesela-Relay-Life", "7");
  mark(request, ip::make_address("192.0.2.7"), "proof", store::LifeId{5});
  EXPECT_TRUE(shows_proof(request, "proof"));
  EXPECT_EQ(relayed_for(request), ip::make_address("192.0.2.7"));
  EXPECT_EQ(relayed_by(request), store::LifeId{5});
}

TEST(RelayHeaders, ARequestWithoutThemIsNoServers) {
  UpgradeRequest request;
  EXPECT_FALSE(shows_proof(request, "proof"));
  EXPECT_FALSE(relayed_for(request));
  EXPECT_FALSE(relayed_by(request)) << "of a server of an earlier version";
  request.set("Tesela-Relayed-For", "somebody");
  EXPECT_FALSE(relayed_for(request));
}

TEST(RelayHeaders, AFieldThatStandsThereTwiceIsNotBelieved) {
  UpgradeRequest request;
  mark(request, ip::make_address("192.0.2.7"), "proof", store::LifeId{5});
  request.insert("Tesela-Relayed-For", "192.0.2.8");
  request.insert("Tesela-Node-Proof", "proof");
  request.insert("Tesela-Relay-Life", "6");
  EXPECT_FALSE(relayed_by(request));
  EXPECT_FALSE(shows_proof(request, "proof"));
  EXPECT_FALSE(relayed_for(request));
}

TEST(RelayHeaders, TheTableOfACallStandsThereOnceAndIsATables) {
  net::RequestHead head;
  EXPECT_FALSE(relayed_table(head));
  head.set("Tesela-Table", "no table's id");
  EXPECT_FALSE(relayed_table(head));
  head.set("Tesela-Table", base::to_text(TableId{7}));
  EXPECT_EQ(relayed_table(head), TableId{7});
  head.insert("Tesela-Table", base::to_text(TableId{8}));
  EXPECT_FALSE(relayed_table(head));
}

TEST(RelayHeaders, TheProofIsOfTheSecretAndDoesNotShowIt) {
  const std::string secret(32, 's');
  EXPECT_EQ(proof_of(secret), proof_of(secret));
  EXPECT_NE(proof_of(secret), proof_of(std::string(32, 't')));
  EXPECT_EQ(proof_of(secret).find(secret), std::string::npos);
}

RemoteOwner life_at(const char* host) {
  return {.life = store::LifeId{2}, .address = {.host = host, .port = 1}};
}

TEST(OwnerCache, RemembersUntilItForgets) {
  OwnerCache owners{10};
  EXPECT_FALSE(owners.find(TableId{1}));
  owners.put(TableId{1}, life_at("a"));
  owners.put(TableId{1}, life_at("b"));
  EXPECT_EQ(owners.find(TableId{1}), life_at("b"));
  owners.forget(TableId{1});
  EXPECT_FALSE(owners.find(TableId{1}));
}

TEST(OwnerCache, IsBounded) {
  OwnerCache owners{3};
  for (std::uint64_t table = 1; table <= 10; ++table) {
    owners.put(TableId{table}, life_at("a"));
    EXPECT_EQ(owners.find(TableId{table}), life_at("a"));
  }
  EXPECT_EQ(owners.size(), 3U);
  owners.put(TableId{10}, life_at("b"));
  EXPECT_EQ(owners.size(), 3U);
}

}  // namespace
}  // namespace tesela::nodes
