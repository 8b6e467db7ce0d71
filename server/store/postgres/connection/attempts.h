// Calls of the store on a pool of connections, tried again until PostgreSQL has answered.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "server/base/loop.h"
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
  boost::asio::awaitable<std::vector<Rows>> run(Batch batch) {
    return connection_.run(std::move(batch), until_);
  }
  /// The same of one statement.
  boost::asio::awaitable<Rows> run(Query query) {
    auto answers = co_await run(Batch(std::move(query)));
    co_return std::move(answers.front());
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
/// Begins a transaction in which all statements see the same state.
inline constexpr const char* kBeginReading =
    "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";
inline constexpr const char* kCommit = "COMMIT";
inline constexpr const char* kRollBack = "ROLLBACK";

/// The errors of calls that have not been answered. `again`: something was sent.
[[nodiscard]] Error not_answered(bool again);

/// The same, of a call that is given up.
[[nodiscard]] Error given_up(bool again, Health& health);

/// The error of a statement that was refused, for a client: without PostgreSQL's text, which is
/// logged. kInvalidArgument where the value of a request was refused, otherwise kUnavailable.
[[nodiscard]] Error refused(const Failure& failure);

enum class Access : std::uint8_t { kReads, kWrites };

/// Waits before something is sent again that was refused, at most until `until`.
boost::asio::awaitable<void> pause_after_refusal(Time until);

/// A try of a call, which keeps what it gives.
using Try = std::move_only_function<boost::asio::awaitable<void>(Attempt&)>;

/// Runs `work(attempt)`, and tries again after a conflict and after a lost connection, until
/// `until`. What an earlier try may have stored is tried again after every failure: only when its
/// time is over does it stay unknown. Empty when a try has ended. The loop's thread.
boost::asio::awaitable<std::optional<Error>> attempt_until(ConnectionPool& pool, Health& health,
                                                           Access access, Time until, Try work);

/// The Try of `work(attempt)`, which returns an awaitable<Expected<T>>. It goes into `answer`. Both
/// outlive it.
template <class T, class Work>
Try try_of(Work& work, std::optional<Expected<T>>& answer) {
  return [&work, &answer](Attempt& attempt) { return base::keep_result(work(attempt), answer); };
}

/// attempt_until of `work(attempt)`, which returns an awaitable<Expected<T>>.
template <class T, class Work>
boost::asio::awaitable<Expected<T>> try_until(ConnectionPool& pool, Health& health, Access access,
                                              Time until, Work work) {
  std::optional<Expected<T>> answer;
  auto tried = try_of<T>(work, answer);
  auto error = co_await attempt_until(pool, health, access, until, std::move(tried));
  if (error) co_return std::unexpected(*std::move(error));
  co_return *std::move(answer);
}

}  // namespace tesela::store::postgres
