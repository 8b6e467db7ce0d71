// Executes a table's log again, to load the table or to find missed events.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/frame.h"
#include "server/codec/table_options.h"
#include "server/games/clock.h"
#include "server/games/match.h"
#include "server/replay/aside.h"
#include "server/replay/execution_queue.h"
#include "server/replay/recent_moves.h"
#include "server/replay/start_of_execution.h"

namespace tesela::replay {

/// The versions whose frames are returned: `first` to `last`, inclusive. None by default.
struct FrameRange {
  Version first{1};
  Version last{0};
  /// The sub-protocol for which the frames are encoded, on the executing thread: encoding JSON
  /// takes longer than the rules.
  codec::Protocol protocol{codec::Protocol::kBinary};
};

/// What an execution is to return.
struct ReplayOptions {
  const codec::TableOptions& table;  // outlives the call
  FrameRange frames{};
  Version until{};  // the last version to execute; 0: all
  bool moves{};     // also return RecentMoves, of all events
  /// Writes a snapshot at each multiple of so many versions; 0: none.
  std::uint64_t snapshot_interval{};
  Urgency urgency{Urgency::kCommand};  // for replay_aside
};

/// The result of executing a log.
struct Replayed {
  std::unique_ptr<games::Match> match;
  Version version;
  std::int64_t at_ms{};  // of the last event
  RecentMoves moves;     // empty without ReplayOptions::moves
  MoveShares shares;
  std::uint64_t moves_alone{};  // by strategies in a row, at the end
  games::Clock clock;
  bool rules_changed{};                 // Execution::rules_changed
  Version last_snapshot;                // the newest that was used or written; 0: none
  std::vector<codec::FramePtr> frames;  // of ReplayOptions::frames, in order
};

/// Lets other coroutines of the executor run. Long executions call it every limits::kExecutionSlice
/// events.
boost::asio::awaitable<void> give_way();

/// Executes a table's log from `start` (start_at), in slices. Errors: kNotFound; kUnavailable;
/// kCorrupt when the log has a gap, the rules refuse a record, or the digest of the position
/// differs from the recorded one; kRulesChanged as Execution::play.
boost::asio::awaitable<Expected<Replayed>> replay(Source source, TableId table, Start start,
                                                  ReplayOptions options);

/// The snapshot of a position, to be stored. `marks`: of the moves after the version
/// `marks_after`.
[[nodiscard]] store::SnapshotRow snapshot_of(const games::Match& match, Snapshot values,
                                             const RecentMoves& moves, Version marks_after);

/// As `replay`, by run_aside.
boost::asio::awaitable<Expected<Replayed>> replay_aside(const Aside& aside, Source source,
                                                        TableId table, Start start,
                                                        ReplayOptions options);

}  // namespace tesela::replay
