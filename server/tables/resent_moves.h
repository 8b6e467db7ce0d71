// Recognises moves, and claims of a resignation, that a client sends again after they were played,
// and answers each with the event that it became.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "server/codec/frame.h"
#include "server/replay/replay.h"
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
  /// The references outlive it. `aside`: the threads that execute logs.
  ResentMoves(const Position& position, Members& members, const RecentFrames& frames,
              replay::Source source, replay::Aside aside, TableHost& host)
      : position_(position),
        members_(members),
        frames_(frames),
        source_(source),
        aside_(aside),
        host_(host) {}

  /// Whether a move (or, with `claimed_by`, a claim) with this id may have been played. Cheap;
  /// false for most moves.
  [[nodiscard]] bool may_be_resent(const MoveCommand& command) const {
    return !alike(command).empty();
  }
  /// True when the move was played before: it was answered with its event, or refused because the
  /// log could not be read. False when the move is new. Only while a command is handled.
  boost::asio::awaitable<bool> answered(const MoveCommand& command);

 private:
  /// The versions that the move may have become, newest first.
  [[nodiscard]] std::vector<Version> alike(const MoveCommand& command) const;
  boost::asio::awaitable<codec::FramePtr> repeat(const MoveCommand& command, Version version,
                                                 std::int64_t at_ms);
  /// Reads the events from `version` on for the member: a client often sends several moves again.
  boost::asio::awaitable<void> read_back(MemberId member, Version version);
  [[nodiscard]] codec::FramePtr find(Version version) const;

  const Position& position_;
  Members& members_;
  const RecentFrames& frames_;
  const replay::Source source_;
  const replay::Aside aside_;
  TableHost& host_;
  // Events from `first_` on that were read back, kept for limits::kReadBackTime.
  Version first_;
  std::vector<codec::FramePtr> read_;
  LazyTimer forgets_;
};

}  // namespace tesela::tables
