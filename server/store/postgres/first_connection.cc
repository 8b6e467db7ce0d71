#include "server/store/postgres/first_connection.h"

#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>

#include "server/store/postgres/connection/failure.h"
#include "server/store/postgres/same_settings.h"
#include "server/store/postgres/schema.h"

namespace tesela::store::postgres {

using boost::asio::awaitable;

awaitable<Expected<void>> prepare_database(std::string url, std::vector<KeyFingerprint> keys,
                                           Time until) {
  Connection connection(co_await boost::asio::this_coro::executor);
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

}  // namespace tesela::store::postgres
