// What the operator lets one address and one player have.
#pragma once

#include "server/net/gate.h"
#include "server/ops/config.h"

namespace tesela {

[[nodiscard]] inline net::Gate::Options gate_options(const ops::Config& config) {
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
          .exempt = config.exempt_addresses};
}

}  // namespace tesela
