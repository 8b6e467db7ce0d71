// Connections to one database that are opened again when they are lost.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "server/base/loop.h"
#include "server/store/postgres/connection/connection.h"
#include "server/store/postgres/connection/health.h"

namespace tesela::store::postgres {

/// The loop's thread.
class ConnectionPool {
 public:
  /// The loop and `health` outlive it.
  /// `writer`: Connection.
  ConnectionPool(base::Loop& loop, std::string url, std::size_t size, Health& health,
                 std::int64_t writer = 0);
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  /// Starts opening the connections, and keeps them open until `close`.
  void start();
  /// A connection that nobody else uses until `give_back`. None: there was none until then, or the
  /// pool is closing and has none.
  boost::asio::awaitable<Connection*> take(Time until);
  /// Takes a connection back. One that is lost, or in a transaction, is opened anew.
  void give_back(Connection* connection);
  /// How many calls of `take` wait.
  [[nodiscard]] std::size_t waiting() const { return waiters_.size(); }

  /// Connection::watch for all of them.
  void watch(Time now);
  /// Connection::abort for those that are taken or being opened.
  void abort();
  /// Begins to open no connection any more. Those that are open, or are being opened, can still be
  /// taken.
  void drain();
  /// Ends everything; nobody uses a connection.
  void close();

 private:
  enum class State : std::uint8_t { kOpening, kIdle, kTaken, kLost };
  struct Slot {
    explicit Slot(base::Loop& loop) : changed(loop) {}
    std::unique_ptr<Connection> connection;
    State state{State::kOpening};
    std::optional<Served> before;  // what a lost connection may have left at work
    boost::asio::steady_timer changed;
  };
  struct Waiter {
    Connection* connection{};
    boost::asio::steady_timer served;
  };

  boost::asio::awaitable<void> keep(Slot& slot);
  /// Whether it succeeded.
  boost::asio::awaitable<bool> open(Slot& slot);
  void offer(Slot& slot);
  void lose(Slot& slot);
  /// After Health::silent: opens the idle connections anew, so that not each of them costs a call
  /// its time until it is known that the host hangs.
  void leave_silent_host();
  void release_waiters();
  [[nodiscard]] bool has_none() const;

  base::Loop& loop_;
  const std::string url_;
  const std::int64_t writer_;
  Health& health_;
  std::deque<Slot> slots_;
  std::deque<Waiter*> waiters_;
  std::uint64_t silences_{0};  // of health_, as the idle connections know it
  bool draining_{};
  bool closed_{};
};

}  // namespace tesela::store::postgres
