// One table: the only consumer of its commands, the only writer of its log, the source of its
// frames.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/frame.h"
#include "server/metrics/metrics.h"
#include "server/tables/attempts.h"
#include "server/tables/bot_search.h"
#include "server/tables/bot_seats.h"
#include "server/tables/core/command.h"
#include "server/tables/core/inbox.h"
#include "server/tables/core/position.h"
#include "server/tables/core/seat_command.h"
#include "server/tables/core/table_host.h"
#include "server/tables/gathering.h"
#include "server/tables/hints.h"
#include "server/tables/members/members.h"
#include "server/tables/members/outbox.h"
#include "server/tables/members/recent_frames.h"
#include "server/tables/members/seating.h"
#include "server/tables/members/talk.h"
#include "server/tables/newcomers.h"
#include "server/tables/resent_moves.h"
#include "server/tables/seat_changes.h"
#include "server/tables/table_gauge.h"
#include "server/tables/table_parts.h"
#include "server/tables/turn_timer.h"

namespace tesela::tables {

/// Life: made from a replayed log, then `run` until `close`. Everything is called on the thread of
/// the table's io_context; nothing here is locked.
///
/// Durable before visible: a move is tried on a copy, appended to the log, and only when the log
/// has it does it become the position and go to the members.
class Table final : public TableHost, public std::enable_shared_from_this<Table> {
 public:
  using Parts = TableParts;

  Table(const Executor& executor, Parts parts);

  /// Handles commands, one at a time, until `close`; then every member has been told goodbye.
  boost::asio::awaitable<void> run();
  /// Lets `run` finish what waits in the inbox and end.
  void close(Goodbye goodbye) override;

  /// A connection comes. It is answered through `outbox`: Welcome, then the missed events or a
  /// Snapshot, then every event. `outbox` must live until `leave`. Errors: kUnavailable when the
  /// table is closing or its inbox is full, kResourceExhausted beyond kConnectionsPerTableMax, and
  /// beyond kSpectatorsPerAddress for a member without a seat that comes from the same address as
  /// those (`from`: stands for the address; none: no limit holds it), kInviteNeeded and
  /// kNoSpectators where the player may not watch, kNotShownYet for a spectator of a try at a daily
  /// game.
  [[nodiscard]] Expected<MemberId> join(Outbox& outbox, std::optional<PlayerId> player,
                                        const codec::Hello& hello,
                                        std::shared_ptr<const void> from = nullptr);
  /// The connection is gone.
  void leave(MemberId member);
  /// A move comes. False when the inbox is full: nothing was queued. When the table closes nothing
  /// is either, and its goodbye is the answer.
  [[nodiscard]] bool post(MemberId member, codec::Move move);
  /// The same of a question.
  [[nodiscard]] bool post(MemberId member, codec::HintRequest request);
  /// Somebody speaks: heard by all who are here and do not mute the speaker. Not kept.
  void say(MemberId member, const codec::Say& what);
  void mute(MemberId member, const codec::Mute& mute);
  /// Changes who sits at the table; the game begins when the last seat is taken. Durable when it
  /// returns: the table as it is then. Errors: those of `apply`, kUnauthenticated (the player is
  /// not known), kUnavailable (closing, busy, or the store cannot be written).
  boost::asio::awaitable<Expected<store::TableRow>> apply(SeatCommand command);
  /// Tells everybody where the game goes on once more.
  void offer_rematch(TableId table) { seating_.offer_rematch(table); }
  /// The member's outbox has been written out: if it had lost frames, it gets a Snapshot now.
  void drained(MemberId member) { newcomers_.drained(member); }

  [[nodiscard]] TableId id() const { return position_.row.id; }
  [[nodiscard]] Version version() const { return position_.version; }
  [[nodiscard]] LiveView live_view() const;
  /// Whether the player has a connection here, with a seat or watching.
  [[nodiscard]] bool has(PlayerId player) const { return members_.has(player); }
  [[nodiscard]] bool closing() const { return goodbye_.has_value(); }
  /// Whether the player has a seat here that no strategy plays in their place.
  [[nodiscard]] bool plays(PlayerId player) const { return position_.plays(player); }
  /// Since when nobody is here and nothing waits; empty while somebody is, or while bots are to
  /// come.
  [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> idle_since() const;

 private:
  // TableHost, for the parts.
  [[nodiscard]] const Executor& executor() const override { return executor_; }
  [[nodiscard]] std::weak_ptr<void> life() override { return weak_from_this(); }
  [[nodiscard]] bool ended() const override { return goodbye_ || lost_; }
  [[nodiscard]] bool enqueue(Command command) override;
  boost::asio::awaitable<Expected<void>> change(store::TableRow row) override {
    return seat_changes_.change(std::move(row));
  }
  void lose(const Error& error) override;

  boost::asio::awaitable<void> welcome(MemberId arrived);
  /// The command stays until it has ended.
  boost::asio::awaitable<void> play(const MoveCommand& command);
  void show(const MoveCommand& command, MoveAttempt& attempt);
  void refuse_move(const MoveCommand& command, const Refusal& refusal);

  store::EventLog& log_;
  metrics::Metrics& metrics_;
  prometheus::Counter& moves_;
  TableGauge gauge_;
  const Executor executor_;
  Inbox<Command> inbox_;
  std::size_t waiting_ = 0;         // commands queued and not yet finished
  std::optional<Goodbye> goodbye_;  // set: closing
  bool lost_ = false;               // the log is ahead, or somebody else's: nothing more is played
  std::chrono::steady_clock::time_point idle_since_;

  // Each uses those above it.
  Position position_;
  Members members_;
  RecentFrames frames_;
  Seating seating_;
  Talk talk_;
  BotSearch bot_search_;
  BotSeats bots_;
  TurnTimer timer_;
  Hints hints_;
  ResentMoves resent_;
  Attempts attempts_;
  Gathering gathering_;
  Newcomers newcomers_;
  SeatChanges seat_changes_;
};

}  // namespace tesela::tables
