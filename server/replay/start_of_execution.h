// Where the execution of a log begins: at a stored snapshot, or at the first record.
#pragma once

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/record.h"
#include "server/games/match.h"
#include "server/replay/snapshot.h"
#include "server/store/event_log.h"
#include "server/store/snapshots.h"

namespace tesela::replay {

/// Where a table's log and its snapshots are read. The references outlive it.
struct Source {
  store::EventReader& log;
  store::Snapshots& snapshots;
};

/// A position from which a log is executed.
struct Start {
  Version version;                      // 0: the first record begins the game
  std::unique_ptr<games::Match> match;  // null at version 0
  Snapshot snapshot{};                  // of that version; its `match` was restored
  bool packed{};                        // its record is that of a packed log

  /// How many events are executed until `version`.
  [[nodiscard]] std::uint64_t events_until(Version until) const {
    return until.value - std::min(until.value, version.value);
  }
};

/// One record of a log. Errors: those of EventLog::read; kCorrupt when it is not there or cannot be
/// decoded.
boost::asio::awaitable<Expected<codec::Record>> read_record(store::EventReader& log, TableId table,
                                                            Version version);

/// The match of a stored snapshot, if it is true: its bytes are whole and of this format, and its
/// digest is that of `record`, the event of its version. Errors: kCorrupt, kUnavailable, with what
/// is wrong; kRulesChanged where the rules take a position of a finished game for another one.
[[nodiscard]] Expected<Start> restore(const store::SnapshotRow& row, const codec::Record& record,
                                      const codec::Created& created);

/// The newest snapshot at `until` or before that is true. Others are passed over, with a line in
/// the server's log, at most limits::kSnapshotTriesMax; then the execution begins at version 0, as
/// it does without snapshots. Errors: those of EventLog::read.
boost::asio::awaitable<Expected<Start>> start_at(Source source, TableId table, Version until);

/// Says in the server's log that a snapshot is not used.
void log_unusable(TableId table, Version version, const Error& error);

}  // namespace tesela::replay
