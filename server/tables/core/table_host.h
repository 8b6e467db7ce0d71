// A table as its parts see it: its thread, its end, its inbox; and their timers.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "engine/core/result.h"
#include "server/codec/frame.h"
#include "server/store/store.h"
#include "server/tables/core/command.h"

namespace tesela::tables {

/// Everything is called on the table's thread.
class TableHost {
 public:
  using Executor = boost::asio::io_context::executor_type;

  TableHost() = default;
  TableHost(const TableHost&) = delete;
  TableHost& operator=(const TableHost&) = delete;
  virtual ~TableHost() = default;

  [[nodiscard]] virtual const Executor& executor() const = 0;
  /// Of the table: what is called back later takes hold of it first.
  [[nodiscard]] virtual std::weak_ptr<void> life() = 0;
  /// Nothing is played any more: the table closes, or its log cannot be trusted.
  [[nodiscard]] virtual bool ended() const = 0;
  /// False when the inbox is full or closed: nothing was queued.
  [[nodiscard]] virtual bool enqueue(Command command) = 0;
  /// Puts `row` in the place of the table's own: durable when it returns. From a command only.
  virtual boost::asio::awaitable<Expected<void>> change(store::TableRow row) = 0;
  /// Lets what waits in the inbox finish, and ends the table.
  virtual void close(Goodbye goodbye) = 0;
  /// The store may have something else than the position: this life of the table ends, and whoever
  /// comes back finds it as the store has it.
  virtual void lose(const Error& error) = 0;
};

/// A timer. It is made when it is needed: most tables are idle, and each takes a hundred bytes.
class Alarm {
 public:
  /// Calls `then` on the table's thread after the pause, unless the table has ended; in place of
  /// what was waited for before.
  void start(TableHost& host, std::chrono::milliseconds pause, std::function<void()> then);
  void cancel();
  /// Whether it was ever started.
  [[nodiscard]] bool used() const { return timer_ != nullptr; }

 private:
  std::unique_ptr<boost::asio::steady_timer> timer_;
};

}  // namespace tesela::tables
