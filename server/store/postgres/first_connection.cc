#include "server/store/postgres/first_connection.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "server/base/clock.h"
#include "server/base/ownership_limits.h"
#include "server/base/postgres_limits.h"
#include "server/base/store_limits.h"
#include "server/store/postgres/connection/attempts.h"
#include "server/store/postgres/connection/failure.h"
#include "server/store/postgres/schema/schema.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;
using namespace boost::asio::experimental::awaitable_operators;

namespace {

std::unexpected<Error> mixes_sessions() {
  return refuse(ErrorCode::kInvalidArgument,
                "The database is behind a pooler that mixes the statements of sessions (pgbouncer "
                "with pool_mode = transaction): set pool_mode = session there, or name "
                "PostgreSQL itself.");
}

std::unexpected<Error> cannot_be_used(const Failure& failure) {
  if (failure.is_of_pooler()) return mixes_sessions();
  return refuse(ErrorCode::kUnavailable,
                std::string("The database of --database cannot be used: ") + failure.what() + ".");
}

awaitable<Expected<void>> open(Connection& connection, std::string url, Time until) {
  try {
    co_await connection.open(std::move(url), std::nullopt, until);
    co_return Expected<void>{};
  } catch (const Failure& failure) {
    co_return cannot_be_used(failure);
  }
}

constexpr const char* kProcess = "SELECT pg_backend_pid()::bigint";

awaitable<bool> has_its_process(Connection& connection, Time until) {
  Batch question;
  question.add(kProcess);
  const auto answer = co_await connection.run(std::move(question), until);
  co_return answer.front()[0].number(0) == connection.served()->process;
}

constexpr const char* kDatabaseClock =
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
constexpr const char* kAddKey =
    "INSERT INTO shared_keys (name, fingerprint) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
// A statement of its own: it sees the key of a server that has started at the same time.
constexpr const char* kReplaceKey =
    "UPDATE shared_keys SET fingerprint = $2 WHERE name = $1 AND fingerprint = $3";
constexpr const char* kSharedKey = "SELECT fingerprint FROM shared_keys WHERE name = $1";

awaitable<Expected<void>> check_clock(Connection& connection, Time until) {
  Batch question;
  question.add(kDatabaseClock);
  const std::int64_t before_ms = base::unix_ms();
  const auto answer = co_await connection.run(std::move(question), until);
  const std::int64_t after_ms = base::unix_ms();
  const std::int64_t database_ms = answer.front()[0].number(0);
  // The database has read its clock at some moment in between.
  const std::int64_t ahead_ms = before_ms - database_ms;
  const std::int64_t behind_ms = database_ms - after_ms;
  const std::int64_t off_ms = std::max(ahead_ms, behind_ms);
  if (off_ms <= limits::kClockOffMax.count()) co_return Expected<void>{};
  co_return refuse(ErrorCode::kInvalidArgument, "The clock of this machine is " +
                                                    std::to_string(off_ms) + " ms " +
                                                    (ahead_ms > behind_ms ? "ahead of" : "behind") +
                                                    " the database's clock: set both by NTP.");
}

std::unexpected<Error> another_key(const KeyFingerprint& key) {
  return refuse(ErrorCode::kInvalidArgument,
                "The servers on this database have another " + key.key + " than the one of " +
                    key.option +
                    ": give all of them the same one. To change it, stop them all and delete its "
                    "row in the table shared_keys; server/README.md says how the token key is "
                    "replaced while they run.");
}

/// Refuses a server whose clock is more than limits::kClockOffMax off the database's, or one of
/// whose keys is not that of the servers before. The first server's keys count. Error, with a
/// sentence that says what to do: kInvalidArgument. Throws Failure.
awaitable<Expected<void>> check_same_settings(Connection& connection,
                                              const std::vector<KeyFingerprint>& keys, Time until) {
  const auto clock = co_await check_clock(connection, until);
  if (!clock) co_return clock;
  Batch batch;
  batch.add(kBegin);
  for (const KeyFingerprint& key : keys) {
    batch.add(kAddKey).bytes(key.key).bytes(key.fingerprint);
    batch.add(kReplaceKey).bytes(key.key).bytes(key.fingerprint).bytes(key.former);
  }
  for (const KeyFingerprint& key : keys) batch.add(kSharedKey).bytes(key.key);
  const auto results = co_await connection.run(std::move(batch), until);
  Expected<void> same;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Rows& shared = results[1 + 2 * keys.size() + i];
    if (shared[0].bytes(0) != keys[i].fingerprint) same = another_key(keys[i]);
  }
  Batch end;
  end.add(same ? kCommit : kRollBack);
  static_cast<void>(co_await connection.run(std::move(end), until));
  co_return same;
}

// Without them a crash of PostgreSQL, or its disk, may change what was stored, and nobody notices.
constexpr const char* kUnsafe =
    "SELECT name::text FROM pg_settings WHERE setting = 'off'"
    " AND name IN ('data_checksums', 'fsync', 'full_page_writes') ORDER BY name";

awaitable<void> warn_of_unsafe_settings(Connection& connection, Time until) {
  Batch question;
  question.add(kUnsafe);
  const auto answer = co_await connection.run(std::move(question), until);
  for (const auto& setting : answer.front().map([](Row row) { return row.text(0); })) {
    spdlog::warn(
        "PostgreSQL has {} off: what its disk or a crash changes may go unnoticed. Turn it on "
        "(data_checksums: pg_checksums --enable, while PostgreSQL is stopped).",
        setting);
  }
}

}  // namespace

awaitable<void> keep_watching(Connection& connection) {
  boost::asio::steady_timer pause(co_await boost::asio::this_coro::executor);
  for (;;) {
    pause.expires_after(limits::kPostgresWatchInterval);
    co_await pause.async_wait(boost::asio::use_awaitable);
    connection.watch(std::chrono::steady_clock::now());
  }
}

// What a pooler does depends on who else is there, so that it is tried several times: two
// connections at once have two processes and keep them, in whatever order they are used.
awaitable<Expected<void>> check_pooler(Connection& connection, std::string url, Time until) {
  if (!connection.through_pooler()) co_return Expected<void>{};
  Connection other(co_await boost::asio::this_coro::executor);
  const auto opened = co_await (open(other, std::move(url), until) || keep_watching(other));
  if (!std::get<0>(opened)) co_return std::get<0>(opened);
  for (int round = 0; round < limits::kPostgresPoolerRounds; ++round) {
    for (Connection* each : {&connection, &other, &other, &connection}) {
      const bool keeps_it = co_await has_its_process(*each, until);
      if (!keeps_it) co_return mixes_sessions();
    }
  }
  // Both have just answered: it is no process that one of them had before.
  if (connection.served()->process == other.served()->process) co_return mixes_sessions();
  co_return Expected<void>{};
}

awaitable<Expected<void>> expect_prepared(std::string url, Time until) {
  Connection connection(co_await boost::asio::this_coro::executor);
  const auto opened = co_await (open(connection, url, until) || keep_watching(connection));
  if (!std::get<0>(opened)) co_return std::get<0>(opened);
  try {
    const auto own = co_await check_pooler(connection, std::move(url), until);
    if (!own) co_return own;
    co_return co_await expect_this_schema(connection, until);
  } catch (const Failure& failure) {
    co_return cannot_be_used(failure);
  }
}

awaitable<Expected<void>> prepare_database(std::string url, std::vector<KeyFingerprint> keys,
                                           Time until) {
  Connection connection(co_await boost::asio::this_coro::executor);
  const auto opened = co_await (open(connection, url, until) || keep_watching(connection));
  if (!std::get<0>(opened)) co_return std::get<0>(opened);
  try {
    const auto own = co_await check_pooler(connection, std::move(url), until);
    if (!own) co_return own;
    const auto ready = co_await prepare_schema(connection, until);
    if (!ready) co_return ready;
    co_await warn_of_unsafe_settings(connection, until);
    co_return co_await check_same_settings(connection, keys, until);
  } catch (const Failure& failure) {
    co_return cannot_be_used(failure);
  }
}

}  // namespace tesela::store::postgres
