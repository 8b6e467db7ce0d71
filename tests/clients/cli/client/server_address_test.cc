#include "clients/cli/client/server_address.h"

#include <gtest/gtest.h>

namespace tesela::cli {
namespace {

ServerAddress address(std::string host, std::uint16_t port, bool tls = false) {
  return {std::move(host), port, tls};
}

TEST(ServerAddress, WithoutAPortItIs8080) {
  EXPECT_EQ(parse_server_address("example.org"), address("example.org", 8080));
  EXPECT_EQ(parse_server_address("[::1]"), address("::1", 8080));
}

TEST(ServerAddress, ReadsAPort) {
  EXPECT_EQ(parse_server_address("127.0.0.1:9000"), address("127.0.0.1", 9000));
  EXPECT_EQ(parse_server_address("[::1]:9000"), address("::1", 9000));
}

TEST(ServerAddress, TheSchemeSaysWhetherItIsTls) {
  EXPECT_EQ(parse_server_address("https://example.org"), address("example.org", 443, true));
  EXPECT_EQ(parse_server_address("https://example.org:8080"), address("example.org", 8080, true));
  EXPECT_EQ(parse_server_address("http://[::1]:9000"), address("::1", 9000));
}

TEST(ServerAddress, ASlashAtTheEndIsNoPath) {
  EXPECT_EQ(parse_server_address("http://localhost:9000/"), address("localhost", 9000));
  EXPECT_EQ(parse_server_address("https://example.org/"), address("example.org", 443, true));
}

TEST(ServerAddress, IsWrittenAsItIsRead) {
  for (const std::string text : {"localhost:8080", "[fe80::1]:65535"}) {
    EXPECT_EQ(to_text(*parse_server_address(text)), text);
  }
}

TEST(ServerAddress, RefusesWhatIsNoneAndQuotesIt) {
  for (const std::string text :
       {"", ":80", "host:", "host:0", "host:65536", "host:80x", "[::1", "::1", "ftp://host",
        "https://", "https://host/path", "http://host//", "/", "[]:80", "[::1]x", "a b:80"}) {
    const auto parsed = parse_server_address(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(parsed.error().message.find("'" + text + "'"), std::string::npos);
  }
}

}  // namespace
}  // namespace tesela::cli
