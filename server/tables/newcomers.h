// Adds the new members of a table and brings them up to date: Welcome, and then the missed events
// or a Snapshot.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/frame.h"
#include "server/replay/replay.h"
#include "server/tables/bot_seats.h"
#include "server/tables/core/position.h"
#include "server/tables/core/table_host.h"
#include "server/tables/members/members.h"
#include "server/tables/members/outbox.h"
#include "server/tables/members/recent_frames.h"
#include "server/tables/members/seating.h"
#include "server/tables/turn_timer.h"

namespace tesela::tables {

/// One thread: the table's.
class Newcomers {
 public:
  /// What it uses; the references outlive it.
  struct Parts {
    const Position& position;
    Members& members;
    RecentFrames& frames;
    Seating& seating;
    TurnTimer& timer;
    BotSeats& bots;
    TableHost& host;
    replay::Source source;
    replay::Aside aside;  // the threads that execute logs
    std::uint32_t frames_per_second_max;
  };

  explicit Newcomers(Parts parts) : parts_(parts) {}

  /// Table::join.
  [[nodiscard]] Expected<MemberId> join(Outbox& outbox, std::optional<PlayerId> player,
                                        const codec::Hello& hello,
                                        std::shared_ptr<const void> from);
  /// Whether the client says that it has seen a later version than the table's.
  [[nodiscard]] bool is_ahead(MemberId arrived) const;
  /// Of a client that is ahead: whether it may be told the position. The log is asked. If it is
  /// longer, another server has the table: then the table is lost. If it cannot be asked, the
  /// client is sent a Goodbye, and may come back. Only while a command is handled: no append is
  /// under way.
  boost::asio::awaitable<bool> may_greet(MemberId arrived);
  /// Sends Welcome and the missed events, or a Snapshot in their place; then the member is present.
  /// If the missed events have to be read from the log, that runs beside the table's commands.
  void welcome(MemberId arrived);
  /// The member's outbox is empty. If frames were dropped from it, sends a Snapshot.
  void drained(MemberId member);
  /// A Snapshot of the position; the game must have begun.
  [[nodiscard]] codec::FramePtr snapshot();

 private:
  /// `life` keeps the table alive until the coroutine ends.
  boost::asio::awaitable<void> catch_up(std::shared_ptr<void> life, MemberId arrived, Version last,
                                        codec::Protocol protocol);
  /// The events after `last` up to `until`; none when they cannot be executed.
  boost::asio::awaitable<std::optional<std::vector<codec::FramePtr>>> missed_events(
      MemberId arrived, Version last, Version until, codec::Protocol protocol);
  [[nodiscard]] replay::Urgency urgency_of(const Member* member) const;
  void admit(MemberId arrived, std::optional<std::vector<codec::FramePtr>> missed);
  [[nodiscard]] codec::FramePtr welcome_of(const Member& member, bool resumed) const;

  Parts parts_;
  std::size_t catching_up_ = 0;
};

}  // namespace tesela::tables
