// What waits to be done by one table: bounded, in order, with one consumer.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

#include "server/tables/core/fifo.h"

namespace tesela::tables {

/// Lives on one thread, with its consumer and everybody who sends. Costs less than Asio's channel,
/// which sends each command through an executor: this is on the path of every move.
template <class Command>
class Inbox {
 public:
  using Executor = boost::asio::io_context::executor_type;

  Inbox(Executor executor, std::size_t commands_max)
      : executor_(std::move(executor)), commands_max_(commands_max) {}

  /// Appends a command. False, and nothing happens, when as many wait as may, or after `close`. A
  /// consumer that waits goes on inside the call.
  [[nodiscard]] bool send(Command command) {
    if (closed_ || full()) return false;
    waiting_.push(std::move(command));
    if (auto consumer = std::exchange(consumer_, nullptr)) consumer();
    return true;
  }

  [[nodiscard]] bool full() const { return waiting_.size() == commands_max_; }

  /// Takes nothing more. What was sent before is still received. A consumer that waits goes on
  /// after the call.
  void close() {
    closed_ = true;
    if (consumer_) boost::asio::post(executor_, std::exchange(consumer_, nullptr));
  }

  /// Whether there is something to wait for: nothing has come, and something may.
  [[nodiscard]] bool quiet() const { return waiting_.empty() && !closed_; }
  /// Waits for the next command, or for `close`. Only while it is quiet, and one call at a time.
  [[nodiscard]] boost::asio::awaitable<void> wait() {
    return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void()>(
        [this](auto handler) { consumer_ = std::move(handler); }, boost::asio::use_awaitable);
  }
  /// Takes the next command. Nothing when none has come.
  [[nodiscard]] std::optional<Command> take() {
    if (waiting_.empty()) return std::nullopt;
    return waiting_.pop();
  }

 private:
  Executor executor_;
  std::size_t commands_max_;
  Fifo<Command> waiting_;
  std::move_only_function<void()> consumer_;
  bool closed_ = false;
};

}  // namespace tesela::tables
