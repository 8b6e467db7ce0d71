#include "server/ops/config.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <string_view>
#include <thread>

#include "server/base/clock.h"
#include "server/base/printing/version.h"
#include "server/ops/option_file.h"
#include "server/ops/option_values.h"

namespace tesela::ops {
namespace {

struct Option {
  const char* name;
  const char* type;
  std::string standard;  // the default
  const char* description;
  Take take;
};

constexpr const char* kThisMachine = "127.0.0.0/8,::1";

std::size_t cores() {
  return std::max(1U, std::thread::hardware_concurrency());
}

std::vector<Option> options(const Config& standard) {
  using std::chrono::milliseconds;
  const auto text = [](auto number) { return std::to_string(number); };
  return {
      {"data", "DIR", standard.data, "Folder of the database and the keys; made when missing.",
       any(&Config::data)},
      {"database", "URL", "none",
       "postgres://…, or a file with it, as it holds a password; none: SQLite in the data folder.",
       any(&Config::database)},
      {"store-wait", "TIME", base::duration_text(standard.store_wait),
       "How long moves and calls wait while PostgreSQL is away.",
       duration(&Config::store_wait, milliseconds{100})},
      {"http-address", "IP", standard.http.address, "Address of HTTP and the streams.",
       address(&Config::http)},
      {"http-port", "PORT", text(standard.http.port), "Its port; 0: any free one, which is logged.",
       port(&Config::http)},
      {"grpc-address", "IP", standard.grpc.address, "Address of gRPC.", address(&Config::grpc)},
      {"grpc-port", "PORT", text(standard.grpc.port), "Its port; 0: any free one, which is logged.",
       port(&Config::grpc)},
      {"ops-address", "IP", standard.ops_address, "Address of the port of --ops-port.",
       take_ops_address},
      {"ops-port", "PORT", "none", "Port for /metrics and the admin service alone; never with TLS.",
       take_ops_port},
      {"node-port", "PORT", "none",
       "Port for the other servers on --database, which pass streams on; needs --node-secret-file.",
       take_node_port},
      {"node-address", "IP", standard.node.address, "Address of the port of --node-port.",
       address(&Config::node)},
      {"node-name", "HOST", "the machine's name",
       "Name or address by which other servers reach that port.", take_node_name},
      {"node-secret-file", "FILE", "none",
       "Secret that all servers on the database show each other there, at least 32 bytes.",
       any(&Config::node_secret_file)},
      {"tls-certificate-file", "FILE", "none",
       "Certificate (PEM, with its chain): HTTP, streams and gRPC are then served by TLS alone.",
       any(&Config::tls_certificate_file)},
      {"tls-key-file", "FILE", "none", "Its private key (PEM). SIGHUP reads both files again.",
       any(&Config::tls_key_file)},
      {"threads", "N", "cores",
       "Threads of the tables and their streams; as many more serve HTTP and the lobby.",
       number<std::size_t>(&Config::threads, 1, 1024, "a number of threads")},
      {"bot-threads", "N", "cores / 2", "Threads for bots and hints.",
       number<std::size_t>(&Config::bot_threads, 1, 1024, "a number of threads")},
      {"bot-think", "TIME", base::duration_text(standard.bot_think),
       "The most time of a bot or a hint for a move; less under load.",
       duration(&Config::bot_think, limits::kThinkTimeMin)},
      {"bot-pace", "TIME", base::duration_text(standard.bot_pace),
       "The least time from a move to a bot's answer, so that people can follow.",
       duration(&Config::bot_pace, milliseconds{0})},
      {"bot-pace-alone", "TIME", base::duration_text(standard.bot_pace_alone),
       "The same at tables without connections.",
       duration(&Config::bot_pace_alone, milliseconds{0})},
      {"bot-answer", "TIME", base::duration_text(standard.bot_answer),
       "The time of a remote bot for a move; then the game's default strategy moves.",
       duration(&Config::bot_answer, limits::kBotAnswerMin)},
      {"claim-after", "TIME", base::duration_text(standard.claim_after),
       "How long a player is away before another one may claim the game.",
       duration(&Config::claim_after, milliseconds{1})},
      {"come-within", "TIME", base::duration_text(standard.come_within),
       "How long a full table waits for its players before they lose the seat; 0s: no wait.",
       duration(&Config::come_within, milliseconds{0})},
      {"rate-bots", "YES", "no",
       "Whether a ranked game counts every seat, bots included: yes or no.", take_rate_bots},
      {"table-idle", "TIME", base::duration_text(standard.table_idle),
       "How long a table without connections stays in memory.",
       duration(&Config::table_idle, milliseconds{0})},
      {"abandoned-after", "TIME", base::duration_text(standard.abandoned_after),
       "A game in play is closed after this time without an event.",
       duration(&Config::abandoned_after, std::chrono::seconds{1})},
      {"waiting-max", "TIME", base::duration_text(standard.waiting_max),
       "An open table is closed this long after its creation, if nobody is connected.",
       duration(&Config::waiting_max, std::chrono::seconds{1})},
      {"archive-after", "TIME", base::duration_text(standard.archive_after),
       "The log of a game is packed this long after its end.",
       duration(&Config::archive_after, milliseconds{0})},
      {"keep-games", "TIME", base::duration_text(standard.keep_games),
       "How long unneeded games are kept (server/README.md); 0s: for ever.",
       duration(&Config::keep_games, milliseconds{0})},
      {"keep-guests", "TIME", base::duration_text(standard.keep_guests),
       "How long absent guests without a rating are kept; 0s: for ever.",
       duration(&Config::keep_guests, milliseconds{0})},
      {"ping-interval", "TIME", base::duration_text(standard.ping_interval),
       "Time without a frame on a stream before a ping; twice that without an answer ends it.",
       duration(&Config::ping_interval, milliseconds{100})},
      {"frame-rate", "N", text(standard.frame_rate),
       "Frames a second that one stream may send in the long run; 0: no limit.",
       number<std::uint32_t>(&Config::frame_rate, 0, 1'000'000, "a frame rate")},
      {"connections-max", "N", text(standard.connections_max),
       "Connections of both ports, streams included; more are answered 503, or closed.",
       number<std::size_t>(&Config::connections_max, 1, 1'000'000, "a number of connections")},
      {"memory-max", "MIB", "the container's",
       "From 85 % of it on new connections are answered 503, and new tables refused; 0: never.",
       take_memory_max},
      {"connections-per-address", "N", text(standard.connections_per_address),
       "Connections of one address; 0: no limit. More are answered 429, or closed.",
       number<std::size_t>(&Config::connections_per_address, 0, 1'000'000,
                           "a number of connections")},
      {"streams-per-player", "N", text(standard.streams_per_player),
       "Streams that one player may have open; 0: no limit.",
       number<std::size_t>(&Config::streams_per_player, 0, 1'000'000, "a number of streams")},
      {"live-tables-per-player", "N", text(standard.live_tables_per_player),
       "Tables of one player whose games are not over; 0: no limit.",
       number<std::size_t>(&Config::live_tables_per_player, 0, 1'000'000, "a number of tables")},
      {"live-tables-per-address", "N", text(standard.live_tables_per_address),
       "The same of one address; 0: no limit.",
       number<std::size_t>(&Config::live_tables_per_address, 0, 1'000'000, "a number of tables")},
      {"shared-frame-rate", "N", text(standard.shared_frame_rate),
       "Frames a second in all streams of one player; 0: no limit.",
       number<std::uint32_t>(&Config::shared_frame_rate, 0, 1'000'000, "a frame rate")},
      {"sign-in-rate", "N", text(standard.sign_in_rate),
       "Players that one address may sign in a minute, new names of remote bots among them; "
       "0: no limit.",
       number<std::uint32_t>(&Config::sign_in_rate, 0, 1'000'000, "a rate")},
      {"table-rate", "N", text(standard.table_rate),
       "Tables that one player, and one address, may make a minute, searches for opponents among "
       "them; 0: no limit.",
       number<std::uint32_t>(&Config::table_rate, 0, 1'000'000, "a rate")},
      {"request-rate", "N", text(standard.request_rate),
       "Requests and calls that one address may make a second; 0: no limit.",
       number<std::uint32_t>(&Config::request_rate, 0, 1'000'000, "a rate")},
      {"connect-rate", "N", text(standard.connect_rate),
       "New connections of one address a second; 0: no limit. More are closed.",
       number<std::uint32_t>(&Config::connect_rate, 0, 1'000'000, "a rate")},
      {"trusted-proxies", "LIST", "none", "Networks of proxies whose X-Forwarded-For is trusted.",
       networks(&Config::trusted_proxies)},
      {"exempt-addresses", "LIST", kThisMachine,
       "Networks without limits of addresses and players; none: no network.",
       networks(&Config::exempt_addresses)},
      {"hosts", "LIST", "none",
       "Names under which alone the server answers, beside localhost and IP addresses; none: any.",
       take_hosts},
      {"allowed-origins", "LIST", "none",
       "Web pages of other hosts that may come: https://HOST[:PORT],… or *.", take_origins},
      {"account-origin", "URL", "http://localhost:PORT",
       "The page where passkeys are made and used, as https://HOST[:PORT].", take_account_origin},
      {"token-secret-file", "FILE", "DATA/token.key",
       "Key that tokens are signed with, at least 32 bytes. Its own is made at the first start.",
       any(&Config::token_secret_file)},
      {"former-token-secret-file", "FILE", "none",
       "A second key whose tokens are accepted, while --token-secret-file is replaced.",
       any(&Config::former_token_secret_file)},
      {"daily-secret-file", "FILE", "DATA/daily.key",
       "Key that daily games are made of, likewise: servers with the same one deal the same games.",
       any(&Config::daily_secret_file)},
      {"admin-token-file", "FILE", "DATA/admin.key",
       "Token of the admin service, a line of text. Its own is made at the first start.",
       any(&Config::admin_token_file)},
      {"operators-file", "FILE", "none",
       "Further operators, one a line: NAME ROLE TOKEN. ROLE is read, moderate or operate. SIGHUP"
       " reads it again.",
       any(&Config::operators_file)},
      {"token-ttl", "TIME", base::duration_text(standard.token_ttl),
       "How long a token is accepted.", duration(&Config::token_ttl, std::chrono::seconds{1})},
      {"issuer-key-file", "FILE", "none",
       "Public key (PEM: RSA or Ed25519) of an issuer of your own, whose tokens are accepted too.",
       any(&Config::issuer_key_file)},
      {"issuer-name", "NAME", "none", "The issuer (iss) in its tokens.", any(&Config::issuer_name)},
      {"issuer-audience", "NAME", "none",
       "The audience (aud) of its tokens; none: they must have none.",
       any(&Config::issuer_audience)},
      {"oidc-issuer", "URL", "none",
       "A provider of OpenID Connect by which players may sign in, as its documents name it.",
       take_oidc_issuer},
      {"oidc-client-id", "ID", "none", "The name of this server there.",
       any(&Config::oidc_client_id)},
      {"oidc-client-secret-file", "FILE", "none", "Its secret there; none: a public client.",
       any(&Config::oidc_client_secret_file)},
      {"oidc-label", "TEXT", "the issuer's host", "What the page calls the provider.",
       take_oidc_label},
      {"push-hosts", "LIST", "those of browsers",
       "Hosts of push services, with commas and *. before all below one; none: no pushes.",
       take_push_hosts},
      {"webhook-url", "URL", "none", "Where what players are told is posted too.",
       take_webhook_url},
      {"webhook-secret-file", "FILE", "none", "Its secret: whsec_ and 24 to 64 bytes in base 64.",
       any(&Config::webhook_secret_file)},
      {"terms-url", "URL", "none", "Your terms of use, which the page links.",
       web_address(&Config::terms_url)},
      {"privacy-url", "URL", "none", "Your privacy notice, likewise.",
       web_address(&Config::privacy_url)},
      {"docs", "FOLDER", "none", "The site of docs/build.sh, served at /docs/.",
       any(&Config::docs)},
      {"stop-timeout", "TIME", base::duration_text(standard.stop_timeout),
       "The most time of a graceful stop; then the rest is aborted.",
       duration(&Config::stop_timeout, milliseconds{0})},
      {"otlp-url", "URL", "none", "Where traces go: OTLP over HTTP, as JSON.", take_otlp_url},
      {"otlp-one-in", "N", text(standard.otlp_one_in), "Of so many traces one is sent.",
       number<std::uint32_t>(&Config::otlp_one_in, 1, 1'000'000, "a number of traces")},
      {"log-level", "LEVEL", "info", "trace, debug, info, warn or error.", take_log_level},
      {"log-format", "FORMAT", "text", "text, or json: one object a line.", take_log_format},
  };
}

std::string environment_name(std::string name) {
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::toupper(c));
  return "TESELA_" + name;
}

constexpr const char* kFooter = R"(
Each option can also be set in the environment (--http-port: TESELA_HTTP_PORT) and in the file of
--config (http-port = 8080). The command line wins over the environment, and that over the file;
--check-config shows the outcome.
TIME is a whole number and a unit: 500ms, 15s, 2m, 1h, 30d.

tesela-server backup FOLDER copies the data folder, also while a server runs on it, and
tesela-server restore FOLDER puts it back; tesela-server compact removes unused space from the
database; tesela-server check finds damage; tesela-server migrate carries the data over to
PostgreSQL. --help after a command shows its options.)";

void describe(CLI::App& app, const std::shared_ptr<OptionFile>& file) {
  app.description(
      "The Tesela game server: tables, streams, lobby and web client in one process.\n");
  app.footer(kFooter);
  app.get_formatter()->column_width(40);
  app.set_help_flag("--help", "Show this page.");
  app.set_version_flag("--version", "tesela-server " + std::string{base::kVersion},
                       "Show the version.");
  app.set_config("--config", "", "File of options, one \"name = value\" a line (TOML).")
      ->type_name("FILE");
  app.config_formatter(file);
  app.allow_config_extras(CLI::config_extras_mode::error);
}

/// The value of an option in the environment; empty: none.
std::string in_environment(const Option& option) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): read_config is called before there are threads
  const char* value = std::getenv(environment_name(option.name).c_str());
  return value == nullptr ? "" : value;
}

/// Names in the environment that look like options and are none.
std::vector<std::string> unknown_in_environment(const std::vector<Option>& options) {
  // Of other programs, and of the containers.
  static const std::set<std::string_view> kOthers{"TESELA_BIN", "TESELA_IMAGE", "TESELA_MEMORY",
                                                  "TESELA_SERVER", "TESELA_WALL_CLOCK"};
  std::vector<std::string> known;
  known.reserve(options.size());
  for (const Option& option : options) known.push_back(environment_name(option.name));
  std::vector<std::string> sentences;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view entry{*each};
    const std::string name{entry.substr(0, entry.find('='))};
    if (!name.starts_with("TESELA_") || kOthers.contains(name)) continue;
    if (std::ranges::count(known, name) > 0) continue;
    sentences.push_back("The environment has " + name + ", which is no option. The nearest is " +
                        nearest(name, known) + ".");
  }
  return sentences;
}

/// The options in force, each with where it comes from: a file that --config takes.
std::string in_force(const CLI::App& app, const std::vector<Option>& options,
                     const OptionFile& file, const std::vector<std::string>& command_line) {
  std::string text;
  for (const Option& option : options) {
    const CLI::Option& given = *app.get_option("--" + std::string{option.name});
    if (given.count() == 0) {
      text += "# " + std::string{option.name} + " = " + option.standard + "  (the default)\n";
      continue;
    }
    const auto is_flag = [name = "--" + std::string{option.name}](const std::string& argument) {
      return argument.substr(0, argument.find('=')) == name;
    };
    std::string from = app.get_config_ptr()->as<std::string>() + ", line " +
                       std::to_string(file.line_of(option.name));
    if (!in_environment(option).empty()) from = environment_name(option.name);
    if (std::ranges::any_of(command_line, is_flag)) from = "the command line";
    const std::string value = given.results().back();
    // A URL may hold a password.
    const bool secret = value.starts_with("postgres") && value.contains('@');
    text += std::string{option.name} + " = " + (secret ? "a URL with a password" : value) + "  # " +
            from + "\n";
  }
  return text;
}

// Values of the environment are put before those of the command line, because the last one counts.
std::vector<std::string> all_arguments(const std::vector<Option>& options, int argc,
                                       const char* const* argv) {
  std::vector<std::string> arguments;
  for (const Option& option : options) {
    if (const std::string value = in_environment(option); !value.empty()) {
      arguments.push_back("--" + std::string{option.name} + "=" + value);
    }
  }
  if (argc > 1) arguments.insert(arguments.end(), argv + 1, argv + argc);
  std::ranges::reverse(arguments);  // the order that CLI11 expects
  return arguments;
}

EarlyExit refused(std::string sentence) {
  if (!sentence.ends_with('.')) sentence += '.';
  return {.code = 2, .text = "tesela-server: " + sentence + " See --help.\n"};
}

}  // namespace

std::expected<Config, EarlyExit> read_config(int argc, const char* const* argv) {
  Config config;
  const std::vector<Option> known = options(config);
  config.threads = cores();
  config.exempt_addresses = *quota::Networks::parse(kThisMachine);
  config.bot_threads = std::max<std::size_t>(1, config.threads / 2);
  CLI::App app{"", "tesela-server"};
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const Option& option : known) names.emplace_back(option.name);
  const auto file = std::make_shared<OptionFile>(std::move(names));
  describe(app, file);
  bool only_checks = false;
  app.add_flag("--check-config", only_checks,
               "Show each option in force and where it was set, and end.")
      ->configurable(false);
  app.add_flag(
         "--accept-damaged-log", config.accept_damaged_log,
         "Start without the commits that the damaged log of the database has lost; keep a copy.")
      ->configurable(false);
  for (const Option& option : known) {
    const std::string flag = "--" + std::string{option.name};
    app.add_option_function<std::string>(
           flag,
           [&option, &config, flag](const std::string& text) {
             const std::string refusal = option.take(text, config);
             if (!refusal.empty()) throw CLI::ValidationError(flag, refusal);
           },
           option.description)
        ->type_name(option.type)
        ->default_str(option.standard)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  try {
    app.parse(all_arguments(known, argc, argv));
  } catch (const CLI::CallForHelp&) {
    return std::unexpected(EarlyExit{.code = 0, .text = app.help()});
  } catch (const CLI::CallForVersion& version) {
    return std::unexpected(EarlyExit{.code = 0, .text = std::string{version.what()} + "\n"});
  } catch (const CLI::ExtrasError&) {
    return std::unexpected(refused(unexpected(app.remaining())));
  } catch (const CLI::ConfigError& error) {
    return std::unexpected(refused(app.get_config_ptr()->as<std::string>() + ", " + error.what()));
  } catch (const CLI::ParseError& error) {
    return std::unexpected(refused(error.what()));
  }
  if (auto sentence = contradiction(config); !sentence.empty()) {
    return std::unexpected(refused(std::move(sentence)));
  }
  config.warnings = unknown_in_environment(known);
  if (only_checks) {
    std::string text = in_force(app, known, *file, {argv + 1, argv + argc});
    for (const std::string& sentence : config.warnings) text += "# " + sentence + "\n";
    return std::unexpected(EarlyExit{.code = 0, .text = std::move(text)});
  }
  return config;
}

}  // namespace tesela::ops
