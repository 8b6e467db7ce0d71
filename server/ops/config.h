// The configuration of the server, from flags, the environment and a file. Read once, at start-up.
#pragma once

#include <spdlog/common.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "server/base/absence_limits.h"
#include "server/base/limits.h"
#include "server/base/scale_limits.h"
#include "server/base/store_limits.h"
#include "server/net/endpoint.h"
#include "server/push/push_hosts.h"
#include "server/quota/host_names.h"
#include "server/quota/networks.h"

namespace tesela::ops {

enum class LogFormat : std::uint8_t { kText, kJson };

struct Config {
  std::filesystem::path data{"data"};
  bool accept_damaged_log{};  // starts without the commits that a damaged log has lost
  std::string database{};     // postgres://…, or a file with it; empty: SQLite in the folder
  std::chrono::milliseconds store_wait{limits::kStoreWait};
  net::Endpoint http{"0.0.0.0", 8080};
  net::Endpoint grpc{"0.0.0.0", 9090};
  std::string ops_address{"127.0.0.1"};
  std::optional<std::uint16_t> ops_port;  // empty: /metrics and health on the HTTP port
  net::Endpoint node{"0.0.0.0", 0};       // port 0: no node port
  std::string node_name;                  // empty: the name of the machine
  std::optional<std::filesystem::path> node_secret_file;      // set exactly when the port is
  std::optional<std::filesystem::path> tls_certificate_file;  // empty: no TLS
  std::optional<std::filesystem::path> tls_key_file;          // set exactly when the file is
  std::size_t threads{1};      // the default of the option is the number of cores
  std::size_t bot_threads{1};  // the default is half the number of cores
  std::chrono::milliseconds bot_think{limits::kBotThink};
  std::chrono::milliseconds bot_pace{limits::kBotPace};
  std::chrono::milliseconds bot_pace_alone{limits::kBotPaceAlone};
  std::chrono::milliseconds bot_answer{limits::kBotAnswer};
  bool rate_bots{};  // ranked games against bots alone change the ratings of players
  std::chrono::milliseconds table_idle{limits::kTableIdle};
  std::chrono::milliseconds claim_after{limits::kClaimAfter};
  std::chrono::milliseconds come_within{limits::kComeWithin};
  std::chrono::milliseconds abandoned_after{limits::kAbandonedAfter};
  std::chrono::milliseconds waiting_max{limits::kWaitingMax};
  std::chrono::milliseconds archive_after{limits::kArchiveAfter};
  std::chrono::milliseconds keep_games{limits::kKeepGames};    // 0: for ever
  std::chrono::milliseconds keep_guests{limits::kKeepGuests};  // 0: for ever
  std::chrono::milliseconds ping_interval{limits::kPingInterval};
  std::uint32_t frame_rate{limits::kFramesPerSecond};  // 0: no limit
  std::size_t connections_max{limits::kConnectionsMax};
  std::optional<std::uint64_t> memory_max;  // MiB; 0: no limit; empty: the container's
  std::uint32_t sign_in_rate{limits::kSignInsPerMinute};  // 0: no limit, here and below
  std::uint32_t table_rate{limits::kTablesPerMinute};
  std::uint32_t request_rate{limits::kRequestsPerSecond};
  std::uint32_t connect_rate{limits::kConnectsPerSecond};
  std::uint32_t shared_frame_rate{limits::kSharedFramesPerSecond};
  std::size_t connections_per_address{limits::kConnectionsPerAddress};
  std::size_t streams_per_player{limits::kStreamsPerPlayer};
  std::size_t live_tables_per_player{limits::kLiveTablesPerPlayer};
  std::size_t live_tables_per_address{limits::kLiveTablesPerAddress};
  quota::Networks trusted_proxies;
  quota::Networks exempt_addresses;          // the default of the option is the local host
  quota::HostNames hosts;                    // empty: any host is answered
  std::vector<std::string> allowed_origins;  // "https://host[:port]", or "*" for any
  std::string account_origin;                // empty: http://localhost and the HTTP port
  std::optional<std::filesystem::path> token_secret_file;         // empty: DATA/token.key
  std::optional<std::filesystem::path> former_token_secret_file;  // empty: none
  std::optional<std::filesystem::path> daily_secret_file;         // empty: DATA/daily.key
  std::optional<std::filesystem::path> admin_token_file;          // empty: DATA/admin.key
  std::optional<std::filesystem::path> operators_file;            // empty: only who has that token
  std::optional<std::filesystem::path> issuer_key_file;  // empty: only this server's tokens
  std::string issuer_name;                               // set exactly when the file is
  std::string issuer_audience;                           // empty: tokens without an audience
  std::string oidc_issuer;                               // empty: no provider of OpenID Connect
  std::string oidc_client_id;                            // set exactly when the issuer is
  std::optional<std::filesystem::path> oidc_client_secret_file;  // empty: a public client
  std::string oidc_label;                                        // empty: the issuer's host
  push::PushHosts push_hosts;                                    // of browsers, by default
  std::string webhook_url;                                       // empty: none
  std::optional<std::filesystem::path> webhook_secret_file;      // set exactly when the URL is
  std::string otlp_url;                                          // empty: no traces
  std::uint32_t otlp_one_in{100};                                // traces: one is collected
  std::string terms_url;                                         // empty: the page names none
  std::string privacy_url;                                       // likewise
  std::optional<std::filesystem::path> docs;                     // empty: there is no /docs
  std::chrono::milliseconds token_ttl{std::chrono::hours{24 * 30}};
  std::chrono::milliseconds stop_timeout{std::chrono::seconds{10}};
  /// Events between two snapshots of a table (directory::Directory::Parts). No option sets it: the
  /// crash test has a server of its own with more snapshots.
  std::uint64_t snapshot_events{limits::kSnapshotEvents};
  spdlog::level::level_enum log_level{spdlog::level::info};
  LogFormat log_format{LogFormat::kText};
  std::vector<std::string> warnings{};  // sentences for the log
};

/// The program ends without serving. `text` goes to standard output if `code` is 0 (--help,
/// --version, --check-config), otherwise to standard error. 2: a value was refused; the text says
/// which, why, and what would be right.
struct EarlyExit {
  int code{};
  std::string text;

  friend bool operator==(const EarlyExit&, const EarlyExit&) = default;
};

/// A flag overrides its environment variable (--http-port: TESELA_HTTP_PORT), which overrides the
/// file of --config. Reads the environment: call it before any thread is started.
[[nodiscard]] std::expected<Config, EarlyExit> read_config(int argc, const char* const* argv);

}  // namespace tesela::ops
