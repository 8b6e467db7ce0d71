// The interface of a table to its parts, and their timers.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/core/result.h"
#include "server/codec/frame.h"
#include "server/store/table_rows.h"
#include "server/tables/core/command.h"
#include "server/tables/core/freeze.h"

namespace tesela::tables {

/// The interface of Table for its parts. All functions are called on the table's thread.
class TableHost {
 public:
  using Executor = boost::asio::io_context::executor_type;

  TableHost() = default;
  TableHost(const TableHost&) = delete;
  TableHost& operator=(const TableHost&) = delete;
  virtual ~TableHost() = default;

  [[nodiscard]] virtual const Executor& executor() const = 0;
  /// For callbacks, which lock it before they use the table.
  [[nodiscard]] virtual std::weak_ptr<void> life() = 0;
  /// Of the table's loop.
  [[nodiscard]] virtual Freeze& freeze() = 0;
  /// Whether the table accepts no more moves: it is closing, or its log is in an unknown state.
  [[nodiscard]] virtual bool ended() const = 0;
  /// Whether `enqueue` would queue a command now.
  [[nodiscard]] virtual bool accepts() const = 0;
  /// False when the inbox is full or closed: nothing was queued.
  [[nodiscard]] virtual bool enqueue(Command&& command) = 0;
  /// Marks the row as assisted, durably (SeatChanges::mark_assisted). Only while a command is
  /// handled.
  virtual boost::asio::awaitable<Expected<void>> mark_assisted() = 0;
  /// Finishes the commands in the inbox, and ends the table.
  virtual void close(Goodbye goodbye) = 0;
  /// Ends the table because the store may differ from the position. The next client to connect
  /// loads it from the store again.
  virtual void lose(const Error& error) = 0;
};

/// A timer of a part. It is allocated at its first use: most tables are idle, and a timer takes a
/// hundred bytes.
class LazyTimer {
 public:
  /// Calls `then` on the table's thread after the pause, unless the table has ended. Replaces what
  /// was started before. A pause that is over during a freeze begins again after it.
  void start(TableHost& host, std::chrono::milliseconds pause, std::function<void()> then) {
    if (!timer_) timer_ = std::make_unique<boost::asio::steady_timer>(host.executor());
    const std::uint32_t started = ++started_;
    timer_->expires_after(pause);
    timer_->async_wait([this, life = host.life(), &host, pause, then = std::move(then),
                        started](const auto& error) mutable {
      const auto table = life.lock();
      if (error || !table || host.ended()) return;
      if (!host.freeze().on()) return then();
      host.freeze().at_thaw(life, [this, &host, pause, then = std::move(then), started] {
        if (started == started_) start(host, pause, then);
      });
    });
  }
  void cancel() {
    if (!timer_) return;
    ++started_;
    timer_->cancel();
  }
  /// The time until its pause is over, of one that runs; empty if it was never started.
  [[nodiscard]] std::optional<std::chrono::milliseconds> left() const {
    if (!timer_) return std::nullopt;
    return std::chrono::ceil<std::chrono::milliseconds>(timer_->expiry() -
                                                        std::chrono::steady_clock::now());
  }
  /// Whether it was ever started.
  [[nodiscard]] bool used() const { return timer_ != nullptr; }

 private:
  std::unique_ptr<boost::asio::steady_timer> timer_;
  std::uint32_t started_ = 0;  // how often it was started or cancelled
};

}  // namespace tesela::tables
