#include "server/store/postgres/postgres_store.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <thread>
#include <utility>

#include "server/base/crypto.h"
#include "server/base/limits.h"
#include "server/base/loop.h"
#include "server/base/store_limits.h"
#include "server/base/threads/thread_name.h"
#include "server/base/threads/thread_priority.h"
#include "server/store/postgres/board_counter.h"
#include "server/store/postgres/bot_offers.h"
#include "server/store/postgres/calls.h"
#include "server/store/postgres/change_reader.h"
#include "server/store/postgres/connection/attempts.h"
#include "server/store/postgres/connection/health.h"
#include "server/store/postgres/connection/store_connections.h"
#include "server/store/postgres/first_connection.h"
#include "server/store/postgres/kept_data.h"
#include "server/store/postgres/log_reader.h"
#include "server/store/postgres/open_calls.h"
#include "server/store/postgres/ownerships.h"
#include "server/store/postgres/read/board_queries.h"
#include "server/store/postgres/read/lists.h"
#include "server/store/postgres/read/queries.h"
#include "server/store/postgres/snapshot_store.h"
#include "server/store/postgres/write/appender.h"
#include "server/store/postgres/write/writes.h"
#include "server/store/refusals.h"
#include "server/store/suspend.h"

namespace tesela::store {

using boost::asio::awaitable;
using postgres::Access;
using postgres::Attempt;
using postgres::Calls;
using std::chrono::steady_clock;

class PostgresStore::Parts {
 public:
  explicit Parts(Options options)
      : options_(std::move(options)),
        health_(options_.on_error, options_.on_health_change),
        appender_(loop_, connections_.appenders(), health_, options_.on_commit,
                  [this](std::size_t count) { calls_.end(count); }),
        thread_([this] {
          base::name_thread("postgres");
          base::shorten_slice(limits::kWriterSlice);
          loop_.run();
        }) {}
  ~Parts() { close(); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  /// Waits for the first connection and the schema.
  Expected<void> start() {
    const auto time_max =
        std::max<steady_clock::duration>(options_.wait, limits::kPostgresOpenTimeMax);
    const auto until = steady_clock::now() + time_max;
    auto prepared = options_.reads_only
                        ? postgres::expect_prepared(options_.url, until)
                        : postgres::prepare_database(options_.url, options_.shared_keys, until);
    auto ready = boost::asio::co_spawn(loop_, std::move(prepared), boost::asio::use_future).get();
    if (!ready) return ready;
    loop_.hand_over([this] {
      connections_.start();
      appender_.start();
      if (!options_.reads_only) board_counter_.start();
    });
    return ready;
  }

  void close() {
    if (!thread_.joinable()) return;
    calls_.close();
    loop_.hand_over([this] {
      appender_.drain();
      board_counter_.stop();
      connections_.drain(steady_clock::now() + limits::kPostgresCloseTimeMax);
    });
    calls_.wait_for_all();
    loop_.hand_over([this] {
      appender_.close();
      connections_.close();
    });
    loop_.finish();
    thread_.join();
  }

  void begin_append(Append append, base::Continuation caller, Resume<void> resume) {
    if (append.ending) {
      auto ending = std::make_unique<postgres::Appending>();
      ending->append = std::move(append);
      auto work = change([ending = std::move(ending)](Attempt& attempt) {
        return postgres::end_game(attempt, *ending);
      });
      // It may end within this call.
      auto later = [caller, resume = std::move(resume)](Expected<void> outcome) mutable {
        caller.post([resume = std::move(resume), outcome = std::move(outcome)]() mutable {
          resume(std::move(outcome));
        });
      };
      return resume_after<void>(std::move(work), caller, std::move(later));
    }
    if (!calls_.begin()) {
      caller.post([resume = std::move(resume)]() mutable { resume(stopping()); });
      return;
    }
    auto pending = std::make_unique<postgres::PendingAppend>();
    pending->what.append = std::move(append);
    pending->caller = std::move(caller);
    pending->resume = std::move(resume);
    pending->until = steady_clock::now() + options_.wait;
    loop_.hand_over(
        [this, pending = std::move(pending)]() mutable { appender_.submit(std::move(pending)); });
  }

  /// Runs `work(attempt)` on the store's thread.
  template <class T, class Work>
  awaitable<Expected<T>> write(Work work) {
    return write_calls_.run<T>(std::move(work));
  }
  /// The same; then the other servers are told that tables have changed.
  template <class Work>
  awaitable<Expected<void>> change(Work work) {
    return write<void>(
        [this, work = std::move(work)](Attempt& attempt) { return signalling(work(attempt)); });
  }
  template <class T, class Work>
  awaitable<Expected<T>> read(Work work) {
    return read_calls_.run<T>(std::move(work));
  }
  template <class T, class Work>
  awaitable<Expected<T>> list(Work work) {
    return list_calls_.run<T>(std::move(work));
  }

  [[nodiscard]] EventReader& log() { return log_; }
  [[nodiscard]] EventReader& history() { return history_; }
  [[nodiscard]] postgres::SnapshotStore& snapshots() { return snapshots_; }
  [[nodiscard]] postgres::Ownerships& ownerships() { return ownerships_; }
  [[nodiscard]] postgres::KeptData& kept_data() { return kept_data_; }
  [[nodiscard]] OfferedBots& offered_bots() { return bot_offers_; }
  [[nodiscard]] TableChanges& changes() { return changes_; }
  [[nodiscard]] const postgres::Health& health() const { return health_; }

 private:
  awaitable<Expected<void>> signalling(awaitable<Expected<void>> work) {
    auto answer = co_await std::move(work);
    if (answer) connections_.signal().raise();
    co_return answer;
  }

  const Options options_;
  postgres::OpenCalls calls_;
  base::Loop loop_;
  postgres::Health health_;
  const std::int64_t writer_{static_cast<std::int64_t>(base::random_table_id().value)};
  postgres::StoreConnections connections_{loop_, options_.url, health_, writer_,
                                          [this] { changes_.signalled(); }};
  const Calls::Parts call_parts_{loop_, calls_, health_, options_.wait};
  Calls write_calls_{call_parts_, connections_.writers(), Access::kWrites};
  Calls read_calls_{call_parts_, connections_.readers(), Access::kReads};
  Calls list_calls_{call_parts_, connections_.list_readers(), Access::kReads};
  Calls background_calls_{call_parts_, connections_.background_writers(), Access::kWrites};
  postgres::LogReader log_{read_calls_};
  postgres::LogReader history_{list_calls_};
  postgres::SnapshotStore snapshots_{loop_, calls_, read_calls_, background_calls_};
  postgres::Ownerships ownerships_{read_calls_, write_calls_};
  postgres::KeptData kept_data_{list_calls_, background_calls_};
  postgres::BotOffers bot_offers_{list_calls_, write_calls_};
  postgres::ChangeReader changes_{list_calls_, background_calls_, health_, writer_};
  postgres::BoardCounter board_counter_{loop_, calls_, background_calls_};
  postgres::Appender appender_;
  std::thread thread_;  // the last: it uses everything above
};

Expected<std::unique_ptr<PostgresStore>> PostgresStore::open(Options options) {
  auto parts = std::make_unique<Parts>(std::move(options));
  if (auto started = parts->start(); !started) return std::unexpected(started.error());
  return std::unique_ptr<PostgresStore>(new PostgresStore(std::move(parts)));
}

PostgresStore::PostgresStore(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

PostgresStore::~PostgresStore() = default;

void PostgresStore::close() {
  parts_->close();
}

void PostgresStore::begin_append(Append append, base::Continuation caller, Resume<void> resume) {
  parts_->begin_append(std::move(append), std::move(caller), std::move(resume));
}

awaitable<Expected<std::vector<Entry>>> PostgresStore::read(TableId table, Version from,
                                                            std::size_t max) {
  return parts_->log().read(table, from, max);
}

awaitable<Expected<std::optional<Entry>>> PostgresStore::last(TableId table) {
  return parts_->log().last(table);
}

EventReader& PostgresStore::history() {
  return parts_->history();
}

Snapshots& PostgresStore::snapshots() {
  return parts_->snapshots();
}

std::size_t PostgresStore::snapshots_waiting() const {
  return parts_->snapshots().waiting();
}

Ownership& PostgresStore::ownership() {
  return parts_->ownerships();
}

GameArchives& PostgresStore::archives() {
  return parts_->kept_data();
}

Removals& PostgresStore::removals() {
  return parts_->kept_data();
}

OfferedBots& PostgresStore::offered_bots() {
  return parts_->offered_bots();
}

PersonalData& PostgresStore::personal_data() {
  return parts_->kept_data();
}

Nodes& PostgresStore::nodes() {
  return parts_->kept_data();
}

TableChanges& PostgresStore::changes() {
  return parts_->changes();
}

awaitable<Expected<void>> PostgresStore::add_player(PlayerRow player) {
  return parts_->write<void>([player = std::move(player)](Attempt& attempt) {
    return postgres::add_player(attempt, player);
  });
}

awaitable<Expected<PlayerRow>> PostgresStore::player(PlayerId id) {
  return parts_->read<PlayerRow>([id](Attempt& attempt) { return postgres::player(attempt, id); });
}

awaitable<Expected<void>> PostgresStore::see_player(PlayerId id, std::int64_t at_ms,
                                                    std::int64_t known_since_ms) {
  return parts_->write<void>(
      [=](Attempt& attempt) { return postgres::see_player(attempt, id, at_ms, known_since_ms); });
}

awaitable<Expected<std::vector<PlayerRow>>> PostgresStore::players(
    std::string name_prefix, std::optional<PlayerCursor> after, std::size_t max) {
  return parts_->list<std::vector<PlayerRow>>(
      [name_prefix = std::move(name_prefix), after = std::move(after), max](Attempt& attempt) {
        return postgres::list_players(attempt, name_prefix, after, max);
      });
}

awaitable<Expected<void>> PostgresStore::add_table(TableRow table,
                                                   std::optional<std::string> first_record,
                                                   GameOutcome outcome) {
  auto added = std::make_unique<postgres::TableWrite>(
      postgres::TableWrite{std::move(table), std::move(first_record), std::move(outcome)});
  return parts_->change([added = std::move(added)](Attempt& attempt) {
    return postgres::add_table(attempt, *added);
  });
}

awaitable<Expected<void>> PostgresStore::change_table(TableRow table,
                                                      std::optional<std::string> first_record,
                                                      GameOutcome outcome) {
  auto changed = std::make_unique<postgres::TableWrite>(
      postgres::TableWrite{std::move(table), std::move(first_record), std::move(outcome)});
  return parts_->change([changed = std::move(changed)](Attempt& attempt) {
    return postgres::change_table(attempt, *changed);
  });
}

awaitable<Expected<TableRow>> PostgresStore::table(TableId id) {
  return parts_->read<TableRow>([id](Attempt& attempt) { return postgres::table(attempt, id); });
}

awaitable<Expected<std::vector<TableRow>>> PostgresStore::tables(TableFilter filter,
                                                                 std::optional<TableCursor> after,
                                                                 std::size_t max) {
  return parts_->list<std::vector<TableRow>>(
      [filter = std::move(filter), after, max](Attempt& attempt) {
        return postgres::list_tables(attempt, filter, after, max);
      });
}

awaitable<Expected<std::vector<SeekerRow>>> PostgresStore::seekers(std::string game,
                                                                   std::vector<PlayerId> players) {
  return parts_->read<std::vector<SeekerRow>>(
      [game = std::move(game), players = std::move(players)](Attempt& attempt) {
        return postgres::seekers(attempt, game, players);
      });
}

awaitable<Expected<void>> PostgresStore::make_tables(std::vector<MatchedTable> tables,
                                                     Epoch lease) {
  return parts_->change([tables = std::move(tables), lease](Attempt& attempt) {
    return postgres::make_tables(attempt, tables, lease);
  });
}

awaitable<Expected<RatingRow>> PostgresStore::rating(std::string game, PlayerId player) {
  return parts_->read<RatingRow>(
      [game = std::move(game), player](Attempt& a) { return postgres::rating(a, game, player); });
}

awaitable<Expected<std::vector<BoardEntry>>> PostgresStore::board(BoardKey key, BoardRange range) {
  return parts_->list<std::vector<BoardEntry>>(
      [key = std::move(key), range](Attempt& a) { return postgres::board(a, key, range); });
}

Expected<void> PostgresStore::writable() const {
  return parts_->health().writable();
}

}  // namespace tesela::store
