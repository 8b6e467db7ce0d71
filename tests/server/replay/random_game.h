// The log of a random game in a store, and its executions.
#pragma once

#include <google/protobuf/any.pb.h>
#include <gtest/gtest.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "server/codec/record.h"
#include "server/codec/table_options.h"
#include "server/execution/undo_history.h"
#include "server/games/games.h"
#include "server/replay/moves_in_force.h"
#include "server/replay/replay.h"
#include "tests/server/store/memory/memory_store.h"

namespace tesela::replay {

inline constexpr TableId kTable{42};
/// Versions between its snapshots.
inline constexpr std::uint64_t kInterval = 16;

/// The log of a random game, written as a table writes it, in a store.
class RandomGame {
 public:
  RandomGame(const char* game, const google::protobuf::Any& config, codec::TableOptions how,
             unsigned seed)
      : options(std::move(how)), random_(seed) {
    const auto* entry = games::find_game(game).value();
    const auto complete = entry->configure(&config).value();
    const std::array<std::uint8_t, 32> dice{static_cast<std::uint8_t>(seed), 9};
    match_ = entry->start(complete.bytes, dice).value();
    store::TableRow row{.id = kTable,
                        .game = game,
                        .config = complete.any,
                        .owner = PlayerId{1},
                        .seat_count = complete.seats,
                        .seats = {},
                        .epoch = Epoch{1},
                        .created_ms = 1,
                        .ending = std::nullopt};
    for (std::uint8_t seat = 0; seat < complete.seats; ++seat) {
      const PlayerId player{std::uint64_t{1} + seat};
      EXPECT_TRUE(run(store.add_player({.id = player, .display_name = "P", .created_ms = 1})));
      row.seats.push_back({.seat = Seat{seat}, .player = player, .display_name = {}});
    }
    auto created = encoded(
        codec::Created{
            .game = game, .config = complete.bytes, .seed = dice, .seats = complete.seats},
        match_->digest());
    EXPECT_TRUE(run(store.add_table(std::move(row), std::move(created), {})));
    keep();
  }

  /// Plays until the table is at a version, or the game is over.
  void play_until(Version last) {
    while (version < last && match_->turn()) {
      at_ms_ += 1 + static_cast<std::int64_t>(below(900));
      const std::string id = "m" + std::to_string(below(10)) + "-" + std::to_string(version.value);
      const auto back = history_.before_last();
      if (options.practice && back && below(3) == 0) {
        take_back(*back, id);
      } else if (match_->seats() > 2 && below(80) == 0) {
        resign(id);
      } else {
        move(id);
      }
    }
  }

  template <class T>
  T run(boost::asio::awaitable<T> work) {
    std::optional<T> result;
    boost::asio::co_spawn(io_, std::move(work), [&](const std::exception_ptr& thrown, T value) {
      if (thrown) std::rethrow_exception(thrown);
      result = std::move(value);
    });
    io_.restart();
    io_.run();
    return std::move(result.value());
  }

  /// Executes the whole log; the reference.
  Replayed whole(Version until = {}, FrameRange frames = {}) {
    Start beginning;
    return run(replay({store, none_}, kTable, std::move(beginning),
                      {.table = options, .frames = frames, .until = until, .moves = true}))
        .value();
  }
  /// Executes from the newest snapshot at `begin` or before.
  Replayed from_snapshot(Version begin, Version until, FrameRange frames = {}) {
    auto start = run(start_at({store, store}, kTable, begin)).value();
    began_at = start.version;
    return run(replay({store, store}, kTable, std::move(start),
                      {.table = options, .frames = frames, .until = until, .moves = true}))
        .value();
  }
  /// Writes a snapshot at each multiple of kInterval.
  void write_snapshots() {
    Start beginning;
    const auto loaded =
        run(replay({store, store}, kTable, std::move(beginning),
                   {.table = options, .moves = true, .snapshot_interval = kInterval}));
    ASSERT_TRUE(loaded) << loaded.error().message;
  }
  /// Which version the reference goes back to from `now`.
  std::optional<Version> before_last(Version now) {
    execution::UndoHistory history;
    for (Version v{1}; v <= now; v = next(v)) {
      EXPECT_TRUE(history.add(v, run(read_record(store, kTable, v)).value()));
    }
    return history.before_last();
  }
  std::optional<Earlier> take_back_at(Version now) {
    auto found = run(before_last_move(Aside{}, {store, store}, kTable, now));
    EXPECT_TRUE(found) << found.error().message;
    return std::move(found.value());
  }
  Version random_version() { return Version{1 + below(version.value)}; }

  store::MemoryStore store;
  codec::TableOptions options;
  Version version{1};
  Version began_at;

 private:
  std::size_t below(std::size_t count) { return random_() % count; }

  std::string encoded(codec::Event event, std::uint64_t digest) {
    return codec::encode({.at_ms = at_ms_, .event = std::move(event), .digest = digest});
  }
  [[nodiscard]] games::Stamp stamp(Seat seat) const {
    return {
        .version = next(version), .at = base::Moment::logged(at_ms_), .seat = seat, .move_id = "m"};
  }

  void add(codec::Event event, std::uint64_t digest) {
    match_->commit();
    version = next(version);
    EXPECT_TRUE(history_.add(version, {.at_ms = at_ms_, .event = event, .digest = digest}));
    store::Append append{.table = kTable,
                         .epoch = Epoch{1},
                         .version = version,
                         .record = encoded(std::move(event), digest)};
    ASSERT_TRUE(run(store.append(std::move(append))));
    kept_.push_back(match_->copy());
  }
  void keep() {
    EXPECT_TRUE(history_.add(Version{1}, {.event = codec::Created{}}));
    kept_.push_back(match_->copy());
  }

  void take_back(Version to, const std::string& id) {
    const auto played =
        match_->go_back(stamp(Seat{0}), to, *kept_.at(to.value - 1), games::Want::kPosition);
    add(codec::Undone{.move_id = id, .to = to}, played.value().digest);
  }
  void resign(const std::string& id) {
    const Seat seat{static_cast<std::uint8_t>(below(match_->seats()))};
    const auto played = match_->resign(stamp(seat), games::Want::kPosition);
    if (played) add(codec::Resigned{.seat = seat, .move_id = id}, played->digest);
  }
  void move(const std::string& id) {
    const Seat seat = *match_->turn();
    const auto moves = match_->bot_request(seat).legal_moves;
    const auto played =
        match_->play(stamp(seat), moves.at(below(moves.size())), games::Want::kPosition).value();
    const bool by_strategy = below(3) == 0;
    add(codec::Moved{.seat = seat,
                     .move_id = id,
                     .move = played.move,
                     .strategy = by_strategy ? "random" : "",
                     .spent_ms = options.clock.on() ? static_cast<std::int64_t>(below(700)) : 0,
                     .timed_out = by_strategy && below(2) == 0},
        played.digest);
  }

  boost::asio::io_context io_;
  store::MemorySnapshots none_;
  std::mt19937 random_;
  std::unique_ptr<games::Match> match_;
  execution::UndoHistory history_;
  std::vector<std::unique_ptr<games::Match>> kept_;  // of each version
  std::int64_t at_ms_ = 1000;
};

}  // namespace tesela::replay
