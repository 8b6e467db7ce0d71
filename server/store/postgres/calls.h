// The calls of a store on the connections of one kind.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <optional>
#include <utility>

#include "engine/core/result.h"
#include "server/base/loop.h"
#include "server/store/postgres/connection/attempts.h"
#include "server/store/postgres/connection/connection_pool.h"
#include "server/store/postgres/connection/health.h"
#include "server/store/postgres/open_calls.h"

namespace tesela::store::postgres {

/// Any thread.
class Calls {
 public:
  /// What the calls share. Everything outlives them.
  struct Parts {
    base::Loop& loop;  // of the pool
    OpenCalls& open;
    Health& health;
    std::chrono::milliseconds wait;  // for an answer
  };

  Calls(Parts parts, ConnectionPool& pool, Access access)
      : parts_(parts), pool_(pool), access_(access) {}

  /// Runs `work(attempt)` on the loop, as try_until does. kUnavailable while the store is closing.
  template <class T, class Work>
  boost::asio::awaitable<Expected<T>> run(Work work) {
    std::optional<Expected<T>> answer;
    auto tried = try_of<T>(work, answer);
    auto error = co_await attempt(std::move(tried));
    if (error) co_return std::unexpected(*std::move(error));
    co_return *std::move(answer);
  }

  /// The same on the loop's thread, for a call that was counted before.
  template <class T, class Work>
  boost::asio::awaitable<Expected<T>> run_counted(Work work) {
    return try_until<T>(pool_, parts_.health, access_,
                        std::chrono::steady_clock::now() + parts_.wait, std::move(work));
  }

 private:
  /// `run` of any result.
  boost::asio::awaitable<std::optional<Error>> attempt(Try work);
  /// The loop's thread.
  boost::asio::awaitable<std::optional<Error>> counted(Try work);

  const Parts parts_;
  ConnectionPool& pool_;
  const Access access_;
};

}  // namespace tesela::store::postgres
