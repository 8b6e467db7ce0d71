// The bounded queue of commands of one table, with one consumer.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
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
  /// consumer inside the call, which the inbox must outlive.
  [[nodiscard]] bool send(Command&& command) {
    if (closed_ || full()) return false;
    if (!consumer_) {
      waiting_.push(std::move(command));
      return true;
    }
    // Most commands find the consumer waiting, and need no memory in the queue.
    handed_ = &command;
    std::exchange(consumer_, nullptr)();
    if (std::exchange(handed_, nullptr) != nullptr) waiting_.push(std::move(command));
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
  [[nodiscard]] bool quiet() const { return handed_ == nullptr && waiting_.empty() && !closed_; }
  /// Waits for the next command or `close`: in a co_await, only while quiet(); one call at a time.
  [[nodiscard]] auto wait() {
    return boost::asio::async_initiate<const boost::asio::deferred_t, void()>(
        [this](auto handler) { consumer_ = std::move(handler); }, boost::asio::deferred);
  }
  /// Removes and returns the next command; empty when there is none.
  [[nodiscard]] std::optional<Command> take() {
    taken_ = handed_ != nullptr || !waiting_.empty();
    if (handed_ != nullptr) return std::move(*std::exchange(handed_, nullptr));
    return waiting_.pop();
  }
  /// The command that was taken last is handled.
  void finish() { taken_ = false; }
  /// How many commands wait.
  [[nodiscard]] std::size_t size() const { return waiting_.size(); }
  /// Whether a command was taken that is not finished.
  [[nodiscard]] bool busy() const { return taken_; }
  /// Whether no command waits, and each that was taken is finished.
  [[nodiscard]] bool idle() const { return !taken_ && handed_ == nullptr && waiting_.empty(); }

 private:
  Executor executor_;
  std::size_t commands_max_;
  Fifo<Command> waiting_;
  std::move_only_function<void()> consumer_;
  Command* handed_ = nullptr;  // what `send` brings to the consumer that it resumes
  bool taken_ = false;         // and not finished
  bool closed_ = false;
};

}  // namespace tesela::tables
