// The arguments of Table's constructor.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "engine/core/ids.h"
#include "server/bots/bot_threads.h"
#include "server/bots/remote_bots.h"
#include "server/codec/table_options.h"
#include "server/metrics/metrics.h"
#include "server/quota/table_quotas.h"
#include "server/replay/replay.h"
#include "server/store/notices.h"
#include "server/store/snapshots.h"
#include "server/store/table_rows.h"
#include "server/tables/core/freeze.h"

namespace tesela::tables {

/// The references outlive the table.
struct TableParts {
  store::EventLog& log;
  store::Snapshots& snapshots;
  store::TableRows& table_rows;
  metrics::Metrics& metrics;
  bots::BotThreads& bots;
  bots::RemoteBots& remote_bots;
  quota::TableQuotas& quotas;
  Freeze& freeze;                            // of the table's loop
  store::TableRow row;                       // with the epoch of Ownership::claim
  codec::TableOptions options;               // of the row
  replay::Replayed game;                     // without a match if the game has not begun
  std::optional<TableId> rematch;            // the table of the rematch, if there is one
  std::chrono::milliseconds bot_pace;        // the least time from a move to a bot's answer
  std::chrono::milliseconds bot_pace_alone;  // the same where nobody is connected
  std::chrono::milliseconds claim_after;     // how long a player is away before a claim
  std::chrono::milliseconds come_within;     // how long a full table waits for its players
  bool rate_bots;                            // whether ranked games against bots alone count
  std::uint32_t frames_per_second_max;
  std::uint64_t snapshot_interval;                      // as in SnapshotWriter::Options
  replay::Aside aside;                                  // the threads that execute logs
  std::function<void(const store::TableRow&)> changed;  // called with each new row
  store::NoticeSink* notices{};                         // null: nobody is told while away
};

}  // namespace tesela::tables
