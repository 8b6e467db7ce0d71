// The parts of a table alone: with a real position, without a store and without a Table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tesela/game/v1/azul.pb.h>
#include <tesela/play/v1/play.pb.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/base/clock.h"
#include "server/base/limits.h"
#include "server/replay/start_game.h"
#include "server/tables/bot_search.h"
#include "server/tables/bot_seats.h"
#include "server/tables/core/move_attempt.h"
#include "server/tables/core/position.h"
#include "server/tables/core/table_host.h"
#include "server/tables/gathering.h"
#include "server/tables/members/members.h"
#include "server/tables/members/recent_frames.h"
#include "server/tables/members/seating.h"
#include "server/tables/members/talk.h"
#include "server/tables/turn_timer.h"
#include "tests/server/store/switched_life.h"

namespace tesela::tables {
namespace pieces {

using play::v1::ServerFrame;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::SizeIs;

constexpr PlayerId kAna{1};
constexpr PlayerId kBob{2};
constexpr PlayerId kEve{3};

/// Azul for two, with Ana on the first seat.
store::TableRow open_table() {
  google::protobuf::Any config;
  config.PackFrom(game::v1::AzulConfig{});
  return {.id = TableId{7},
          .game = "azul",
          .config = config.SerializeAsString(),
          .owner = kAna,
          .seed = std::string(32, 's'),
          .state = store::TableState::kOpen,
          .seat_count = 2,
          .seats = {{.seat = Seat{0}, .player = kAna, .display_name = "Ana"}},
          .epoch = Epoch{1},
          .ending = {}};
}

/// What parts ask of their table, remembered.
class Host final : public TableHost {
 public:
  [[nodiscard]] const Executor& executor() const override { return executor_; }
  [[nodiscard]] std::weak_ptr<void> life() override { return life_; }
  [[nodiscard]] Freeze& freeze() override { return freeze_; }
  [[nodiscard]] bool ended() const override { return ended_; }
  [[nodiscard]] bool accepts() const override { return !full; }
  [[nodiscard]] bool enqueue(Command&& command) override {
    if (full) return false;
    commands.push_back(std::move(command));
    return true;
  }
  boost::asio::awaitable<Expected<void>> mark_assisted() override { co_return Expected<void>{}; }
  void close(Goodbye /*goodbye*/) override { ended_ = true; }
  void lose(const Error& /*error*/) override { ended_ = true; }

  /// Runs what is due within the time.
  void run_for(milliseconds time) {
    context_.restart();
    context_.run_for(time);
  }

  std::list<Command> commands;
  bool full = false;

 private:
  boost::asio::io_context context_;
  Executor executor_ = context_.get_executor();
  store::SwitchedLife lease_;
  Freeze freeze_{context_, lease_};
  // What a bot thread posts may come when nothing else is due.
  boost::asio::executor_work_guard<Executor> work_{executor_};
  std::shared_ptr<int> life_ = std::make_shared<int>();
  bool ended_ = false;
};

class PiecesTest : public testing::Test {
 protected:
  /// Bob sits down, and the game begins.
  void begin() {
    position.row.seats.push_back({.seat = Seat{1}, .player = kBob, .display_name = "Bob"});
    position.row.state = store::TableState::kInPlay;
    position.begin(replay::start_game(position.row, base::unix_ms()).value(), base::Moment::now());
  }

  MemberId come(std::optional<PlayerId> player, const codec::Hello& hello = {},
                std::shared_ptr<const void> from = nullptr) {
    outboxes.emplace_back(codec::Protocol::kBinary, [] {});
    const auto member = members.add(outboxes.back(), player, hello, std::move(from));
    EXPECT_TRUE(member);
    Member& here = *members.find(*member);
    here.present = true;
    here.held = nullptr;
    return *member;
  }

  /// The frames in the outbox of the nth member.
  std::vector<ServerFrame> read(std::size_t nth) {
    std::vector<ServerFrame> frames;
    auto outbox = std::next(outboxes.begin(), static_cast<std::ptrdiff_t>(nth));
    while (const auto frame = outbox->pop()) {
      frames.emplace_back().ParseFromString(frame->bytes(codec::Protocol::kBinary));
    }
    return frames;
  }

  /// A legal move of Azul for the seat on turn.
  MoveCommand legal_move() {
    const auto request = position.match->bot_request(*position.match->turn());
    return {.seat = request.seat,
            .move = {.move_id = "m",
                     .at_version = {},
                     .type = request.move_type,
                     .body = request.legal_moves[0]}};
  }

  void play(MoveCommand command) {
    MoveAttempt attempt = begin_attempt(position, command);
    ASSERT_TRUE(try_move(position, false, command, attempt));
    commit(position, command, attempt);
  }

  Position position{.row = open_table(),
                    .options = {},
                    .match = {},
                    .version = {},
                    .recent_moves = {},
                    .clock = {},
                    .shares = {}};
  metrics::Metrics metrics;
  quota::TableQuotas quotas;
  Host host;
  std::list<Outbox> outboxes;
  Members members{position, quotas, metrics};
  Seating seating{position, members, host, std::nullopt, milliseconds{60}};
  Talk talk{position, members, seating, host};
  RecentFrames frames{position};
  bots::BotThreads threads{{.threads = 1, .time_max = milliseconds{5}}, metrics};
  bots::RemoteBots remote_bots{{.time_max = milliseconds{50}}, metrics};
  BotSearch search{position, threads, remote_bots, host};
  BotSeats bots{position, members, search,
                host,     metrics, {.pace = {}, .pace_alone = {}, .moves_alone = 0}};
  TurnTimer timer{position, members, bots, host, nullptr};
  Attendance attendance{position, members, milliseconds{0}};
  Gathering gathering{position, attendance, host};
};

TEST_F(PiecesTest, APositionBeginsAtVersionOneAndKnowsWhoMoves) {
  EXPECT_EQ(position.on_turn(), nullptr);
  begin();
  EXPECT_EQ(position.version, Version{1});
  ASSERT_NE(position.on_turn(), nullptr);
  EXPECT_EQ(position.seat_of(kBob), Seat{1});
  EXPECT_EQ(position.seat_of(kEve), std::nullopt);
  EXPECT_TRUE(position.plays(kAna));
  EXPECT_FALSE(position.plays(kEve));
}

TEST_F(PiecesTest, WhoseSeatAStrategyPlaysMayHaveItBack) {
  begin();
  EXPECT_EQ(position.return_command(kBob), std::nullopt);
  position.row.seats[1].strategy = "greedy";
  EXPECT_FALSE(position.plays(kBob));
  ASSERT_TRUE(position.return_command(kBob));
  EXPECT_EQ(position.return_command(kBob)->seat, Seat{1});
  EXPECT_TRUE(position.participation(false, position.shares, position.clock).left[1]);
}

TEST_F(PiecesTest, AMoveIsRefusedBeforeItIsTried) {
  MoveCommand watching{.move = {.move_id = "m", .at_version = {}, .type = {}, .body = {}}};
  EXPECT_EQ(admissible(position, watching).error().code, ErrorCode::kNotSeated);
  watching.seat = Seat{0};
  EXPECT_EQ(admissible(position, watching).error().code, ErrorCode::kNotStarted);
  begin();
  MoveCommand stale = legal_move();
  stale.move.at_version = Version{9};
  EXPECT_EQ(admissible(position, stale).error().code, ErrorCode::kStale);
  MoveCommand other = legal_move();
  other.move.type = "tesela.game.v1.Game2048Move";
  EXPECT_EQ(admissible(position, other).error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(admissible(position, legal_move()));
  MoveCommand nameless = legal_move();
  nameless.move.move_id = std::string("a\0b", 3);
  EXPECT_EQ(never_playable(position, nameless)->reason, codec::Reason::kMalformed);
  EXPECT_FALSE(never_playable(position, legal_move()));
  EXPECT_EQ(may_undo(position).error().code, ErrorCode::kNotPractice);
}

TEST_F(PiecesTest, WhatWasTriedBecomesThePositionWhenItIsCommitted) {
  begin();
  const auto digest = position.match->digest();
  const MoveCommand command = legal_move();
  MoveAttempt attempt = begin_attempt(position, command);
  ASSERT_TRUE(try_move(position, false, command, attempt));
  EXPECT_EQ(attempt.append.version, Version{2});
  EXPECT_EQ(position.version, Version{1});
  EXPECT_EQ(position.match->digest(), digest);
  commit(position, command, attempt);
  EXPECT_EQ(position.version, Version{2});
  EXPECT_NE(position.match->digest(), digest);
  EXPECT_THAT(position.recent_moves.find(*command.seat, "m"), ElementsAre(Version{2}));
}

TEST_F(PiecesTest, APlayersNewerStreamReplacesTheOlder) {
  const MemberId first = come(kAna);
  const MemberId second = come(kAna);
  members.replace_others_of(*members.find(second));
  EXPECT_FALSE(members.find(first)->seat);
  const auto told = read(0);
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].goodbye().reason(), play::v1::REASON_REPLACED);
  EXPECT_THAT(read(1), SizeIs(0));
}

TEST_F(PiecesTest, AnAddressWatchesATableSoOften) {
  const auto address = std::make_shared<int>();
  for (int n = 0; n < limits::kSpectatorsPerAddress; ++n) come({}, {}, address);
  Outbox outbox{codec::Protocol::kBinary, [] {}};
  EXPECT_EQ(members.add(outbox, {}, {}, address).error().code, ErrorCode::kResourceExhausted);
  EXPECT_TRUE(members.add(outbox, kAna, {}, address)) << "who plays is no spectator";
}

TEST_F(PiecesTest, ASpectatorWhoDoesNotReadLosesFramesAndAPlayerTheConnection) {
  const MemberId player = come(kAna);
  const MemberId spectator = come({});
  const auto frame = codec::pong_frame(1, 2);
  for (std::size_t n = 0; n <= limits::kOutboxFramesMax; ++n) members.send_all(frame);
  EXPECT_TRUE(members.find(spectator)->lagging);
  EXPECT_THAT(read(1), SizeIs(0));
  EXPECT_TRUE(members.find(player)->outbox->ended());
}

TEST_F(PiecesTest, PresenceCountsWhoWasWelcomed) {
  come(kAna);
  members.find(come({}))->present = false;
  come({});
  const Presence here = members.presence();
  EXPECT_TRUE(here.connected[0]);
  EXPECT_FALSE(here.connected[1]);
  EXPECT_EQ(here.spectators, 1U);
}

TEST_F(PiecesTest, ACrowdIsToldOfOnce) {
  come(kAna);
  for (int n = 0; n < 3; ++n) {
    come({});
    seating.presence_changed();
  }
  EXPECT_THAT(read(0), SizeIs(0));
  host.run_for(limits::kPresencePause + 10 * limits::kPresencePauseOfEach + milliseconds{200});
  const auto told = read(0);
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].seating().spectators(), 3U);
}

TEST_F(PiecesTest, TalkIsHeardByThoseWhoDoNotMuteTheSpeaker) {
  begin();
  const MemberId ana = come(kAna);
  const MemberId bob = come(kBob);
  const MemberId eve = come({});
  talk.mute(bob, {.player = kAna, .muted = true});
  talk.say(ana, "Hello!");
  EXPECT_THAT(read(0), SizeIs(1));
  EXPECT_THAT(read(1), SizeIs(0));
  ASSERT_THAT(read(2), SizeIs(1));
  talk.say(eve, "I watch.");
  EXPECT_EQ(read(2)[0].refusal().reason(), play::v1::REASON_NOT_SEATED);
  host.close({});
  talk.say(ana, "Bye!");
  EXPECT_THAT(read(0), SizeIs(0)) << "the table has ended";
}

TEST_F(PiecesTest, TheSnapshotOfAPositionIsSharedUntilTheNextEvent) {
  begin();
  const auto first = frames.snapshot(/*shared=*/true);
  EXPECT_EQ(frames.snapshot(true), first);
  play(legal_move());
  EXPECT_NE(frames.snapshot(true), first);
  const auto own = frames.snapshot(true);
  frames.drop_snapshot();
  EXPECT_NE(frames.snapshot(false), own);
  EXPECT_NE(frames.snapshot(false), frames.snapshot(false)) << "one connection keeps none";
}

TEST_F(PiecesTest, ABotsMoveIsQueuedForItsSeat) {
  begin();
  come(kAna);
  const Seat seat = *position.match->turn();
  position.row.seats[seat.value].strategy = "greedy";
  bots.ask();
  EXPECT_TRUE(bots.thinks());
  for (int n = 0; n < 400 && host.commands.empty(); ++n) host.run_for(milliseconds{5});
  ASSERT_THAT(host.commands, SizeIs(1));
  const auto& move = std::get<MoveCommand>(host.commands.front());
  EXPECT_EQ(move.seat, seat);
  EXPECT_EQ(move.strategy, "greedy");
  EXPECT_EQ(move.move.at_version, Version{1});
  play(move);
}

TEST_F(PiecesTest, BotsThatHavePlayedLongAloneRestUntilSomebodyComes) {
  begin();
  const Seat seat = *position.match->turn();
  position.row.seats[seat.value].strategy = "greedy";
  MoveCommand by_bot = legal_move();
  by_bot.strategy = "greedy";
  for (std::uint64_t n = 0; n < limits::kMovesAloneMax; ++n) bots.moved(by_bot);
  bots.ask();
  EXPECT_TRUE(bots.rests());
  EXPECT_FALSE(bots.thinks());
  come(kAna);
  bots.wake();
  EXPECT_TRUE(bots.thinks());
}

TEST_F(PiecesTest, TheClockRunsFromWhenThePlayerOnTurnIsThere) {
  position.options.clock = {.move = milliseconds{40}};
  begin();
  timer.start();
  EXPECT_TRUE(position.clock.stopped());
  EXPECT_FALSE(timer.runs());
  come(kAna);
  timer.resume();
  EXPECT_TRUE(timer.runs());
  EXPECT_TRUE(read(0).back().has_clocks());
  for (int n = 0; n < 400 && host.commands.empty(); ++n) host.run_for(milliseconds{5});
  ASSERT_THAT(host.commands, SizeIs(1)) << "what moves for players whose time is over";
  EXPECT_FALSE(std::get<MoveCommand>(host.commands.front()).strategy.empty());
}

TEST_F(PiecesTest, BotsFillATableThatHasWaitedAndAreAskedAgainWhereTheInboxIsFull) {
  position.options.bot_fill = codec::BotFill{.after = milliseconds{1}, .level = 2};
  EXPECT_TRUE(gathering.expects_bots());
  host.full = true;
  gathering.changed();
  host.run_for(milliseconds{20});
  EXPECT_THAT(host.commands, SizeIs(0));
  host.full = false;
  host.run_for(std::chrono::duration_cast<milliseconds>(limits::kBotRetryTime) + milliseconds{50});
  ASSERT_THAT(host.commands, SizeIs(1));
  const auto& change = std::get<ChangeSeats>(host.commands.front());
  EXPECT_EQ(std::get<Start>(change.command).bot_level, 2U);
}

}  // namespace pieces
}  // namespace tesela::tables
