// The event loop of one thread, and the way to it from other threads.
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "server/base/sockets/read_socket.h"

namespace tesela::base {

/// Completes with the error code instead of an exception.
inline constexpr auto use_tuple = boost::asio::as_tuple(boost::asio::use_awaitable);

/// An io_context that one thread runs. What other threads want of that thread they hand over with
/// `hand_over`, `spawn` and `call`, not with asio::post: Asio wakes a thread while it holds the
/// lock of its queue. The woken thread takes the core from a poster of lower priority, finds the
/// lock taken, and waits until the poster gets a core again: milliseconds on a busy machine. Here
/// the queue has no lock. On the thread itself asio::post costs less.
class Loop : public boost::asio::io_context {
 public:
  using Task = std::move_only_function<void()>;

  /// Nothing runs yet. Throws boost::system::system_error when there are no files left.
  Loop();
  /// No thread runs it. Tasks that were posted and not run are dropped.
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// Runs on the calling thread until `finish` or stop().
  void run();
  /// `run` returns as soon as the thread has nothing left to do. Any thread.
  void finish();
  /// The loop that runs on the calling thread; none: nullptr.
  [[nodiscard]] static Loop* current();

  /// Runs `task` on the loop's thread, after what was handed over before. Any thread.
  void hand_over(Task task);
  /// Starts `work` on the loop's thread, as asio::co_spawn does; `then` is called there at its end.
  /// Any thread.
  template <class Work, class Then>
  void spawn(Work work, Then then);
  /// Runs `work` on the loop's thread and resumes the caller on its own, with what it gives or
  /// throws. Any thread.
  boost::asio::awaitable<void> call(boost::asio::awaitable<void> work);
  template <class T>
  [[nodiscard]] boost::asio::awaitable<T> call(boost::asio::awaitable<T> work);

 private:
  struct Node {
    Task task;
    Node* next{nullptr};
  };

  class WakeRead;

  void wake();
  void run_handed_over();
  void run_taken();
  void drop_handed_over();

  boost::asio::executor_work_guard<executor_type> guard_;
  std::atomic<Node*> newest_{nullptr};  // of what was handed over and not taken; the oldest is last
  Node* taken_{nullptr};                // the oldest of what was taken and has not run
  // Woken by a byte on a socket of a pair.
  ReadSocket<boost::asio::local::stream_protocol> wakes_;
  boost::asio::local::stream_protocol::socket waker_;
};

/// Where a suspended coroutine, or another handler, goes on.
class Continuation {
 public:
  Continuation() = default;
  /// For what is suspended on the calling thread, by its executor.
  explicit Continuation(boost::asio::any_io_executor executor) : loop_(Loop::current()) {
    if (loop_ == nullptr) executor_ = std::move(executor);
  }

  /// Runs `task` there, never inside the call. Any thread.
  template <class Task>
  void post(Task task) const {
    if (loop_ != nullptr) {
      loop_->hand_over(std::move(task));
    } else {
      boost::asio::post(executor_, std::move(task));
    }
  }

  /// The same by asio::post, behind the handlers that are ready there. Any thread.
  template <class Task>
  void post_behind(Task task) const {
    if (loop_ != nullptr) {
      boost::asio::post(*loop_, std::move(task));
    } else {
      boost::asio::post(executor_, std::move(task));
    }
  }

  /// Where it is suspended.
  [[nodiscard]] boost::asio::any_io_executor executor() const {
    return loop_ != nullptr ? loop_->get_executor() : executor_;
  }
  friend bool operator==(const Continuation&, const Continuation&) = default;

 private:
  Loop* loop_{nullptr};  // none: a context that is no Loop
  // Empty where there is a loop: an executor of any type costs much to move.
  boost::asio::any_io_executor executor_;
};

template <class Work, class Then>
void Loop::spawn(Work work, Then then) {
  hand_over([this, work = std::move(work), then = std::move(then)]() mutable {
    boost::asio::co_spawn(*this, std::move(work), std::move(then));
  });
}

/// The result of `work` goes into `result`, which outlives it.
template <class T>
boost::asio::awaitable<void> keep_result(boost::asio::awaitable<T> work, std::optional<T>& result) {
  result.emplace(co_await std::move(work));
}

// What is handed over has no result, so that it is compiled once, and not for each T. The result is
// in the caller's frame, which the handler of the call keeps.
template <class T>
boost::asio::awaitable<T> Loop::call(boost::asio::awaitable<T> work) {
  if (current() == this) co_return co_await std::move(work);
  std::optional<T> result;
  auto kept = keep_result(std::move(work), result);
  co_await call(std::move(kept));
  co_return *std::move(result);
}

}  // namespace tesela::base
