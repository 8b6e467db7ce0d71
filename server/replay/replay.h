// Executes a table's log again, to load the table, find missed events or take a move back.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/base/io_pool.h"
#include "server/codec/frame.h"
#include "server/codec/table_options.h"
#include "server/games/clock.h"
#include "server/games/match.h"
#include "server/replay/execution_queue.h"
#include "server/replay/recent_moves.h"
#include "server/store/event_log.h"

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
  Version until{};                     // the last version to execute; 0: all
  bool back{};                         // also return the position before the last move
  Urgency urgency{Urgency::kCommand};  // for replay_aside
};

/// An earlier position, for an undo.
struct Earlier {
  Version version;
  std::unique_ptr<games::Match> match;
};

/// The result of executing a log.
struct Replayed {
  std::unique_ptr<games::Match> match;
  Version version;
  std::int64_t at_ms{};  // of the last event
  RecentMoves moves;
  MoveShares shares;
  std::uint64_t moves_alone{};  // by strategies in a row, at the end
  games::Clock clock;
  std::vector<codec::FramePtr> frames;  // of ReplayOptions::frames, in order
  std::optional<Earlier> earlier;       // empty when no move is in force
};

/// Lets other coroutines of the executor run. Long executions call it every limits::kExecutionSlice
/// events.
boost::asio::awaitable<void> give_way();

/// Executes a table's log from version 1, in slices. Errors: kNotFound; kUnavailable; kCorrupt when
/// the log has a gap, the rules refuse a record, or the digest of the position differs from the
/// recorded one.
boost::asio::awaitable<Expected<Replayed>> replay(store::EventLog& log, TableId table,
                                                  ReplayOptions options);

/// The threads that execute logs, and the queue for them; both outlive it. Without threads: the
/// caller's.
struct Aside {
  base::IoPool* threads{};
  ExecutionQueue* queue{};
};

/// As `replay`, on a thread of `aside`, when it is its turn; resumes the caller on its own
/// executor. Also kUnavailable when too many wait.
boost::asio::awaitable<Expected<Replayed>> replay_aside(const Aside& aside, store::EventLog& log,
                                                        TableId table, ReplayOptions options);

}  // namespace tesela::replay
