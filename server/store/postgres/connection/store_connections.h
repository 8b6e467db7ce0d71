// The connections of a store, by what they are for.
#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <string>

#include "server/base/loop.h"
#include "server/store/postgres/connection/change_signal.h"
#include "server/store/postgres/connection/connection_pool.h"
#include "server/store/postgres/connection/health.h"

namespace tesela::store::postgres {

/// The loop's thread; the constructor and the functions that return a pool: any thread.
class StoreConnections {
 public:
  /// The loop and `health` outlive it. `writer`: of changes (Connection). `on_signal`: of
  /// ChangeSignal.
  StoreConnections(base::Loop& loop, const std::string& url, Health& health, std::int64_t writer,
                   std::function<void()> on_signal);
  StoreConnections(const StoreConnections&) = delete;
  StoreConnections& operator=(const StoreConnections&) = delete;

  /// Opens them, and keeps them open until `close`.
  void start();
  /// ConnectionPool::drain. What is under way at `end` is given up.
  void drain(Time end);
  /// Ends everything; nobody uses a connection.
  void close();

  [[nodiscard]] ConnectionPool& appenders() { return appenders_; }
  [[nodiscard]] ConnectionPool& writers() { return writers_; }
  [[nodiscard]] ConnectionPool& readers() { return readers_; }
  [[nodiscard]] ConnectionPool& list_readers() { return list_readers_; }
  [[nodiscard]] ConnectionPool& background_writers() { return background_writers_; }
  [[nodiscard]] ChangeSignal& signal() { return signal_; }

 private:
  boost::asio::awaitable<void> watch();

  base::Loop& loop_;
  ConnectionPool appenders_;
  ConnectionPool writers_;
  ConnectionPool readers_;
  ConnectionPool list_readers_;
  ConnectionPool background_writers_;
  ChangeSignal signal_;
  const std::array<ConnectionPool*, 5> pools_{&appenders_, &writers_, &readers_, &list_readers_,
                                              &background_writers_};
  boost::asio::steady_timer watch_timer_{loop_};
  Time end_{Time::max()};  // of what is still under way while closing
  bool closed_{};
};

}  // namespace tesela::store::postgres
