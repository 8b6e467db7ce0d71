// One table: the only consumer of its commands, the only writer of its log, the source of its
// frames.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/frame.h"
#include "server/ops/metrics.h"
#include "server/store/store.h"
#include "server/table/inbox.h"
#include "server/table/outbox.h"
#include "server/table/recent_moves.h"
#include "server/table/replay.h"

namespace tesela::table {

/// One connection at one table.
using MemberId = Strong<struct MemberTag, std::uint64_t>;

/// Why a table ends its connections.
struct Farewell {
  codec::Reason reason{codec::Reason::kServerRestart};
  std::string message{};
  std::uint32_t reconnect_after_ms{};
};

/// Life: made from a replayed log, then `run` until `close`. Everything is called on the thread of
/// the table's io_context; nothing here is locked.
///
/// Durable before visible: a move is tried on a copy, appended to the log, and only when the log
/// has it does it become the position and go to the members.
class Table {
 public:
  struct Parts {
    store::EventLog& log;
    store::Store& store;
    ops::Metrics& metrics;
    store::TableRow row;  // with the epoch of this owner's claim
    Replayed game;
    std::uint32_t frames_per_second_max;
    std::function<void(const store::TableRow&)> changed;  // a seat was taken, or the game ended
  };

  Table(const boost::asio::io_context::executor_type& executor, Parts parts);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// Handles commands, one at a time, until `close`; then every member has been told goodbye.
  boost::asio::awaitable<void> run();
  /// Lets `run` finish what waits in the inbox and end.
  void close(Farewell farewell);

  /// A connection comes. It is answered through `outbox`: Welcome, then the missed events or a
  /// Snapshot, then every event. `outbox` must live until `leave`. Errors: kUnavailable when the
  /// table is closing or its inbox is full, kResourceExhausted beyond kConnectionsPerTableMax.
  [[nodiscard]] Expected<MemberId> join(Outbox& outbox, std::optional<PlayerId> player,
                                        const codec::Hello& hello);
  /// The connection is gone.
  void leave(MemberId member);
  /// A move comes. False when the inbox is full: nothing was queued.
  [[nodiscard]] bool post(MemberId member, codec::Move move);
  /// Seats a player, on the first free seat when `seat` is not given; the game begins when the last
  /// seat is taken. Gives the table as it is then; a player who sits there already changes nothing.
  /// Errors: kSeatTaken, kInvalidArgument (no such seat), kUnavailable (closing, busy, or the store
  /// cannot be written).
  boost::asio::awaitable<Expected<store::TableRow>> take_seat(PlayerId player, std::string name,
                                                              std::optional<Seat> seat);
  /// The member's outbox has been written out: if it had lost frames, it gets a Snapshot now.
  void drained(MemberId member);

  [[nodiscard]] TableId id() const { return row_.id; }
  [[nodiscard]] Version version() const { return version_; }
  [[nodiscard]] bool closing() const { return farewell_.has_value(); }
  /// Since when nobody is here and nothing waits; empty while somebody is.
  [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> idle_since() const;

 private:
  struct Member {
    MemberId id;
    Outbox* outbox;
    std::optional<PlayerId> player;  // none: a spectator, by wish or without a token
    std::optional<Seat> seat;
    Version last_version;  // what it said in Hello
    bool present = false;  // has been welcomed: receives events
    bool lagging = false;  // lost frames: waits for a Snapshot
  };
  struct Arrival {
    MemberId member;
  };
  struct MoveCommand {
    MemberId member;
    std::optional<Seat> seat;
    codec::Move move;
  };
  struct SeatCommand {
    PlayerId player;
    std::string name;
    std::optional<Seat> seat;  // none: the first that is free
    std::move_only_function<void(Expected<store::TableRow>)> answer;
  };
  using Command = std::variant<Arrival, MoveCommand, SeatCommand>;

  [[nodiscard]] bool command(Command command);
  boost::asio::awaitable<void> welcome(MemberId arrived);
  boost::asio::awaitable<Expected<std::vector<codec::FramePtr>>> missed_after(Version version);
  boost::asio::awaitable<void> play(MoveCommand command);
  boost::asio::awaitable<Expected<store::TableRow>> seat(const SeatCommand& command);
  [[nodiscard]] std::optional<Seat> seat_of(PlayerId player) const;
  [[nodiscard]] Expected<Seat> free_seat(const SeatCommand& command) const;
  [[nodiscard]] codec::Seating seating() const;
  boost::asio::awaitable<void> repeat(MemberId member, Version version);
  [[nodiscard]] Expected<void> admissible(const MoveCommand& command) const;
  void show(const MoveCommand& command, Played played, std::int64_t at_ms);
  void not_stored(const MoveCommand& command, const Error& error);
  void lose(const Error& error);
  [[nodiscard]] static std::unexpected<Error> closes();
  void refuse_move(const MoveCommand& command, codec::Reason reason, std::string_view message);
  void send(Member& member, const codec::FramePtr& frame);
  [[nodiscard]] codec::FramePtr welcome_of(const Member& member, bool resumed) const;
  [[nodiscard]] codec::FramePtr snapshot() const;
  [[nodiscard]] Member* find(MemberId member);

  store::EventLog& log_;
  store::Store& store_;
  ops::Metrics& metrics_;
  prometheus::Counter& moves_;
  store::TableRow row_;
  std::unique_ptr<Match> match_;
  Version version_;
  std::int64_t at_ms_;  // of the last event
  RecentMoves recent_moves_;
  codec::FramePtr last_event_;  // of `version_`, when it was played in this life
  std::uint32_t frames_per_second_max_;
  std::function<void(const store::TableRow&)> changed_;

  Inbox<Command> inbox_;
  std::size_t waiting_ = 0;  // commands posted and not yet finished
  std::vector<Member> members_;
  MemberId last_member_;
  std::optional<Farewell> farewell_;  // set: closing
  bool lost_ = false;  // the log is ahead, or somebody else's: nothing more is played
  std::chrono::steady_clock::time_point idle_since_;
};

}  // namespace tesela::table
