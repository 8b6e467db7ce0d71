// The bounded queue of commands of one table, with one consumer.
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

/// One thread, for the consumer and all senders. Cheaper than Asio's channel, which posts each
/// command to an executor: every move passes through here.
template <class Command>
class Inbox {
 public:
  using Executor = boost::asio::io_context::executor_type;

  Inbox(Executor executor, std::size_t commands_max)
      : executor_(std::move(executor)), commands_max_(commands_max) {}

  /// Appends a command. False, without effect, when the inbox is full or closed. Resumes a waiting
  /// consumer inside the call.
  [[nodiscard]] bool send(Command&& command) {
    if (closed_ || full()) return false;
    waiting_.push(std::move(command));
    if (auto consumer = std::exchange(consumer_, nullptr)) consumer();
    return true;
  }

  [[nodiscard]] bool full() const { return waiting_.size() == commands_max_; }

  /// Refuses further commands; those that were sent before can still be taken. Posts the resumption
  /// of a waiting consumer.
  void close() {
    closed_ = true;
    if (consumer_) boost::asio::post(executor_, std::exchange(consumer_, nullptr));
  }

  /// Whether the inbox is empty and open, so that `wait` may be called.
  [[nodiscard]] bool quiet() const { return waiting_.empty() && !closed_; }
  /// Waits for the next command or `close`. Only while quiet(); one call at a time.
  [[nodiscard]] boost::asio::awaitable<void> wait() {
    return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void()>(
        [this](auto handler) { consumer_ = std::move(handler); }, boost::asio::use_awaitable);
  }
  /// Removes and returns the next command; empty when there is none.
  [[nodiscard]] std::optional<Command> take() { return waiting_.pop(); }

 private:
  Executor executor_;
  std::size_t commands_max_;
  Fifo<Command> waiting_;
  std::move_only_function<void()> consumer_;
  bool closed_ = false;
};

}  // namespace tesela::tables
