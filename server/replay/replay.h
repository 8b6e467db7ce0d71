// Re-execution: a game is a pure function of its log.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/frame.h"
#include "server/codec/table_options.h"
#include "server/games/clock.h"
#include "server/games/match.h"
#include "server/replay/recent_moves.h"
#include "server/store/event_log.h"

namespace tesela::replay {

/// Versions whose frames are wanted: `first` to `last`, both included. None by default.
struct FrameRange {
  Version first{1};
  Version last{0};
  /// As which they will be sent. They are encoded for it where the log is executed: JSON takes
  /// longer than the rules.
  codec::Protocol protocol{codec::Protocol::kBinary};
};

/// What a re-execution is for.
struct ReplayOptions {
  const codec::TableOptions& table;  // lives until the end of the call
  FrameRange frames{};               // that are wanted
  Version until{};                   // the last version that is played; 0: all
  bool back{};                       // the position before the last move that stands is wanted
};

/// A position that can be gone back to.
struct Earlier {
  Version version;
  std::unique_ptr<games::Match> match;
};

/// What a log leads to.
struct Replayed {
  std::unique_ptr<games::Match> match;
  Version version;
  std::int64_t at_ms{};  // of the last event
  RecentMoves moves;
  MoveShares shares;
  std::uint64_t moves_alone{};  // that strategies played in a row, at the end
  games::Clock clock;
  std::vector<codec::FramePtr> frames;  // of the range that was asked for, in order
  std::optional<Earlier> earlier;       // none when no move stands
};

/// Lets others that run on the same executor go on: who plays a long log does it between slices of
/// limits::kExecutionSlice.
boost::asio::awaitable<void> give_way();

/// Plays a table's log from version 1 on, in slices. Errors: kNotFound; kUnavailable; kCorrupt when
/// the log has a gap, holds what the rules refuse, or leads to a position with another digest than
/// the one that was recorded.
boost::asio::awaitable<Expected<Replayed>> replay(store::EventLog& log, TableId table,
                                                  ReplayOptions options);

/// An executor of the threads that execute games again, beside those of the tables. None: the
/// caller's.
using Aside = std::function<boost::asio::any_io_executor()>;

/// As `replay`, on such a thread; the caller goes on where it was.
boost::asio::awaitable<Expected<Replayed>> replay_aside(const Aside& aside, store::EventLog& log,
                                                        TableId table, ReplayOptions options);

}  // namespace tesela::replay
