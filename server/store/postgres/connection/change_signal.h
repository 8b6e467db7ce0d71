// How servers on one database tell each other that tables have changed: LISTEN and NOTIFY, on a
// connection of its own.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>

#include "server/base/loop.h"
#include "server/store/postgres/connection/connection.h"

namespace tesela::store::postgres {

/// A hint, that tables have changed: it may be lost with its connection, which nobody waits for and
/// which says nothing about the health of the database. Never in a transaction that writes: a
/// commit with a NOTIFY waits for all others that have one. The loop's thread.
class ChangeSignal {
 public:
  /// `on_heard`: another server has called, or may have while the connection was lost.
  ChangeSignal(base::Loop& loop, std::string url, std::function<void()> on_heard);
  ChangeSignal(const ChangeSignal&) = delete;
  ChangeSignal& operator=(const ChangeSignal&) = delete;

  /// Keeps the connection open until `close`.
  void start();
  /// Calls the other servers, at most once every limits::kChangeSignalInterval.
  void raise();
  /// Connection::watch.
  void watch(Time now);
  /// Ends everything. Nothing is called after that.
  void close();

 private:
  boost::asio::awaitable<void> run();
  boost::asio::awaitable<void> connect();
  /// Until the connection is lost, or `close`.
  boost::asio::awaitable<void> serve();
  boost::asio::awaitable<void> notify();

  base::Loop& loop_;
  const std::string url_;
  const std::function<void()> on_heard_;
  std::unique_ptr<Connection> connection_;  // none: it was lost
  boost::asio::steady_timer changed_;
  boost::asio::steady_timer pause_;  // before the connection is opened again
  Time next_{};                      // not before then
  bool raised_{};
  bool closed_{};
};

}  // namespace tesela::store::postgres
