// One table: the only consumer of its commands, the only writer of its log, the source of its
// frames.
#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/bots/bot_threads.h"
#include "server/bots/remote_bots.h"
#include "server/codec/frame.h"
#include "server/codec/record.h"
#include "server/codec/table_options.h"
#include "server/games/clock.h"
#include "server/metrics/metrics.h"
#include "server/quota/rate.h"
#include "server/quota/table_quotas.h"
#include "server/replay/game_outcome.h"
#include "server/replay/move_shares.h"
#include "server/replay/recent_moves.h"
#include "server/replay/replay.h"
#include "server/replay/start_game.h"
#include "server/store/store.h"
#include "server/tables/inbox.h"
#include "server/tables/outbox.h"
#include "server/tables/seat_command.h"

namespace tesela::tables {

/// One connection at one table.
using MemberId = Strong<struct MemberTag, std::uint64_t>;

/// Why a table ends its connections.
struct Goodbye {
  codec::Reason reason{codec::Reason::kServerRestart};
  std::string message{};
  bool reconnect{true};
  std::uint32_t reconnect_after_ms{};
};

/// What there is to be seen of a table that lives.
struct LiveView {
  codec::FramePtr seating;  // with who is connected
  codec::FramePtr clocks;   // none without clocks, and before the game begins
};

/// Life: made from a replayed log, then `run` until `close`. Everything is called on the thread of
/// the table's io_context; nothing here is locked.
///
/// Durable before visible: a move is tried on a copy, appended to the log, and only when the log
/// has it does it become the position and go to the members.
class Table : public std::enable_shared_from_this<Table> {
 public:
  struct Parts {
    store::EventLog& log;
    store::Store& store;
    metrics::Metrics& metrics;
    bots::BotThreads& bots;
    bots::RemoteBots& remote_bots;
    quota::TableQuotas& quotas;
    store::TableRow row;                 // with the epoch of this owner's claim
    codec::TableOptions options;         // of the row
    replay::Replayed game;               // without a match while the table is open
    std::optional<TableId> rematch;      // where the game goes on once more, if somebody has asked
    std::chrono::milliseconds bot_pace;  // from a move to a bot's answer, at least
    std::chrono::milliseconds bot_pace_alone;  // the same where nobody is connected
    bool rate_bots;                            // whether ranked games against bots alone count
    std::uint32_t frames_per_second_max;
    replay::Aside aside;                                  // where the log is executed again
    std::function<void(const store::TableRow&)> changed;  // its seats, its mark, its state
  };

  Table(const boost::asio::io_context::executor_type& executor, Parts parts);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// Handles commands, one at a time, until `close`; then every member has been told goodbye.
  boost::asio::awaitable<void> run();
  /// Lets `run` finish what waits in the inbox and end.
  void close(Goodbye goodbye);

  /// A connection comes. It is answered through `outbox`: Welcome, then the missed events or a
  /// Snapshot, then every event. `outbox` must live until `leave`. Errors: kUnavailable when the
  /// table is closing or its inbox is full, kResourceExhausted beyond kConnectionsPerTableMax, and
  /// beyond kSpectatorsPerAddress for who has no seat and comes from the same place as those
  /// (`from`: what stands for an address; none: no limit holds it),
  /// kInviteNeeded and kNoSpectators for who may not watch, kNotShownYet for a spectator of a try
  /// at a daily game.
  [[nodiscard]] Expected<MemberId> join(Outbox& outbox, std::optional<PlayerId> player,
                                        const codec::Hello& hello,
                                        std::shared_ptr<const void> from = nullptr);
  /// The connection is gone.
  void leave(MemberId member);
  /// A move comes. False when the inbox is full: nothing was queued. When the table closes nothing
  /// is either, and its goodbye is the answer.
  [[nodiscard]] bool post(MemberId member, codec::Move move);
  /// Somebody speaks: heard by all who are here and do not mute the speaker. Not kept.
  void say(MemberId member, const codec::Say& what);
  void mute(MemberId member, const codec::Mute& mute);
  /// A question comes. False when the inbox is full: nothing was queued.
  [[nodiscard]] bool post(MemberId member, codec::HintRequest request);
  /// Changes who sits at the table; the game begins when the last seat is taken. Durable when it
  /// returns: the table as it is then. Errors: those of `apply`, kUnauthenticated (the player
  /// is not known), kUnavailable (closing, busy, or the store cannot be written).
  boost::asio::awaitable<Expected<store::TableRow>> apply(SeatCommand command);
  /// Tells everybody where the game goes on once more.
  void offer_rematch(TableId table);
  /// The member's outbox has been written out: if it had lost frames, it gets a Snapshot now.
  void drained(MemberId member);

  [[nodiscard]] TableId id() const { return row_.id; }
  [[nodiscard]] Version version() const { return version_; }
  [[nodiscard]] LiveView live_view() const;
  /// Whether the player has a connection here, with a seat or watching.
  [[nodiscard]] bool has(PlayerId player) const;
  [[nodiscard]] bool closing() const { return goodbye_.has_value(); }
  /// Whether the player has a seat here that no strategy plays in their place.
  [[nodiscard]] bool plays(PlayerId player) const;
  /// Since when nobody is here and nothing waits; empty while somebody is, or while bots are to
  /// come.
  [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> idle_since() const;

 private:
  /// A frame that waits for those before it.
  struct Held {
    codec::FramePtr frame;
    bool event;  // a Snapshot stands for it too
  };
  struct Member {
    MemberId id;
    Outbox* outbox;
    std::optional<PlayerId> player;  // none: a spectator, by choice or without a token
    std::optional<Seat> seat;
    Version last_version;                        // what it said in Hello
    bool present = false;                        // has been welcomed: receives events
    bool lagging = false;                        // lost frames: waits for a Snapshot
    bool asking = false;                         // for a hint
    std::shared_ptr<quota::TableQuota> quota{};  // of the player; none: of nobody
    std::vector<PlayerId> muted{};
    std::shared_ptr<const void> from{};
    /// Set while the missed events are found: what it is sent meanwhile comes after them.
    std::unique_ptr<std::vector<Held>> held{};
  };
  /// Made when it is needed: most tables are idle, and each timer takes a hundred bytes.
  using Timer = std::unique_ptr<boost::asio::steady_timer>;
  /// Who is here.
  struct Presence {
    std::array<bool, kSeatsMax> connected{};
    std::uint32_t spectators{};

    friend bool operator==(const Presence&, const Presence&) = default;
  };
  struct Arrival {
    MemberId member;
  };
  /// Events that were read back for moves that were sent again; kept for a moment.
  struct ReadBack {
    Version first;
    std::vector<codec::FramePtr> frames;

    [[nodiscard]] codec::FramePtr find(Version version) const;
  };
  /// The Snapshot that was sent last; none while nobody is here.
  struct LastSnapshot {
    Version version;
    codec::FramePtr frame;
  };
  struct MoveCommand {
    MemberId member{};  // none: a bot
    // Who sent it; none: a bot, or somebody who only watches. Their stream may end before it is
    // played.
    std::optional<PlayerId> player{};
    std::optional<Seat> seat{};  // of a player: the one that they have when it is played
    codec::Move move;
    std::string strategy{};                        // of a bot
    std::chrono::steady_clock::time_point came{};  // not of a bot
  };
  /// A move on its way into the log: what it would make of the table.
  struct Attempt {
    std::int64_t at_ms{};     // Unix time in milliseconds
    games::Clock clock;       // as the next turn begins
    bool late{};              // a strategy moves, since the player's time is over
    std::int64_t spent_ms{};  // what the seat's clock is charged
    games::Played played{};
    store::Append append{};
  };
  struct HintCommand {
    MemberId member;
    codec::HintRequest request;
  };
  struct ChangeSeats {
    SeatCommand command;
    std::move_only_function<void(Expected<store::TableRow>)> answer;
  };
  using Command = std::variant<Arrival, MoveCommand, HintCommand, ChangeSeats>;
  /// A strategy that is to find a move for a seat. In the place of a remote bot that gives
  /// none, the game's stand-in is asked by `think`.
  struct BotTask {
    std::string strategy;
    Seat seat;
    games::SearchTask search;
  };
  /// What comes of it; none: there was too much to think about.
  using Then = std::function<void(Table&, const std::optional<games::BotReply>&)>;

  [[nodiscard]] bool enqueue(Command command);
  boost::asio::awaitable<void> welcome(MemberId arrived);
  /// Finds the events after `last` beside the commands of the table, and admits the member.
  boost::asio::awaitable<void> catch_up(std::shared_ptr<Table> self, MemberId arrived, Version last,
                                        codec::Protocol protocol);
  /// Sends Welcome, and the missed events or, without them, a Snapshot; the member is present.
  void admit_now(MemberId arrived, std::optional<std::vector<codec::FramePtr>> missed);
  void hold(Member& member, codec::FramePtr frame, bool event);
  /// Takes what the log's execution up to now costs from what may be executed for the member's
  /// seat, or for all who watch. False when nothing is left.
  [[nodiscard]] bool may_execute(const Member& member);
  /// The command stays until it has ended.
  boost::asio::awaitable<void> play(const MoveCommand& command);
  /// Whether a client may choose it for a move or a question.
  [[nodiscard]] static bool is_id(std::string_view id, std::size_t bytes_max);
  /// False, and refused, where a move could not be played at any version.
  [[nodiscard]] bool may_be_played(const MoveCommand& command);
  /// The versions that the move may have become when it came before, the newest first.
  [[nodiscard]] std::vector<Version> alike(const MoveCommand& command) const;
  /// Whether the move was played before, as one of `versions`, or nobody can tell: then it was
  /// answered.
  boost::asio::awaitable<bool> answer_if_played(const MoveCommand& command,
                                                std::vector<Version> versions);
  [[nodiscard]] Attempt begin_attempt(const MoveCommand& command) const;
  [[nodiscard]] games::Stamp stamp_of(const MoveCommand& command, const Attempt& attempt) const;
  /// Plays on a copy of the position.
  [[nodiscard]] Expected<void> try_out(const MoveCommand& command, Attempt& attempt);
  /// Takes what a player may cost: whether the log may be re-executed for them now.
  [[nodiscard]] static bool may_replay(const Member& member);
  boost::asio::awaitable<Expected<void>> try_to_undo(const MoveCommand& command, Attempt& attempt);
  [[nodiscard]] replay::Participation participation() const;
  void record(const MoveCommand& command, Attempt& attempt, codec::Event event) const;
  boost::asio::awaitable<Expected<store::TableRow>> apply_now(const SeatCommand& command);
  /// `goodbye` is what everybody is told when it closes the table.
  boost::asio::awaitable<Expected<void>> change(store::TableRow row, std::string goodbye = {});
  void tell_seating();
  [[nodiscard]] Presence presence() const;
  void presence_changed();
  void replace_others_of(const Member& member);
  /// To have the seat again that a strategy plays for the player now; none where there is none.
  [[nodiscard]] std::optional<TakeSeat> return_command(PlayerId player) const;
  boost::asio::awaitable<void> take_back(TakeSeat wanted);
  boost::asio::awaitable<void> substitute(Seat seat);
  [[nodiscard]] const store::SeatRow* on_turn() const;
  /// That plays the seat; empty: its player does.
  [[nodiscard]] std::string strategy_of(const store::SeatRow& seat) const;

  [[nodiscard]] bool time_is_over() const;
  [[nodiscard]] bool time_is_over(std::int64_t at_ms) const;
  void start_clock();
  void resume_clock();
  void begin_turn_as_shown();
  void tell_clocks();
  [[nodiscard]] codec::FramePtr clocks() const;
  void wait_for_time();
  [[nodiscard]] std::optional<Seat> seat_of(PlayerId player) const;
  [[nodiscard]] codec::Seating seating() const;
  [[nodiscard]] Expected<void> may_say(const Member& member, const codec::Say& what) const;
  boost::asio::awaitable<void> hint(HintCommand command);
  [[nodiscard]] Expected<BotTask> hint_task(const Member& member, std::string_view strategy) const;
  void ask_for_hint(MemberId member, const std::string& hint_id, BotTask task);
  void give_hint(MemberId member, const std::string& hint_id, Version version,
                 const std::optional<games::BotReply>& reply);
  void refuse_hint(MemberId member, std::string_view hint_id, codec::Reason reason,
                   std::string_view message);
  [[nodiscard]] Expected<BotTask> bot_task(std::string_view strategy, Seat seat) const;
  /// Has a remote bot think, or the bot threads; what comes of it is told on this table's
  /// thread, if the table still lives.
  void ask(BotTask task, Then then);
  void ask_bot_threads(games::SearchTask think, Then then);
  /// Whether the bots of a command can be asked. Error: kInvalidArgument.
  [[nodiscard]] Expected<void> check_offered(const SeatCommand& command) const;
  /// Whether bots take the free seats when the time for players is over.
  [[nodiscard]] bool expects_bots() const;
  void wait_for_players();
  void start_with_bots(std::chrono::milliseconds pause);
  /// For so long, from when the last seat was taken, or from now on after a load.
  void wait_for_contributions();
  void begin_without_contributions(std::chrono::milliseconds pause);
  /// Whether strategies play on: somebody is connected, or they have not played for long alone.
  [[nodiscard]] bool plays_on() const;
  void wake_bots();
  void ask_bot(std::chrono::milliseconds pause);
  void ask_bot(const store::SeatRow& seat, std::string_view strategy);
  void play_for(const store::SeatRow& seat, Version version, const games::BotReply& reply);
  void bot_was_refused(const MoveCommand& command, codec::Reason reason, std::string_view message);
  void after(std::chrono::milliseconds pause, std::function<void()> then);
  /// Unless the table closes before; in the place of what `timer` waited for.
  void start(Timer& timer, std::chrono::milliseconds pause, std::function<void()> then);
  /// Answers a move that was played before with the event that it became, as the log has it.
  boost::asio::awaitable<void> repeat(const MoveCommand& command, Version version,
                                      std::int64_t at_ms);
  /// Reads the events from `version` on back, for the moves that are sent again with this one.
  boost::asio::awaitable<void> read_back(Version version);
  [[nodiscard]] Expected<void> admissible(const MoveCommand& command) const;
  void show(const MoveCommand& command, Attempt& attempt);
  /// Counts this table where it is now.
  void count();
  void not_stored(const MoveCommand& command, const Error& error);
  void lose(const Error& error);
  void begin(replay::StartedGame started, std::int64_t at_ms);
  [[nodiscard]] static std::unexpected<Error> closes();
  void refuse_move(const MoveCommand& command, codec::Reason reason, std::string_view message);
  void send(Member& member, const codec::FramePtr& frame);
  [[nodiscard]] codec::FramePtr welcome_of(const Member& member, bool resumed) const;
  [[nodiscard]] codec::FramePtr snapshot();
  [[nodiscard]] Member* find(MemberId member);

  store::EventLog& log_;
  store::Store& store_;
  metrics::Metrics& metrics_;
  bots::BotThreads& bots_;
  bots::RemoteBots& remote_bots_;
  quota::TableQuotas& quotas_;
  prometheus::Counter& moves_;
  prometheus::Gauge* counted_ = nullptr;  // among the tables of its state
  store::TableRow row_;
  std::optional<TableId> rematch_;
  const std::string commitment_;
  std::unique_ptr<games::Match> match_;  // none while the table is open
  Version version_;                      // 0 while the table is open
  std::int64_t at_ms_;                   // of the last event
  replay::RecentMoves recent_moves_;
  games::Clock clock_;
  replay::MoveShares shares_;
  codec::FramePtr last_event_;  // of `version_`, when it was played in this life
  LastSnapshot last_snapshot_;
  ReadBack read_back_;
  std::uint32_t frames_per_second_max_;
  const replay::Aside aside_;
  std::function<void(const store::TableRow&)> changed_;

  const codec::TableOptions options_;
  const std::chrono::milliseconds bot_pace_;
  const std::chrono::milliseconds bot_pace_alone_;
  const bool rate_bots_;

  Inbox<Command> inbox_;
  std::size_t waiting_ = 0;  // commands posted and not yet finished
  std::vector<Member> members_;
  MemberId last_member_;
  std::size_t catching_up_ = 0;
  std::array<quota::Budget, kSeatsMax + 1> executed_;  // for each seat, and for all who watch
  std::optional<Goodbye> goodbye_;                     // set: closing
  bool lost_ = false;  // the log is ahead, or somebody else's: nothing more is played
  std::chrono::steady_clock::time_point idle_since_;
  boost::asio::io_context::executor_type executor_;
  Timer pause_;          // a bot's
  Timer time_;           // of the player on turn
  Timer coming_;         // until presence is told
  Timer bots_come_;      // to a table that waits for players
  Timer contributions_;  // awaited so long
  Timer forgets_;        // what was read back
  Presence told_;
  bool tells_presence_ = false;                           // soon
  std::chrono::steady_clock::time_point bot_moves_at_{};  // not before
  bool bot_thinks_ = false;
  std::uint64_t moves_alone_;       // that strategies played in a row while nobody was connected
  bool bots_rest_ = false;          // until somebody connects
  Version asked_at_;                // the version that a bot was asked about last
  std::uint64_t bot_requests_ = 0;  // to bots: the answer to the last one alone counts
  bool asked_alone_ = false;        // the last one, when nobody was connected
  std::stop_source stop_bots_;      // of this table: stopped when it closes
};

}  // namespace tesela::tables
