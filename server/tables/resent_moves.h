// Moves that come to a table again: they were played, and are answered with what they became.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "engine/core/ids.h"
#include "server/codec/frame.h"
#include "server/replay/replay.h"
#include "server/store/event_log.h"
#include "server/tables/command.h"
#include "server/tables/members.h"
#include "server/tables/move_attempt.h"
#include "server/tables/position.h"
#include "server/tables/recent_frames.h"
#include "server/tables/table_host.h"

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

  /// The versions that the move may have become when it came before, the newest first.
  [[nodiscard]] std::vector<Version> alike(const MoveCommand& command) const;
  /// The answer to a move that was played before, as one of `versions`, or the refusal of one of
  /// which that cannot be told; neither: it is new. From the consumer of commands.
  struct Answer {
    codec::FramePtr frame{};
    std::optional<Refusal> refusal{};
  };
  boost::asio::awaitable<std::optional<Answer>> answer(const MoveCommand& command,
                                                       std::vector<Version> versions);

 private:
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
