// Calls of the store on a pool of connections, tried again until PostgreSQL has answered.
#pragma once

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "server/base/limits.h"
#include "server/base/store_limits.h"
#include "server/store/postgres/connection/connection_pool.h"
#include "server/store/postgres/connection/failure.h"
#include "server/store/postgres/connection/health.h"

namespace tesela::store::postgres {

/// One try of a call, on a connection of its own.
class Attempt {
 public:
  Attempt(Connection& connection, Time until, bool again)
      : connection_(connection), until_(until), again_(again) {}

  /// Connection::run.
  boost::asio::awaitable<std::vector<Result>> run(Pipeline pipeline) {
    return connection_.run(std::move(pipeline), until_);
  }
  boost::asio::awaitable<void> commit();
  /// Undoes the transaction, also one that was aborted.
  boost::asio::awaitable<void> roll_back();
  /// Whether an earlier try of the same call may have been committed.
  [[nodiscard]] bool again() const { return again_; }

 private:
  Connection& connection_;
  Time until_;
  bool again_;
};

inline constexpr const char* kBegin = "BEGIN";
inline constexpr const char* kCommit = "COMMIT";
inline constexpr const char* kRollBack = "ROLLBACK";

inline boost::asio::awaitable<void> Attempt::commit() {
  Pipeline pipeline;
  pipeline.add(kCommit);
  static_cast<void>(co_await run(std::move(pipeline)));
}

inline boost::asio::awaitable<void> Attempt::roll_back() {
  Pipeline pipeline;
  pipeline.add(kRollBack);
  static_cast<void>(co_await run(std::move(pipeline)));
}

/// The errors of calls that have not been answered. `again`: something was sent.
[[nodiscard]] inline Error not_answered(bool again) {
  if (again) {
    return {ErrorCode::kInternal, "The server cannot tell whether this was stored."};
  }
  return {ErrorCode::kUnavailable, "The server cannot reach its database now: try again soon."};
}

/// The same, of a call that is given up.
[[nodiscard]] inline Error given_up(bool again, Health& health) {
  if (again) health.outcome_unknown();
  return not_answered(again);
}

/// The error of a statement that was refused for a reason that lies with the database.
[[nodiscard]] inline Error refused(const Failure& failure) {
  return {ErrorCode::kUnavailable,
          std::string("The server's database refuses this now (") + failure.what() + ")."};
}

enum class Access : std::uint8_t { kReads, kWrites };

/// Rolls back, so that the connection can be used again. Where that fails, the pool opens another.
inline boost::asio::awaitable<void> undo(Attempt& attempt) {
  try {
    co_await attempt.roll_back();
  } catch (const Failure&) {
    co_return;
  }
}

/// Waits before something is sent again that was refused, at most until `until`.
inline boost::asio::awaitable<void> pause_after_refusal(Time until) {
  boost::asio::steady_timer pause(co_await boost::asio::this_coro::executor);
  pause.expires_at(
      std::min<Time>(until, std::chrono::steady_clock::now() + limits::kPostgresRefusalPause));
  co_await pause.async_wait(boost::asio::use_awaitable);
}

/// Runs `work(attempt)`, which returns an awaitable<Expected<T>>, and tries again after a conflict
/// and after a lost connection, until `until`. What an earlier try may have stored is tried again
/// after every failure: only when its time is over does it stay unknown. The loop's thread.
template <class T, class Work>
boost::asio::awaitable<Expected<T>> try_until(ConnectionPool& pool, Health& health, Access access,
                                              Time until, Work work) {
  bool again = false;
  int conflicts = 0;
  if (pool.waiting() >= limits::kStoreReadQueueMax) {
    co_return refuse(ErrorCode::kUnavailable, "The server has too much to do: try again soon.");
  }
  for (;;) {
    Connection* const connection = co_await pool.take(until);
    if (connection == nullptr) co_return std::unexpected(given_up(again, health));
    std::optional<Failure> failure;
    std::optional<Expected<T>> answer;
    Attempt attempt(*connection, until, again);
    try {
      answer.emplace(co_await work(attempt));
    } catch (const Failure& failed) {
      failure.emplace(failed);
    }
    if (failure && !failure->is_lost() && connection->in_transaction()) {
      co_await undo(attempt);
    }
    pool.give_back(connection);
    if (answer) {
      if (access == Access::kWrites) health.works();
      co_return std::move(*answer);
    }
    if (failure->is_lost()) {
      again = again || access == Access::kWrites;
    } else if (!failure->is_conflict() || ++conflicts > limits::kPostgresConflictsMax) {
      health.failed(*failure);
      if (!again) co_return std::unexpected(refused(*failure));
      co_await pause_after_refusal(until);
    }
    if (std::chrono::steady_clock::now() >= until) {
      co_return std::unexpected(given_up(again, health));
    }
  }
}

}  // namespace tesela::store::postgres
