#include "server/ops/config.h"

#include <gtest/gtest.h>

#include <array>
#include <boost/asio/ip/address.hpp>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "server/base/printing/version.h"
#include "tests/server/ops/read.h"

namespace tesela::ops {
namespace {

using namespace std::chrono_literals;

std::set<std::string> flags_in(const std::string& text, const char* pattern) {
  std::set<std::string> flags;
  const std::regex flag{pattern};
  for (std::sregex_iterator at{text.begin(), text.end(), flag}; at != std::sregex_iterator{};
       ++at) {
    flags.insert((*at)[1]);
  }
  return flags;
}

TEST(Config, WithoutOptionsTheDefaultsHold) {
  const auto config = read({});
  ASSERT_TRUE(config);
  EXPECT_EQ(config->data, "data");
  EXPECT_TRUE(config->database.empty());
  EXPECT_EQ(config->store_wait, 15s);
  EXPECT_EQ(config->http.port, 8080);
  EXPECT_EQ(config->grpc.port, 9090);
  EXPECT_GE(config->threads, 1U);
  EXPECT_EQ(config->stop_timeout, 10s);
  EXPECT_EQ(config->token_ttl, 24h * 30);
  EXPECT_FALSE(config->token_secret_file);
  EXPECT_TRUE(config->allowed_origins.empty());
}

TEST(Config, EveryOptionIsTaken) {
  const auto config = read({"--data",
                            "/srv/tesela",
                            "--database",
                            "/run/secrets/database",
                            "--store-wait",
                            "7s",
                            "--http-address",
                            "127.0.0.1",
                            "--http-port",
                            "0",
                            "--grpc-address",
                            "::1",
                            "--grpc-port=65535",
                            "--threads",
                            "3",
                            "--bot-threads",
                            "2",
                            "--bot-think",
                            "1s",
                            "--bot-pace",
                            "0ms",
                            "--bot-pace-alone",
                            "2s",
                            "--come-within",
                            "6s",
                            "--claim-after",
                            "5s",
                            "--rate-bots",
                            "yes",
                            "--bot-answer",
                            "3s",
                            "--table-idle",
                            "2m",
                            "--keep-games",
                            "10d",
                            "--keep-guests",
                            "0s",
                            "--ping-interval",
                            "500ms",
                            "--frame-rate",
                            "0",
                            "--connections-max",
                            "7",
                            "--ops-address",
                            "0.0.0.0",
                            "--ops-port",
                            "9100",
                            "--node-port",
                            "7000",
                            "--node-address",
                            "10.0.0.1",
                            "--node-name",
                            "node-1.example",
                            "--node-secret-file",
                            "node.key",
                            "--tls-certificate-file",
                            "server.crt",
                            "--tls-key-file",
                            "server.key",
                            "--connections-per-address",
                            "11",
                            "--streams-per-player",
                            "12",
                            "--live-tables-per-player",
                            "17",
                            "--live-tables-per-address",
                            "18",
                            "--shared-frame-rate",
                            "13",
                            "--sign-in-rate",
                            "14",
                            "--table-rate",
                            "15",
                            "--request-rate",
                            "0",
                            "--connect-rate",
                            "16",
                            "--trusted-proxies",
                            "10.0.0.0/8",
                            "--exempt-addresses",
                            "none",
                            "--hosts",
                            "play.example.org",
                            "--allowed-origins",
                            "https://a.example,https://b.example:8443",
                            "--account-origin",
                            "https://play.example:8443",
                            "--token-secret-file",
                            "key",
                            "--token-ttl",
                            "1h",
                            "--issuer-key-file",
                            "issuer.pem",
                            "--issuer-name",
                            "https://id.example",
                            "--issuer-audience",
                            "tesela",
                            "--oidc-issuer",
                            "https://id.example/realms/play",
                            "--oidc-client-id",
                            "tesela-server",
                            "--oidc-client-secret-file",
                            "oidc.secret",
                            "--oidc-label",
                            "Example",
                            "--push-hosts",
                            "push.example",
                            "--webhook-url",
                            "https://hook.example/told",
                            "--webhook-secret-file",
                            "webhook.secret",
                            "--stop-timeout",
                            "3s",
                            "--log-level",
                            "debug",
                            "--log-format",
                            "json"});
  ASSERT_TRUE(config) << config.error().text;
  EXPECT_EQ(config->data, "/srv/tesela");
  EXPECT_EQ(config->database, "/run/secrets/database");
  EXPECT_EQ(config->store_wait, 7s);
  EXPECT_EQ(config->http.address, "127.0.0.1");
  EXPECT_EQ(config->http.port, 0);
  EXPECT_EQ(config->grpc.address, "::1");
  EXPECT_EQ(config->grpc.port, 65535);
  EXPECT_EQ(config->threads, 3U);
  EXPECT_EQ(config->bot_threads, 2U);
  EXPECT_EQ(config->bot_think, 1s);
  EXPECT_EQ(config->bot_pace, 0ms);
  EXPECT_EQ(config->bot_pace_alone, 2s);
  EXPECT_EQ(config->claim_after, 5s);
  EXPECT_EQ(config->come_within, 6s);
  EXPECT_TRUE(config->rate_bots);
  EXPECT_EQ(config->bot_answer, 3s);
  EXPECT_EQ(config->table_idle, 2min);
  EXPECT_EQ(config->keep_games, 24h * 10);
  EXPECT_EQ(config->keep_guests, 0s);
  EXPECT_EQ(config->ping_interval, 500ms);
  EXPECT_EQ(config->frame_rate, 0U);
  EXPECT_EQ(config->connections_max, 7U);
  EXPECT_EQ(config->ops_address, "0.0.0.0");
  EXPECT_EQ(config->ops_port, 9100);
  EXPECT_EQ(config->node.port, 7000);
  EXPECT_EQ(config->node.address, "10.0.0.1");
  EXPECT_EQ(config->node_name, "node-1.example");
  EXPECT_EQ(config->node_secret_file, "node.key");
  EXPECT_EQ(config->tls_certificate_file, "server.crt");
  EXPECT_EQ(config->tls_key_file, "server.key");
  EXPECT_EQ(config->connections_per_address, 11U);
  EXPECT_EQ(config->streams_per_player, 12U);
  EXPECT_EQ(config->live_tables_per_player, 17U);
  EXPECT_EQ(config->live_tables_per_address, 18U);
  EXPECT_EQ(config->shared_frame_rate, 13U);
  EXPECT_EQ(config->sign_in_rate, 14U);
  EXPECT_EQ(config->table_rate, 15U);
  EXPECT_EQ(config->request_rate, 0U);
  EXPECT_EQ(config->connect_rate, 16U);
  EXPECT_TRUE(config->hosts.admits("play.example.org"));
  EXPECT_FALSE(config->hosts.admits("rebound.example"));
  EXPECT_TRUE(config->trusted_proxies.contains(boost::asio::ip::make_address("10.9.8.7")));
  EXPECT_FALSE(config->exempt_addresses.contains(boost::asio::ip::make_address("127.0.0.1")));
  EXPECT_EQ(config->allowed_origins,
            (std::vector<std::string>{"https://a.example", "https://b.example:8443"}));
  EXPECT_EQ(config->account_origin, "https://play.example:8443");
  EXPECT_EQ(config->token_secret_file, "key");
  EXPECT_EQ(config->token_ttl, 1h);
  EXPECT_EQ(config->issuer_key_file, "issuer.pem");
  EXPECT_EQ(config->issuer_name, "https://id.example");
  EXPECT_EQ(config->issuer_audience, "tesela");
  EXPECT_EQ(config->oidc_issuer, "https://id.example/realms/play");
  EXPECT_EQ(config->oidc_client_id, "tesela-server");
  EXPECT_EQ(config->oidc_client_secret_file, "oidc.secret");
  EXPECT_EQ(config->oidc_label, "Example");
  EXPECT_TRUE(config->push_hosts.at("https://push.example/1"));
  EXPECT_EQ(config->webhook_url, "https://hook.example/told");
  EXPECT_EQ(config->webhook_secret_file, "webhook.secret");
  EXPECT_EQ(config->stop_timeout, 3s);
  EXPECT_EQ(config->log_level, spdlog::level::debug);
  EXPECT_EQ(config->log_format, LogFormat::kJson);
}

TEST(Config, HalfAnIssuerIsRefused) {
  for (const auto& arguments : {std::vector<const char*>{"--issuer-key-file", "issuer.pem"},
                                {"--issuer-name", "https://id.example"},
                                {"--issuer-audience", "tesela"}}) {
    const auto refused = read(arguments);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, 2);
    EXPECT_NE(refused.error().text.find("--issuer-name"), std::string::npos);
  }
}

TEST(Config, HalfAProviderIsRefused) {
  for (const auto& arguments : {std::vector<const char*>{"--oidc-issuer", "https://id.example"},
                                {"--oidc-client-id", "tesela"},
                                {"--oidc-client-secret-file", "oidc.secret"},
                                {"--oidc-label", "Example"}}) {
    const auto refused = read(arguments);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().text.find("--oidc-issuer"), std::string::npos);
  }
}

TEST(Config, HalfACertificateOrWebhookIsRefused) {
  for (const char* half : {"--tls-certificate-file", "--tls-key-file", "--webhook-secret-file"}) {
    const auto refused = read({half, "file.pem"});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, 2);
    EXPECT_NE(refused.error().text.find("belong together"), std::string::npos);
  }
}

TEST(Config, ANodePortNeedsASecretAndADatabase) {
  for (const auto& [arguments, advice] :
       {std::pair{std::vector<const char*>{"--node-port", "7000"}, "--node-secret-file"},
        {{"--node-secret-file", "node.key"}, "--node-port"},
        {{"--node-port", "7000", "--node-secret-file", "node.key"}, "--database"},
        {{"--node-name", "node-1"}, "--node-port"}}) {
    const auto refused = read(arguments);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, 2);
    EXPECT_NE(refused.error().text.find(advice), std::string::npos) << refused.error().text;
  }
}

TEST(Config, EveryBadValueIsRefusedWithItsNameAndWhatWouldBeRight) {
  struct Case {
    const char* option;
    const char* value;
    const char* advice;
  };
  const auto cases = std::to_array<Case>({
      {"--http-port", "70000", "from 0 to 65535"},
      {"--http-port", "http", "from 0 to 65535"},
      {"--grpc-port", "-1", "from 0 to 65535"},
      {"--http-address", "localhost", "127.0.0.1"},
      {"--threads", "0", "from 1 to 1024"},
      {"--connections-max", "0", "from 1 to 1000000"},
      {"--frame-rate", "many", "from 0 to 1000000"},
      {"--ops-port", "-1", "from 0 to 65535"},
      {"--ops-address", "localhost", "127.0.0.1"},
      {"--node-port", "0", "from 1 to 65535"},
      {"--node-address", "localhost", "127.0.0.1"},
      {"--node-name", "host:7000", "without a port"},
      {"--node-name", "host/", "without a port"},
      {"--trusted-proxies", "example.org", "10.0.0.0/8"},
      {"--exempt-addresses", "10.0.0.0/33", "10.0.0.0/8"},
      {"--table-idle", "60", "such as 15s"},
      {"--keep-games", "long", "long"},
      {"--ping-interval", "1ms", "at least 100ms"},
      {"--token-ttl", "0s", "at least 1s"},
      {"--hosts", "https://example.org", "without a scheme"},
      {"--hosts", "example.org:8080", "without a scheme and a port"},
      {"--allowed-origins", "example.org", "https://HOST"},
      {"--allowed-origins", "https://example.org/path", "without a path"},
      {"--account-origin", "http://play.example", "https://HOST"},
      {"--account-origin", "https://192.0.2.1:8443", "with a name"},
      {"--account-origin", "https://[2001:db8::1]", "with a name"},
      {"--account-origin", "https://play.example/path", "https://HOST"},
      {"--push-hosts", "https://push.example", "push.example,*.push.example"},
      {"--webhook-url", "http://hook.example", "https://HOST/PATH"},
      {"--log-level", "loud", "trace, debug, info, warn or error"},
      {"--log-format", "xml", "text or json"},
      {"--data", "", "DIR missing"},
      {"--token-secret-file", "", "FILE missing"},
  });
  for (const Case& bad : cases) {
    const auto refused = read({(std::string{bad.option} + "=" + bad.value).c_str()});
    ASSERT_FALSE(refused) << bad.option << " " << bad.value;
    EXPECT_EQ(refused.error().code, 2) << bad.option;
    EXPECT_NE(refused.error().text.find(bad.option), std::string::npos) << refused.error().text;
    EXPECT_NE(refused.error().text.find(bad.advice), std::string::npos) << refused.error().text;
  }
}

TEST(Config, AnUnknownOptionIsRefused) {
  const auto refused = read({"--http-prt", "1"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, 2);
  EXPECT_NE(refused.error().text.find("--http-prt"), std::string::npos);
}

TEST(Config, HelpAndVersionEndWithoutAnError) {
  const auto help = read({"--help"});
  ASSERT_FALSE(help);
  EXPECT_EQ(help.error().code, 0);
  EXPECT_NE(help.error().text.find("--http-port"), std::string::npos);
  const auto version = read({"--version"});
  ASSERT_FALSE(version);
  EXPECT_EQ(version.error().code, 0);
  EXPECT_EQ(version.error().text, "tesela-server " + std::string(base::kVersion) + "\n");
}

TEST(Config, TheTableOfTheReadmeHasExactlyTheOptionsOfHelp) {
  std::ostringstream readme;
  readme << std::ifstream{"server/README.md"}.rdbuf();
  const auto documented = flags_in(readme.str(), R"(\n\| `--([a-z-]+))");
  const auto offered = flags_in(read({"--help"}).error().text, R"(\n  --([a-z-]+))");
  EXPECT_GE(offered.size(), 15U);
  EXPECT_EQ(documented, offered);
}

}  // namespace
}  // namespace tesela::ops
