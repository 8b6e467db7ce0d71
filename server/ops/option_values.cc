#include "server/ops/option_values.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cstdint>
#include <string_view>
#include <utility>

#include "server/base/clock.h"
#include "server/base/scale_limits.h"
#include "server/codec/shown_text.h"
#include "server/fetch/url.h"

namespace tesela::ops {
namespace {

std::string take_address(const std::string& text, std::string& into) {
  boost::system::error_code error;
  boost::asio::ip::make_address(text, error);
  if (error) {
    return quoted(text) + " is not an address; give an IP address of this machine, such as " +
           "127.0.0.1, or 0.0.0.0 for all of them.";
  }
  into = text;
  return {};
}

bool is_origin(std::string_view text) {
  const std::size_t scheme = text.starts_with("https://") ? 8 : text.starts_with("http://") ? 7 : 0;
  return scheme != 0 && text.size() > scheme &&
         text.find_first_of("/?#@ *", scheme) == std::string_view::npos;
}

}  // namespace

std::string unexpected(const std::vector<std::string>& arguments) {
  std::string names;
  for (const std::string& argument : arguments) {
    if (!argument.starts_with('-')) continue;
    names += (names.empty() ? "" : ", ") + argument.substr(0, argument.find('='));
  }
  if (names.empty()) return "There is an argument that belongs to no option.";
  return "There is no option " + names + ".";
}

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

Take port(net::Endpoint Config::* endpoint) {
  return [endpoint](const std::string& text, Config& config) {
    return take_number<std::uint16_t>(text, 0, 65535, "a port", (config.*endpoint).port);
  };
}

std::string take_ops_address(const std::string& text, Config& config) {
  return take_address(text, config.ops_address);
}

std::string take_memory_max(const std::string& text, Config& config) {
  constexpr std::uint64_t kMost = 1 << 24;
  return take_number<std::uint64_t>(text, 0, kMost, "a number of mebibytes",
                                    config.memory_max.emplace());
}

std::string take_ops_port(const std::string& text, Config& config) {
  return take_number<std::uint16_t>(text, 0, 65535, "a port", config.ops_port.emplace());
}

/// Others are told the port, before it is opened.
std::string take_node_port(const std::string& text, Config& config) {
  return take_number<std::uint16_t>(text, 1, 65535, "a port for the other servers",
                                    config.node.port);
}

std::string take_node_name(const std::string& text, Config& config) {
  boost::system::error_code error;
  const bool has_colon = text.find(':') != std::string::npos;  // only an IPv6 address has
  if (has_colon) boost::asio::ip::make_address_v6(text, error);
  if (error || text.empty() || text.find_first_of("/?#@[] \t") != std::string::npos) {
    return quoted(text) + " is not a host; give a name or an IP address without a port.";
  }
  config.node_name = text;
  return {};
}

Take address(net::Endpoint Config::* endpoint) {
  return [endpoint](const std::string& text, Config& config) {
    return take_address(text, (config.*endpoint).address);
  };
}

Take duration(std::chrono::milliseconds Config::* field, std::chrono::milliseconds min) {
  return [field, min](const std::string& text, Config& config) -> std::string {
    const auto value = base::parse_duration(text);
    if (!value) return value.error().message;
    if (*value < min)
      return quoted(text) + " is too short; at least " + base::duration_text(min) + ".";
    config.*field = *value;
    return {};
  };
}

std::string take_origins(const std::string& text, Config& config) {
  config.allowed_origins.clear();
  for (const std::string& origin : CLI::detail::split(text, ',')) {
    if (origin.empty()) continue;
    if (origin != "*" && !is_origin(origin)) {
      return quoted(origin) +
             " is not an origin; write https://HOST or https://HOST:PORT without " +
             "a path, several of them with commas between, or * for any.";
    }
    config.allowed_origins.push_back(origin);
  }
  return {};
}

// Browsers make passkeys for names under TLS, and for localhost.
std::string take_account_origin(const std::string& text, Config& config) {
  const bool local = text == "http://localhost" || text.starts_with("http://localhost:");
  const auto host = std::string_view(text).substr(std::min<std::size_t>(text.size(), 8));
  boost::system::error_code no_address;
  boost::asio::ip::make_address(std::string(host.substr(0, host.rfind(':'))), no_address);
  const bool named =
      text.starts_with("https://") && is_origin(text) && !host.starts_with('[') && no_address;
  if (!local && !named) {
    return quoted(text) +
           " is not an origin with passkeys; write https://HOST or https://HOST:PORT with a name, "
           "or http://localhost:PORT.";
  }
  config.account_origin = text;
  return {};
}

std::string take_hosts(const std::string& text, Config& config) {
  auto hosts = quota::HostNames::parse(text);
  if (!hosts) return hosts.error().message;
  config.hosts = std::move(*hosts);
  return {};
}

Take networks(quota::Networks Config::* field) {
  return [field](const std::string& text, Config& config) -> std::string {
    auto networks = quota::Networks::parse(text);
    if (!networks) return networks.error().message;
    config.*field = std::move(*networks);
    return {};
  };
}

Take web_address(std::string Config::* field) {
  return [field](const std::string& text, Config& config) -> std::string {
    const bool of_web = text.starts_with("https://") || text.starts_with("http://");
    // RFC 3986, without what would end an attribute of HTML.
    const bool fits = std::ranges::all_of(text, [](char c) {
      return c > ' ' && c <= '~' &&
             std::string_view("\"'<>`\\^{|}").find(c) == std::string_view::npos;
    });
    if (!of_web || !fits) return quoted(text) + " is not a web page; write https://HOST/PATH.";
    config.*field = text;
    return {};
  };
}

std::string take_oidc_issuer(const std::string& text, Config& config) {
  const auto url = fetch::Url::parse(text);
  if (!url || url->target.find('?') != std::string::npos) {
    return quoted(text) +
           " is not an issuer; write https://HOST/PATH as the provider does, without a query, or "
           "http://localhost:PORT for a test.";
  }
  config.oidc_issuer = text;
  return {};
}

std::string take_oidc_label(const std::string& text, Config& config) {
  auto label = codec::shown_text(text, limits::kDeviceNameMax, "label");
  if (!label) return label.error().message;
  config.oidc_label = std::move(*label);
  return {};
}

std::string take_push_hosts(const std::string& text, Config& config) {
  auto hosts = push::PushHosts::parse(text);
  if (!hosts) return hosts.error().message;
  config.push_hosts = *std::move(hosts);
  return {};
}

std::string take_webhook_url(const std::string& text, Config& config) {
  if (!fetch::Url::parse(text)) {
    return quoted(text) +
           " is no address; write https://HOST/PATH, or http://localhost:PORT on this machine.";
  }
  config.webhook_url = text;
  return {};
}

std::string take_otlp_url(const std::string& text, Config& config) {
  if (!fetch::Url::parse_inside(text)) {
    return quoted(text) + " is no address; write http://HOST:4318/v1/traces, or https.";
  }
  config.otlp_url = text;
  return {};
}

std::string take_rate_bots(const std::string& text, Config& config) {
  if (text != "yes" && text != "no") return quoted(text) + " is no answer; give yes or no.";
  config.rate_bots = text == "yes";
  return {};
}

std::string contradiction(const Config& config) {
  if (config.issuer_key_file.has_value() != !config.issuer_name.empty()) {
    return "--issuer-key-file and --issuer-name belong together: give both or neither.";
  }
  if (!config.issuer_audience.empty() && !config.issuer_key_file) {
    return "--issuer-audience is of an issuer: give --issuer-key-file and --issuer-name too.";
  }
  if (config.oidc_issuer.empty() != config.oidc_client_id.empty()) {
    return "--oidc-issuer and --oidc-client-id belong together: give both or neither.";
  }
  if (config.oidc_issuer.empty() &&
      (config.oidc_client_secret_file || !config.oidc_label.empty())) {
    return "--oidc-client-secret-file and --oidc-label are of a provider: give --oidc-issuer too.";
  }
  if (config.webhook_secret_file.has_value() != !config.webhook_url.empty()) {
    return "--webhook-url and --webhook-secret-file belong together: give both or neither.";
  }
  if (config.tls_certificate_file.has_value() != config.tls_key_file.has_value()) {
    return "--tls-certificate-file and --tls-key-file belong together: give both or neither.";
  }
  const bool has_node_port = config.node.port != 0;
  if (has_node_port != config.node_secret_file.has_value()) {
    return "--node-port and --node-secret-file belong together: give both or neither.";
  }
  if (has_node_port && config.database.empty()) {
    return "--node-port is for servers on one database: give --database too.";
  }
  if (!has_node_port && !config.node_name.empty()) {
    return "--node-name says where the port of --node-port is: give that too.";
  }
  return {};
}

std::string take_log_level(const std::string& text, Config& config) {
  for (const char* known : {"trace", "debug", "info", "warn", "error"}) {
    if (text == known) {
      config.log_level = spdlog::level::from_str(text);
      return {};
    }
  }
  return quoted(text) + " is not a log level; choose trace, debug, info, warn or error.";
}

std::string take_log_format(const std::string& text, Config& config) {
  if (text != "text" && text != "json") {
    return quoted(text) + " is not a log format; choose text or json.";
  }
  config.log_format = text == "json" ? LogFormat::kJson : LogFormat::kText;
  return {};
}

}  // namespace tesela::ops
