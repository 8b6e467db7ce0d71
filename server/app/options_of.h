// The configured limits of one address and one player, of bots, and the certificate of the HTTP and
// the gRPC port.
#pragma once

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "server/app/need.h"
#include "server/base/scale_limits.h"
#include "server/bots/bot_threads.h"
#include "server/net/endpoint.h"
#include "server/net/tls.h"
#include "server/ops/config.h"
#include "server/quota/admission_control.h"

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
          .trusted_proxies = config.trusted_proxies,
          .exempt = config.exempt_addresses,
          .hosts = config.hosts};
}

/// Of accounts::Players.
[[nodiscard]] inline std::chrono::milliseconds sign_of_life_age(const ops::Config& config) {
  const std::chrono::milliseconds most = limits::kSignOfLifeAge;
  return config.keep_guests.count() == 0 ? most : std::min(most, config.keep_guests / 4);
}

/// Null without --tls-certificate-file. Throws std::runtime_error with a sentence when its files
/// cannot be used.
[[nodiscard]] inline std::unique_ptr<net::Tls> open_tls(const ops::Config& config) {
  if (!config.tls_certificate_file) return nullptr;
  return need(
      net::Tls::open({.certificate = *config.tls_certificate_file, .key = *config.tls_key_file}));
}

/// Reads the files again, and logs what came of it. Where they cannot be used now, the certificate
/// stays as it was. One call at a time; `tls` may be null.
inline void reload(net::Tls* tls) {
  if (tls == nullptr) {
    spdlog::info("there is nothing to read again: no certificate is set");
  } else if (const auto read = tls->reload(); !read) {
    spdlog::error("the certificate stays as it was: {}", read.error().message);
  } else {
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
