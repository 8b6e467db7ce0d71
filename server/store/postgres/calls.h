// The calls of a store on the connections of one kind.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "engine/core/result.h"
#include "server/base/loop.h"
#include "server/store/postgres/connection/attempts.h"
#include "server/store/postgres/connection/connection_pool.h"
#include "server/store/postgres/connection/health.h"
#include "server/store/postgres/connection/transaction.h"
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

  /// Runs `kWork(attempt, arguments...)`, a function that returns an awaitable<Expected<T>>, on the
  /// loop, as try_until does. kUnavailable while the store is closing.
  template <auto kWork, class... Arguments>
  auto run(Arguments... arguments) {
    using Answer = std::invoke_result_t<decltype(kWork), Attempt&, const Arguments&...>::value_type;
    return run_by<typename Answer::value_type>(
        [... arguments = std::move(arguments)](Attempt& attempt) {
          return kWork(attempt, arguments...);
        });
  }

  /// An operation of store/sql: `work(transaction)` is an awaitable<void>. `then` is called on the
  /// loop's thread when it was committed.
  template <class Work>
  boost::asio::awaitable<std::optional<Error>> operate(Work work, std::function<void()> then) {
    auto tried = [this, work = std::move(work), then = std::move(then)](
                     Attempt& attempt) mutable -> boost::asio::awaitable<void> {
      return operate_once(attempt, work, then);
    };
    return this->attempt(std::move(tried));
  }

  /// The same on the loop's thread, for a call that was counted before.
  template <class T, class Work>
  boost::asio::awaitable<Expected<T>> run_counted(Work work) {
    return try_until<T>(pool_, parts_.health, access_,
                        std::chrono::steady_clock::now() + parts_.wait, std::move(work));
  }

 private:
  template <class T, class Work>
  boost::asio::awaitable<Expected<T>> run_by(Work work) {
    std::optional<Expected<T>> answer;
    auto tried = try_of<T>(work, answer);
    auto error = co_await attempt(std::move(tried));
    if (error) co_return std::unexpected(*std::move(error));
    co_return *std::move(answer);
  }
  template <class Work>
  boost::asio::awaitable<void> operate_once(Attempt& attempt, Work& work,
                                            const std::function<void()>& then) {
    Transaction transaction(attempt, access_);
    co_await work(transaction);
    co_await transaction.end();
    if (transaction.finished() && then) then();
  }
  /// `run_by` of any result.
  boost::asio::awaitable<std::optional<Error>> attempt(Try work);
  /// The loop's thread.
  boost::asio::awaitable<std::optional<Error>> counted(Try work);

  const Parts parts_;
  ConnectionPool& pool_;
  const Access access_;
};

}  // namespace tesela::store::postgres
