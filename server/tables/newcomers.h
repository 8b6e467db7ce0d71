// Connections that come to a table: what they missed, found and sent.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "server/codec/frame.h"
#include "server/replay/replay.h"
#include "server/store/event_log.h"
#include "server/tables/bot_seats.h"
#include "server/tables/core/position.h"
#include "server/tables/core/table_host.h"
#include "server/tables/members/members.h"
#include "server/tables/members/recent_frames.h"
#include "server/tables/members/seating.h"
#include "server/tables/turn_timer.h"

namespace tesela::tables {

/// One thread: the table's.
class Newcomers {
 public:
  /// What a newcomer makes go on; all outlive it.
  struct Parts {
    const Position& position;
    Members& members;
    RecentFrames& frames;
    Seating& seating;
    TurnTimer& timer;
    BotSeats& bots;
    TableHost& host;
    store::EventLog& log;
    replay::Aside aside;     // where the log is executed again
    std::string commitment;  // to the dice
    std::uint32_t frames_per_second_max;
  };

  explicit Newcomers(Parts parts) : parts_(std::move(parts)) {}

  /// Sends Welcome, then the missed events or, without them, a Snapshot; the member is present. At
  /// once where the events are at hand or a Snapshot is due; otherwise they are found beside the
  /// commands of the table.
  void welcome(MemberId arrived);
  /// The member's outbox has been written out: if it had lost frames, it gets a Snapshot now.
  void drained(MemberId member);
  /// A Snapshot of the position, which has begun.
  [[nodiscard]] codec::FramePtr snapshot();

 private:
  /// `life` keeps the table alive.
  boost::asio::awaitable<void> catch_up(std::shared_ptr<void> life, MemberId arrived, Version last,
                                        codec::Protocol protocol);
  void admit(MemberId arrived, std::optional<std::vector<codec::FramePtr>> missed);
  [[nodiscard]] codec::FramePtr welcome_of(const Member& member, bool resumed) const;

  Parts parts_;
  std::size_t catching_up_ = 0;
};

}  // namespace tesela::tables
