#include "server/store/postgres/connection/attempts.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "server/base/limits.h"
#include "server/base/log/seldom_log.h"
#include "server/base/store_limits.h"
#include "server/store/refusals.h"
#include "server/store/sql/session/session.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

/// Rolls back, so that the connection can be used again. Where that fails, the pool opens another.
awaitable<void> undo(Attempt& attempt) {
  try {
    co_await attempt.roll_back();
  } catch (const Failure&) {
    co_return;
  }
}

}  // namespace

awaitable<void> Attempt::commit() {
  static_cast<void>(co_await run(Query(kCommit)));
}

awaitable<void> Attempt::roll_back() {
  static_cast<void>(co_await run(Query(kRollBack)));
}

Error not_answered(bool again) {
  if (again) {
    return {ErrorCode::kInternal, "The server cannot tell whether this was stored."};
  }
  return {ErrorCode::kUnavailable, "The server cannot reach its database now: try again soon."};
}

Error given_up(bool again, Health& health) {
  if (again) health.outcome_unknown();
  return not_answered(again);
}

Error refused(const Failure& failure) {
  static base::SeldomLog lines;
  lines.log(spdlog::level::warn, "PostgreSQL refuses a statement: {}", failure.what());
  if (failure.is_value()) {
    return {ErrorCode::kInvalidArgument, "The request holds a value that cannot be stored."};
  }
  if (failure.is_damage()) return damaged_database().error();
  return {ErrorCode::kUnavailable, "The server's database refuses this now: try again soon."};
}

awaitable<void> pause_after_refusal(Time until) {
  boost::asio::steady_timer pause(co_await boost::asio::this_coro::executor);
  pause.expires_at(
      std::min<Time>(until, std::chrono::steady_clock::now() + limits::kPostgresRefusalPause));
  co_await pause.async_wait(boost::asio::use_awaitable);
}

awaitable<std::optional<Error>> attempt_until(ConnectionPool& pool, Health& health, Access access,
                                              Time until, Try work) {
  bool again = false;
  int conflicts = 0;
  if (pool.waiting() >= limits::kStoreReadQueueMax) {
    co_return Error{ErrorCode::kUnavailable, "The server has too much to do: try again soon."};
  }
  for (;;) {
    Connection* const connection = co_await pool.take(until);
    if (connection == nullptr) co_return given_up(again, health);
    std::optional<Failure> failure;
    Attempt attempt(*connection, until, again);
    try {
      co_await work(attempt);
    } catch (const Failure& failed) {
      failure.emplace(failed);
    } catch (const sql::DamagedRow& row) {
      failure.emplace(Failure::damaged_row(row.what()));
    } catch (const sql::Violation& violation) {
      failure.emplace(Failure::violated(violation.what()));
    }
    if (failure && !failure->is_lost() && connection->in_transaction()) {
      co_await undo(attempt);
    }
    pool.give_back(connection);
    if (!failure) {
      if (access == Access::kWrites) health.works();
      co_return std::nullopt;
    }
    // An earlier try has stored nothing either.
    if (failure->is_value() || failure->is_damaged_row()) co_return refused(*failure);
    // Of what was read: the rest is there.
    if (failure->is_damage() && access == Access::kReads) co_return refused(*failure);
    if (failure->is_lost()) {
      again = again || access == Access::kWrites;
    } else if (!failure->is_conflict() || ++conflicts > limits::kPostgresConflictsMax) {
      health.failed(*failure);
      if (!again) co_return refused(*failure);
      co_await pause_after_refusal(until);
    }
    if (std::chrono::steady_clock::now() >= until) co_return given_up(again, health);
  }
}

}  // namespace tesela::store::postgres
