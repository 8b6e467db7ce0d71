// Moves that come to a table again: they were played, and are answered with what they became.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "server/codec/frame.h"
#include "server/replay/replay.h"
#include "server/store/event_log.h"
#include "server/tables/core/command.h"
#include "server/tables/core/move_attempt.h"
#include "server/tables/core/position.h"
#include "server/tables/core/table_host.h"
#include "server/tables/members/members.h"
#include "server/tables/members/recent_frames.h"

namespace tesela::tables {

/// One thread: the table's.
class ResentMoves {
 public:
  /// All outlive it. `aside`: where the log is executed again.
  ResentMoves(const Position& position, Members& members, const RecentFrames& frames,
              store::EventLog& log, replay::Aside aside, TableHost& host)
      : position_(position),
        members_(members),
        frames_(frames),
        log_(log),
        aside_(std::move(aside)),
        host_(host) {}

  /// Whether a move like it was played: most are new, and need no coroutine to know.
  [[nodiscard]] bool may_be_resent(const MoveCommand& command) const {
    return !alike(command).empty();
  }
  /// Answers a move that was played before with what it became, or refuses it where that cannot be
  /// told. False: the move is new. From the consumer of commands.
  boost::asio::awaitable<bool> answered(const MoveCommand& command);

 private:
  /// The versions that the move may have become when it came before, the newest first.
  [[nodiscard]] std::vector<Version> alike(const MoveCommand& command) const;
  boost::asio::awaitable<codec::FramePtr> repeat(const MoveCommand& command, Version version,
                                                 std::int64_t at_ms);
  /// Reads the events from `version` on, for the moves that are sent again with this one.
  boost::asio::awaitable<void> read_back(Version version);
  [[nodiscard]] codec::FramePtr find(Version version) const;

  const Position& position_;
  Members& members_;
  const RecentFrames& frames_;
  store::EventLog& log_;
  const replay::Aside aside_;
  TableHost& host_;
  // Events that were read back, kept for limits::kReadBackTime.
  Version first_;
  std::vector<codec::FramePtr> read_;
  Alarm forgets_;
};

}  // namespace tesela::tables
