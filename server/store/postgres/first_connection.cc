#include "server/store/postgres/first_connection.h"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>

#include "server/base/store_limits.h"
#include "server/store/postgres/connection/failure.h"
#include "server/store/postgres/same_settings.h"
#include "server/store/postgres/schema/schema.h"

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

std::unexpected<Error> cannot_be_used(const Failure& failure) {
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

}  // namespace

awaitable<Expected<void>> prepare_database(std::string url, std::vector<KeyFingerprint> keys,
                                           Time until) {
  Connection connection(co_await boost::asio::this_coro::executor);
  const auto opened =
      co_await (open(connection, std::move(url), until) || keep_watching(connection));
  if (!std::get<0>(opened)) co_return std::get<0>(opened);
  try {
    const auto ready = co_await prepare_schema(connection, until);
    if (!ready) co_return ready;
    co_return co_await check_same_settings(connection, keys, until);
  } catch (const Failure& failure) {
    co_return cannot_be_used(failure);
  }
}

}  // namespace tesela::store::postgres
