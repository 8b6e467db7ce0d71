// One live table: it handles the commands, writes the log and sends the frames of the table.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/frame.h"
#include "server/metrics/metrics.h"
#include "server/tables/attempts.h"
#include "server/tables/bot_search.h"
#include "server/tables/bot_seats.h"
#include "server/tables/claims.h"
#include "server/tables/core/command.h"
#include "server/tables/core/freeze.h"
#include "server/tables/core/inbox.h"
#include "server/tables/core/position.h"
#include "server/tables/core/seat_command.h"
#include "server/tables/core/table_host.h"
#include "server/tables/gathering.h"
#include "server/tables/hints.h"
#include "server/tables/members/attendance.h"
#include "server/tables/members/members.h"
#include "server/tables/members/outbox.h"
#include "server/tables/members/recent_frames.h"
#include "server/tables/members/seating.h"
#include "server/tables/members/talk.h"
#include "server/tables/newcomers.h"
#include "server/tables/resent_moves.h"
#include "server/tables/seat_changes.h"
#include "server/tables/snapshot_writer.h"
#include "server/tables/table_gauge.h"
#include "server/tables/table_parts.h"
#include "server/tables/turn_timer.h"

namespace tesela::tables {

/// Made from a replayed log; then `run` handles commands until `close`. All functions are called on
/// the thread of the table's io_context; there are no locks.
///
/// A move is tried on a copy of the position and appended to the log. When the append is durable,
/// the copy becomes the position and the event is sent to the members.
class Table final : public TableHost, public std::enable_shared_from_this<Table> {
 public:
  Table(const Executor& executor, TableParts parts);

  /// Handles commands, one at a time, until `close`. Then sends Goodbye to every member, but not
  /// when the table is handed over.
  boost::asio::awaitable<void> run();
  /// Stops accepting commands. `run` handles those in the inbox and ends.
  void close(Goodbye goodbye) override;
  /// As `close`, of a table that another server is to take: its connections stay until
  /// `say_goodbye`. Without effect while the table is closing.
  void hand_over(Goodbye goodbye);
  /// After the end of `run`, when the table may be taken.
  void say_goodbye() { members_.end_all(*goodbye_); }
  /// Whether the table is handed over.
  [[nodiscard]] bool handed_over() const { return handed_over_; }
  /// Whether it was handed over while bots played or were to take seats, which must go on.
  [[nodiscard]] bool goes_on() const { return goes_on_; }
  /// When it was loaded.
  [[nodiscard]] std::chrono::steady_clock::time_point loaded_at() const { return loaded_at_; }
  /// In a freeze: closes its connections without a word.
  void leave_clients() { members_.abandon_all(); }
  /// A freeze is over, during which `run` has handled no command.
  void thaw() { timer_.thaw(); }
  /// Another server may have the table: closes its connections without a word, and ends `run` when
  /// the store has answered what is under way.
  void drop();

  /// Adds a connection, which receives through `outbox` a Welcome, then the missed events or a
  /// Snapshot, then every event. `outbox` must live until `leave`. `from` identifies the client's
  /// address; without it kSpectatorsPerAddress does not apply. Errors:
  ///   kUnavailable        the table is closing, or its inbox is full
  ///   kResourceExhausted  kConnectionsPerTableMax, or kSpectatorsPerAddress for a spectator
  ///   kInviteNeeded, kNoSpectators  the player may not watch
  ///   kNotShownYet        a spectator of a daily game whose day is not over
  [[nodiscard]] Expected<MemberId> join(Outbox& outbox, std::optional<PlayerId> player,
                                        const codec::Hello& hello,
                                        std::shared_ptr<const void> from = nullptr) {
    return newcomers_.join(outbox, player, hello, std::move(from));
  }
  /// Removes a connection.
  void leave(MemberId member);
  /// The same where servers are at fault: if it was the player's turn, its time begins again when
  /// the player is back, as after a load.
  void leave_by_fault(MemberId member);
  /// Queues a move, which came at `came`, and may handle it within the call. False, without effect,
  /// when the inbox is full. While the table is closing the move is dropped, and the Goodbye is its
  /// answer.
  [[nodiscard]] bool post(
      MemberId member, codec::Move&& move,
      std::chrono::steady_clock::time_point came = std::chrono::steady_clock::now());
  /// The same for a hint request, and for a claim.
  [[nodiscard]] bool post(MemberId member, codec::HintRequest request) {
    return hints_.ask(member, std::move(request));
  }
  [[nodiscard]] bool post(MemberId member, codec::Claim claim) {
    return claims_.make(member, std::move(claim));
  }
  /// Sends a frame that is for the member alone, behind its Welcome (Members::send).
  void send(MemberId member, const codec::FramePtr& frame) { members_.send(member, frame); }
  /// Sends a chat message to all members who do not mute the speaker.
  void say(MemberId member, const codec::Say& what) { talk_.say(member, what); }
  void mute(MemberId member, const codec::Mute& mute) { talk_.mute(member, mute); }
  /// Sends a frame that is not the table's to all members, behind their Welcome.
  void tell(const codec::FramePtr& frame) {
    for (Member& member : members_) members_.send(member, frame);
  }
  /// Nothing of what these players say is sent to the member, until it unmutes them.
  void block(MemberId member, std::vector<PlayerId> players) {
    talk_.block(member, std::move(players));
  }
  /// Whether several players may talk here.
  [[nodiscard]] bool talks() const {
    return position_.row.seat_count > 1 && position_.options.talk != codec::Talk::kOff;
  }
  /// The last chat messages (Talk::last).
  [[nodiscard]] const std::vector<store::ReportLine>& last_talk() const { return talk_.last(); }
  /// Applies a command about seats, after those in the inbox: see SeatChanges::ask.
  boost::asio::awaitable<Expected<store::TableRow>> apply(SeatCommand command) {
    return seat_changes_.ask(std::move(command));
  }
  /// Tells the members the table of the rematch.
  void offer_rematch(TableId table) { seating_.offer_rematch(table); }
  /// The member's outbox is empty. If frames were dropped from it, a Snapshot is sent.
  void drained(MemberId member) { newcomers_.drained(member); }

  [[nodiscard]] TableId id() const { return position_.row.id; }
  /// Of the claim under which the table was loaded.
  [[nodiscard]] Epoch epoch() const { return position_.row.epoch; }
  [[nodiscard]] Version version() const { return position_.version; }
  [[nodiscard]] LiveView live_view() const;
  /// The seat of a connection's player; empty for a spectator, and after `leave`.
  [[nodiscard]] std::optional<Seat> seat_of(MemberId member) {
    const Member* found = members_.find(member);
    return found == nullptr ? std::nullopt : found->seat;
  }
  /// Ends all streams of a player.
  void send_away(PlayerId player, const Goodbye& goodbye) {
    members_.end_those_of(player, goodbye);
  }
  /// Whether the player has a connection here, seated or as a spectator.
  [[nodiscard]] bool has(PlayerId player) const { return members_.has(player); }
  [[nodiscard]] bool closing() const { return goodbye_.has_value(); }
  /// Whether the player has a seat that no strategy plays for them.
  [[nodiscard]] bool plays(PlayerId player) const { return position_.plays(player); }
  /// Whether the player has a seat, also one that a strategy plays.
  [[nodiscard]] bool seats(PlayerId player) const { return position_.seat_of(player).has_value(); }
  /// Whether the table's row names the player.
  [[nodiscard]] bool names(PlayerId player) const {
    return seats(player) || position_.row.owner == player;
  }
  /// Whether the player has a seat, and the game is not over.
  [[nodiscard]] bool counts_for(PlayerId player) const {
    return position_.row.state != store::TableState::kOver && seats(player);
  }
  /// Since when the table has had no members and no work. Empty while it has either, or while bots
  /// are to take seats.
  [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> idle_since() const;
  /// Frees the frames of events that were played before `time`, but for the last one; that too, and
  /// all others, when nobody has been connected since `time`. Not as soon as the last one leaves: a
  /// cut ends all streams at once, and all who come back would have the log executed.
  void drop_events_before(RecentFrames::Time time);

 private:
  // TableHost, for the parts.
  [[nodiscard]] const Executor& executor() const override { return executor_; }
  [[nodiscard]] std::weak_ptr<void> life() override { return weak_from_this(); }
  [[nodiscard]] Freeze& freeze() override { return freeze_; }
  [[nodiscard]] bool ended() const override { return goodbye_ || lost_; }
  [[nodiscard]] bool accepts() const override { return !goodbye_ && !inbox_.full(); }
  [[nodiscard]] bool enqueue(Command&& command) override { return inbox_.send(std::move(command)); }
  boost::asio::awaitable<Expected<void>> mark_assisted() override {
    return seat_changes_.mark_assisted();
  }
  void lose(const Error& error) override;

  /// `command` must live until the coroutine ends; `handle` takes any but a move.
  boost::asio::awaitable<void> handle(Command& command);
  boost::asio::awaitable<void> play(const MoveCommand& command);
  /// Tries an undo. The first one marks the row as assisted, if the game counted until then.
  boost::asio::awaitable<Expected<void>> undo(const MoveCommand& command, MoveAttempt& tried);
  /// Shows a move that was stored just now.
  void show(const MoveCommand& command, MoveAttempt& attempt,
            std::chrono::steady_clock::time_point stored);
  void trace(const MoveCommand& command, std::chrono::steady_clock::time_point sent,
             std::chrono::steady_clock::time_point stored) const;
  void refuse_move(const MoveCommand& command, const Refusal& refusal);

  store::EventLog& log_;
  metrics::Metrics& metrics_;
  prometheus::Counter& moves_;
  TableGauge gauge_;
  const Executor executor_;
  Freeze& freeze_;
  Inbox<Command> inbox_;
  std::optional<Goodbye> goodbye_;  // set: closing
  bool handed_over_ = false;        // closing, for another server
  bool goes_on_ = false;            // handed over, with bots that must go on
  std::optional<std::chrono::steady_clock::time_point> appends_since_;
  bool lost_ = false;  // the log is in an unknown state or has another owner
  const std::chrono::steady_clock::time_point loaded_at_;

  // Each uses only those above it.
  Position position_;
  Members members_;
  Attendance attendance_;
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
  SnapshotWriter snapshots_;
  Claims claims_;
};

}  // namespace tesela::tables
