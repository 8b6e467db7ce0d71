// A table of 2048 with people at it, over the store in memory: everything real but the sockets.
#pragma once

#include <gtest/gtest.h>
#include <tesela/game/v1/g2048.pb.h>
#include <tesela/play/v1/play.pb.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/base/absence_limits.h"
#include "server/base/io_pool.h"
#include "server/base/limits.h"
#include "server/bots/bots.h"
#include "server/codec/table_options.h"
#include "server/directory/directory.h"
#include "server/directory/operator_access.h"
#include "server/metrics/metrics.h"
#include "server/replay/replay.h"
#include "server/store/only_life.h"
#include "server/tables/table.h"
#include "tests/server/store/memory/memory_store.h"
#include "tests/server/tables/leased_life.h"

namespace tesela::tables {

namespace pb = tesela::play::v1;

/// A client's end of an outbox: reads what the table has put in.
class Client {
 public:
  Outbox outbox{codec::Protocol::kBinary, [] {}};
  std::shared_ptr<Table> table;
  MemberId member;

  Client() = default;
  ~Client() {
    if (table) table->leave(member);  // the outbox must live until then
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// The next frame; a test that reads one too many fails. Seatings are left out: on a slow
  /// machine anybody's coming and going is told at any time.
  pb::ServerFrame read() {
    auto frame = pop();
    EXPECT_TRUE(frame) << "no frame is waiting";
    return frame.value_or(pb::ServerFrame{});
  }
  /// The next frame, which must be a seating.
  pb::Seating read_seating() {
    const auto next = outbox.pop();
    const pb::ServerFrame frame = next ? parsed(*next) : pb::ServerFrame{};
    EXPECT_TRUE(frame.has_seating());
    return frame.seating();
  }
  /// Whether nothing but seatings is left to read.
  [[nodiscard]] bool silent() { return !pop(); }

 private:
  static pb::ServerFrame parsed(const codec::Frame& frame) {
    pb::ServerFrame out;
    EXPECT_TRUE(out.ParseFromString(frame.bytes(codec::Protocol::kBinary)));
    return out;
  }
  std::optional<pb::ServerFrame> pop() {
    while (const auto next = outbox.pop()) {
      if (auto frame = parsed(*next); !frame.has_seating()) return frame;
    }
    return std::nullopt;
  }
};

inline game::v1::Game2048View view_of(const pb::ServerFrame& frame) {
  game::v1::Game2048View view;
  if (frame.has_event()) {
    game::v1::Game2048Event event;
    EXPECT_TRUE(frame.event().body().UnpackTo(&event));
    return event.view();
  }
  EXPECT_TRUE(frame.snapshot().view().UnpackTo(&view));
  return view;
}

class TableTest : public ::testing::Test {
 protected:
  static constexpr PlayerId kPlayer{77};

  /// With snapshots so close to each other that every test loads, resumes and takes back by them.
  TableTest() : TableTest(4) {}
  /// `events`: directory::Directory::Parts::snapshot_events. Without `come_within` games begin as
  /// soon as all seats are taken.
  explicit TableTest(std::uint64_t events,
                     std::chrono::milliseconds claim_after = limits::kClaimAfter,
                     std::chrono::milliseconds come_within = {})
      : snapshot_events(events), claim_after_(claim_after), come_within_(come_within) {
    finish(bots::add_bot_accounts(store));
    finish(store.add_player({.id = kPlayer, .display_name = "Ana", .created_ms = 1}));
    // Room for hundreds of moves, whatever the dice.
    game::v1::Game2048Config config;
    config.set_size(8);
    make_table(config);
  }

  ~TableTest() override {
    finish(directory.close_all());
    settle();
    expect_true_snapshots();
  }

  /// Executes the log of a table without options, from its beginning.
  boost::asio::awaitable<Expected<replay::Replayed>> replayed_log() {
    replay::Start beginning;
    return replay::replay({store, store}, id, std::move(beginning), {.table = no_options});
  }

  /// Whether each stored snapshot of the table is what executing its log leads to.
  void expect_true_snapshots() {
    const auto found = finish(store.table(id));
    if (!found) return;
    const auto options = codec::decode_table_options(found->options).value();
    for (const store::SnapshotRow& row : store.snapshots(id)) {
      replay::Start beginning;
      auto replayed =
          finish(replay::replay({store, store}, id, std::move(beginning),
                                {.table = options, .until = row.version, .moves = true}));
      ASSERT_TRUE(replayed) << replayed.error().message;
      const auto executed = replay::snapshot_of(*replayed->match,
                                                {.version = row.version,
                                                 .at_ms = replayed->at_ms,
                                                 .clock = replayed->clock.logged(),
                                                 .shares = replayed->shares,
                                                 .moves_alone = replayed->moves_alone},
                                                replayed->moves, {});
      EXPECT_EQ(row.position, executed.position) << "version " << row.version.value;
      if (row.marks.empty()) continue;
      const auto marks = replay::decode_marks(row.marks).value();
      EXPECT_EQ(marks.last(), row.version);
      EXPECT_EQ(marks.marks, replayed->moves.marks(marks.first, row.version));
    }
  }

  void make_table(const game::v1::Game2048Config& config) {
    google::protobuf::Any any;
    any.PackFrom(config);
    make_table("2048", any);
  }

  /// A table of Ana's, with these bots.
  void make_table(std::string game, std::optional<google::protobuf::Any> config,
                  std::vector<AddBot> bots = {}) {
    directory::NewTable wanted{.owner = kPlayer,
                               .owner_name = "Ana",
                               .game = std::move(game),
                               .config = std::move(config),
                               .bots = std::move(bots)};
    id = finish(directory.create(std::move(wanted))).value().id;
  }

  /// Runs everything that can run now.
  void settle() {
    while (io.at(0).poll() > 0) {
    }
  }

  /// Lets the bot threads think, and the table play, until `done`.
  void wait_until(const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{60};
    while (!done()) {
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "it does not happen";
      io.at(0).run_for(std::chrono::milliseconds{5});
      io.at(0).restart();
    }
  }

  store::TableRow row() { return finish(store.table(id)).value(); }

  template <class T>
  T finish(boost::asio::awaitable<T> work) {
    std::optional<T> result;
    boost::asio::co_spawn(io.at(0), std::move(work), [&result](const std::exception_ptr&, T value) {
      result = std::move(value);
    });
    settle();
    if (!result) throw std::runtime_error("did not finish");
    return std::move(*result);
  }
  void finish(boost::asio::awaitable<void> work) {
    boost::asio::co_spawn(io.at(0), std::move(work), boost::asio::detached);
    settle();
  }

  /// Sits down, or watches, and returns when the table has answered.
  std::unique_ptr<Client> come(std::optional<PlayerId> player, std::uint64_t last_version = 0) {
    auto client = std::make_unique<Client>();
    client->table = finish(directory.open(id)).value();
    client->member =
        client->table
            ->join(client->outbox, player, {.token = {}, .last_version = Version{last_version}})
            .value();
    settle();
    return client;
  }
  /// The error of a join that must fail.
  std::optional<ErrorCode> kept_out(std::optional<PlayerId> player, const std::string& invite = {},
                                    bool spectate = false) {
    Client client;
    client.table = finish(directory.open(id)).value();
    const codec::Hello hello{
        .token = {}, .last_version = {}, .spectate = spectate, .invite = invite};
    const auto member = client.table->join(client.outbox, player, hello);
    settle();
    if (!member) return member.error().code;
    client.member = *member;
    return std::nullopt;
  }
  std::unique_ptr<Client> sit_down(std::uint64_t last_version = 0) {
    return come(kPlayer, last_version);
  }
  std::unique_ptr<Client> watch(std::uint64_t last_version = 0) {
    return come(std::nullopt, last_version);
  }

  static codec::Move move_in(game::v1::Direction direction, std::string move_id,
                             std::optional<std::uint64_t> at_version = std::nullopt) {
    game::v1::Game2048Move move;
    move.set_direction(direction);
    codec::Move out{.move_id = std::move(move_id),
                    .at_version = {},
                    .type = "tesela.game.v1.Game2048Move",
                    .body = move.SerializeAsString()};
    if (at_version) out.at_version = Version{*at_version};
    return out;
  }

  /// Sends a move and returns when it has been judged.
  void send(Client& client, codec::Move move) {
    EXPECT_TRUE(client.table->post(client.member, std::move(move)));
    settle();
  }

  /// The first legal move of the position the table is in.
  codec::Move legal_move(std::string move_id) {
    auto watcher = watch();
    static_cast<void>(watcher->read());  // Welcome
    const auto view = view_of(watcher->read());
    leave(*watcher);
    return move_in(static_cast<game::v1::Direction>(view.legal(0)), std::move(move_id));
  }

  /// Plays `count` legal moves from `client`, which reads their events.
  void play(Client& client, int count, const std::string& prefix = "m") {
    for (int i = 0; i < count; ++i) {
      send(client, legal_move(prefix + std::to_string(i)));
      ASSERT_TRUE(client.read().has_event());
    }
  }

  /// The same, without looking at what the client gets.
  void play_silently(Client& client, int count) {
    for (int i = 0; i < count; ++i) {
      send(client, legal_move("s" + std::to_string(i)));
      client.outbox.clear();
    }
  }

  void leave(Client& client) {
    client.table->leave(client.member);
    settle();
  }

  /// What a directory of a test is made of. Those beside `directory` differ in some of it.
  [[nodiscard]] directory::Directory::Parts parts_of(store::Ownership& ownership) {
    return {.io = io,
            .log = store,
            .snapshots = store,
            .table_rows = store,
            .store = store,
            .ownership = ownership,
            .life = life,
            .feed = feed,
            .metrics = metrics,
            .bots = bots,
            .remote_bots = remote_bots,
            .bot_pace = std::chrono::milliseconds{0},
            .table_idle = std::chrono::hours{1},
            .frames_per_second_max = 7};
  }

  const std::uint64_t snapshot_events;
  const codec::TableOptions no_options{};
  const std::chrono::milliseconds claim_after_;
  const std::chrono::milliseconds come_within_;
  metrics::Metrics metrics;
  base::IoPool io{1};
  store::MemoryStore store;
  LeasedLife life;
  directory::TableFeed feed;
  bots::BotThreads bots{
      {.threads = 1, .time_max = std::chrono::milliseconds{5}, .alone_interval = {}}, metrics};
  bots::RemoteBots remote_bots{{.time_max = std::chrono::milliseconds{500}}, metrics};
  directory::Directory directory{[this] {
    auto parts = parts_of(store);
    parts.claim_after = claim_after_;
    parts.come_within = come_within_;
    parts.snapshot_events = snapshot_events;
    parts.bot_pace_alone = std::chrono::milliseconds{0};
    return parts;
  }()};
  directory::OperatorAccess operator_access{directory};
  TableId id;
};

}  // namespace tesela::tables
