#include "server/store/postgres/connection/store_connections.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <utility>

#include "server/base/postgres_limits.h"
#include "server/base/store_limits.h"

namespace tesela::store::postgres {

StoreConnections::StoreConnections(base::Loop& loop, const std::string& url, Health& health,
                                   std::int64_t writer, std::function<void()> on_signal)
    : loop_(loop),
      appenders_(loop, url, limits::kPostgresAppenders, health, writer),
      writers_(loop, url, limits::kPostgresWriters, health, writer),
      readers_(loop, url, limits::kPostgresReaders, health, writer),
      list_readers_(loop, url, limits::kPostgresListReaders, health, writer),
      background_writers_(loop, url, limits::kPostgresBackgroundWriters, health, writer),
      signal_(loop, url, std::move(on_signal)) {}

void StoreConnections::start() {
  for (ConnectionPool* pool : pools_) pool->start();
  signal_.start();
  boost::asio::co_spawn(loop_, watch(), boost::asio::detached);
}

void StoreConnections::drain(Time end) {
  end_ = end;
  signal_.close();
  for (ConnectionPool* pool : pools_) pool->drain();
}

void StoreConnections::close() {
  closed_ = true;
  watch_timer_.cancel();
  signal_.close();
  for (ConnectionPool* pool : pools_) pool->close();
}

boost::asio::awaitable<void> StoreConnections::watch() {
  boost::system::error_code cancelled;
  while (!closed_) {
    watch_timer_.expires_after(limits::kPostgresWatchInterval);
    co_await watch_timer_.async_wait(
        boost::asio::redirect_error(boost::asio::use_awaitable, cancelled));
    const auto now = std::chrono::steady_clock::now();
    signal_.watch(now);
    for (ConnectionPool* pool : pools_) {
      pool->watch(now);
      if (now >= end_) pool->abort();
    }
  }
}

}  // namespace tesela::store::postgres
