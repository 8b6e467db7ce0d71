#include "server/store/postgres/first_connection.h"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>

#include "server/base/store_limits.h"
#include "server/store/postgres/connection/failure.h"
#include "server/store/postgres/same_settings.h"
#include "server/store/postgres/schema.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;
using namespace boost::asio::experimental::awaitable_operators;

namespace {

/// Until it is cancelled.
awaitable<void> keep_watching(Connection& connection) {
  boost::asio::steady_timer pause(co_await boost::asio::this_coro::executor);
  for (;;) {
    pause.expires_after(limits::kPostgresWatchInterval);
    co_await pause.async_wait(boost::asio::use_awaitable);
    connection.watch(std::chrono::steady_clock::now());
  }
}

awaitable<Expected<void>> prepare(Connection& connection, std::string url,
                                  std::vector<KeyFingerprint> keys, Time until) {
  try {
    co_await connection.open(url, std::nullopt, until);
    const auto ready = co_await prepare_schema(connection, until);
    if (!ready) co_return ready;
    co_return co_await check_same_settings(connection, keys, until);
  } catch (const Failure& failure) {
    co_return refuse(
        ErrorCode::kUnavailable,
        std::string("The database of --database cannot be used: ") + failure.what() + ".");
  }
}

}  // namespace

awaitable<Expected<void>> prepare_database(std::string url, std::vector<KeyFingerprint> keys,
                                           Time until) {
  Connection connection(co_await boost::asio::this_coro::executor);
  auto prepared = co_await (prepare(connection, std::move(url), std::move(keys), until) ||
                            keep_watching(connection));
  co_return std::move(std::get<0>(prepared));
}

}  // namespace tesela::store::postgres
