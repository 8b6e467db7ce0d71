// The configured limits of one address and one player, of bots, the certificate of the HTTP and the
// gRPC port, the page of passkeys, where players sign in elsewhere, and how they are told what
// happens while they are away.
#pragma once

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/accounts/passkeys.h"
#include "server/accounts/tokens.h"
#include "server/app/database_of.h"
#include "server/app/machine_limits.h"
#include "server/app/need.h"
#include "server/app/secrets_of.h"
#include "server/base/scale_limits.h"
#include "server/bots/bot_threads.h"
#include "server/fetch/url.h"
#include "server/metrics/metrics.h"
#include "server/net/endpoint.h"
#include "server/net/tls.h"
#include "server/oidc/provider.h"
#include "server/ops/admin/operator_gate.h"
#include "server/ops/config.h"
#include "server/ops/trace_exporter.h"
#include "server/push/notifier.h"
#include "server/quota/admission_control.h"
#include "server/store/backend/backend.h"

namespace tesela {

[[nodiscard]] inline quota::AdmissionControl::Options admission_options(const ops::Config& config) {
  return {.sign_ins_per_minute = config.sign_in_rate,
          .tables_per_minute = config.table_rate,
          .requests_per_second = config.request_rate,
          .connects_per_second = config.connect_rate,
          .frames_per_second = config.shared_frame_rate,
          .connections_per_address = config.connections_per_address,
          .streams_per_player = config.streams_per_player,
          .live_tables_per_address = config.live_tables_per_address,
          .live_tables_per_player = config.live_tables_per_player,
          .memory_max = memory_max(config),
          .trusted_proxies = config.trusted_proxies,
          .exempt = config.exempt_addresses,
          .hosts = config.hosts};
}

/// Of accounts::Players.
[[nodiscard]] inline std::chrono::milliseconds sign_of_life_age(const ops::Config& config) {
  const std::chrono::milliseconds most = limits::kSignOfLifeAge;
  return config.keep_guests.count() == 0 ? most : std::min(most, config.keep_guests / 4);
}

/// The page is on localhost unless the operator says where.
[[nodiscard]] inline std::string account_origin(const ops::Config& config) {
  if (!config.account_origin.empty()) return config.account_origin;
  return "http://localhost:" + std::to_string(config.http.port);
}

[[nodiscard]] inline accounts::Passkeys passkeys_of(const ops::Config& config,
                                                    const accounts::Tokens& tokens) {
  return {account_origin(config), tokens.derived_key("tesela.challenge.v1")};
}

/// Null without --oidc-issuer. Throws std::runtime_error with a sentence when the client's secret
/// cannot be read.
[[nodiscard]] inline std::unique_ptr<oidc::Provider> provider_of(const ops::Config& config,
                                                                 const accounts::Tokens& tokens) {
  if (config.oidc_issuer.empty()) return nullptr;
  return std::make_unique<oidc::Provider>(
      oidc::Provider::Options{.issuer = config.oidc_issuer,
                              .client_id = config.oidc_client_id,
                              .client_secret = need(oidc_client_secret(config)),
                              .redirect_uri = account_origin(config) + "/account/oidc",
                              .key = tokens.derived_key("tesela.oidc.v1")});
}

/// What players read of the provider; empty: there is none.
[[nodiscard]] inline std::string provider_label(const ops::Config& config) {
  if (config.oidc_issuer.empty() || !config.oidc_label.empty()) return config.oidc_label;
  return fetch::Url::parse(config.oidc_issuer)->host;
}

/// What tells players who are away. Browsers subscribe under a key that follows from the daily key,
/// which is the same on all servers of a database, for ever. Throws std::runtime_error with a
/// sentence when a secret cannot be read.
[[nodiscard]] inline push::Notifier::Parts notifier_parts(const ops::Config& config,
                                                          store::Backend& backend,
                                                          metrics::Metrics& metrics,
                                                          base::Loop& loop) {
  std::optional<push::Notifier::Webhook> webhook;
  if (!config.webhook_url.empty()) {
    webhook.emplace(*fetch::Url::parse(config.webhook_url), need(webhook_secret(config)));
  }
  const auto key = need(secret(accounts::kDailyKey, config.daily_secret_file, config.data));
  return {.loop = loop,
          .notices = backend.notices(),
          .metrics = metrics,
          .hosts = config.push_hosts,
          .key = push::P256Key::derived(key, "tesela.vapid.v1"),
          .origin = account_origin(config),
          .webhook = std::move(webhook)};
}

/// Null without --otlp-url.
[[nodiscard]] inline std::unique_ptr<ops::TraceExporter> trace_exporter(const ops::Config& config,
                                                                        base::Loop& loop) {
  if (config.otlp_url.empty()) return nullptr;
  return std::make_unique<ops::TraceExporter>(
      loop, ops::TraceExporter::Options{.url = *fetch::Url::parse_inside(config.otlp_url),
                                        .share = 1.0 / config.otlp_one_in,
                                        .service = address_of(config)});
}

/// Tells the metrics when the certificate ends. `tls` may be null.
inline void tell_end(const net::Tls* tls, metrics::Metrics& metrics) {
  if (tls == nullptr) return;
  const auto ends = tls->ends().time_since_epoch();
  metrics.certificate_ends_seconds().Set(static_cast<double>(ends.count()));
}

/// Null without --tls-certificate-file. Throws std::runtime_error with a sentence when its files
/// cannot be used.
[[nodiscard]] inline std::unique_ptr<net::Tls> open_tls(const ops::Config& config,
                                                        metrics::Metrics& metrics) {
  if (!config.tls_certificate_file) return nullptr;
  auto tls = need(
      net::Tls::open({.certificate = *config.tls_certificate_file, .key = *config.tls_key_file}));
  tell_end(tls.get(), metrics);
  return tls;
}

/// Reads the certificate and the operators again, and logs what came of it. What cannot be used now
/// stays as it was. One call at a time; `tls` may be null.
inline void reload(const ops::Config& config, net::Tls* tls, metrics::Metrics& metrics,
                   ops::OperatorGate& gate) {
  if (!config.operators_file && tls == nullptr) {
    spdlog::info("there is nothing to read again: no certificate is set, and no operators");
  }
  if (config.operators_file) {
    if (auto read = operators(config); !read) {
      spdlog::error("the operators stay as they were: {}", read.error().message);
    } else {
      spdlog::info("the operators were read again: {} of them", read->size());
      gate.replace(*std::move(read));
    }
  }
  if (tls == nullptr) return;
  if (const auto read = tls->reload(); !read) {
    spdlog::error("the certificate stays as it was: {}", read.error().message);
  } else {
    tell_end(tls, metrics);
    spdlog::info("the certificate was read again");
  }
}

/// How bots think. Where the operator wants no pause between the moves of bots alone, they have no
/// rate either.
[[nodiscard]] inline bots::BotThreads::Options bot_options(const ops::Config& config) {
  bots::BotThreads::Options options{.threads = config.bot_threads, .time_max = config.bot_think};
  if (config.bot_pace_alone.count() == 0) options.alone_interval = {};
  return options;
}

}  // namespace tesela
