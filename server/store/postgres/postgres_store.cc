#include "server/store/postgres/postgres_store.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <functional>

#include "server/base/crypto.h"
#include "server/base/limits.h"
#include "server/base/store_limits.h"
#include "server/base/threads/thread_name.h"
#include "server/base/threads/thread_priority.h"
#include "server/store/postgres/first_connection.h"
#include "server/store/postgres/write/game_end.h"
#include "server/store/refusals.h"
#include "server/store/suspend.h"

namespace tesela::store {

using boost::asio::awaitable;
using sql::Lane;
using std::chrono::steady_clock;

Expected<std::unique_ptr<PostgresStore>> PostgresStore::open(Options options) {
  std::unique_ptr<PostgresStore> store(new PostgresStore(std::move(options)));
  if (auto started = store->start(); !started) return std::unexpected(started.error());
  return store;
}

PostgresStore::PostgresStore(Options options)
    : options_(std::move(options)),
      health_(options_.on_error, options_.on_health_change),
      writer_(static_cast<std::int64_t>(base::random_number())),
      connections_(loop_, options_.url, health_, writer_, [this] { changes_.signalled(); }),
      appender_(loop_, connections_.appenders(), health_, options_.on_commit,
                [this](std::size_t count) { calls_.end(count); }),
      thread_([this] {
        base::name_thread("postgres");
        base::shorten_slice(limits::kWriterSlice);
        loop_.run();
      }) {}

PostgresStore::~PostgresStore() {
  close();
}

Expected<void> PostgresStore::start() {
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

void PostgresStore::close() {
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

void PostgresStore::begin_append(Append append, base::Continuation caller, Resume<void> resume) {
  if (append.ending) {
    auto work = SqlStore::write<postgres::end_game>(Lane::kTables, std::move(append));
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

postgres::Calls& PostgresStore::calls_of(Lane lane) {
  switch (lane) {
    case Lane::kReads:
      return read_calls_;
    case Lane::kLists:
      return list_calls_;
    case Lane::kBackground:
      return background_calls_;
    default:
      return write_calls_;
  }
}

awaitable<std::optional<Error>> PostgresStore::reads(Lane lane, ReadWork work) {
  return calls_of(lane).operate(std::move(work), {});
}

awaitable<std::optional<Error>> PostgresStore::writes(Lane lane, WriteWork work) {
  std::function<void()> then;
  if (lane == Lane::kTables) then = [this] { connections_.signal().raise(); };
  return calls_of(lane).operate(std::move(work), std::move(then));
}

/// Events are where they belong.
awaitable<Expected<void>> PostgresStore::compact_events() {
  co_return Expected<void>{};
}

/// PostgreSQL itself uses space again.
awaitable<Expected<std::size_t>> PostgresStore::give_back_pages() {
  co_return std::size_t{0};
}

}  // namespace tesela::store
