#include "server/base/loop.h"

#include <sys/socket.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/local/connect_pair.hpp>

namespace tesela::base {
namespace {

thread_local Loop* loop_of_thread = nullptr;

}  // namespace

/// Reads the bytes of wake-ups, as long as the loop lasts.
class Loop::WakeRead final : public SocketRead {
 public:
  explicit WakeRead(Loop& loop) : SocketRead(boost::asio::buffer(woken_)), loop_(loop) {}

 private:
  void completed(std::unique_ptr<SocketRead> self, boost::system::error_code error,
                 std::size_t /*size*/) override {
    if (error) return;
    Loop& loop = loop_;
    loop.wakes_.start(std::move(self));
    loop.run_handed_over();
  }

  Loop& loop_;
  std::array<char, 64> woken_{};
};

Loop::Loop()
    : io_context(1),
      guard_(boost::asio::make_work_guard(get_executor())),
      wakes_(*this),
      waker_(get_executor()) {
  boost::asio::local::connect_pair(wakes_, waker_);
  wakes_.set_emptied(Emptied::kByShortRead);
  wakes_.start(std::make_unique<WakeRead>(*this));
}

Loop::~Loop() {
  drop_handed_over();
}

Loop* Loop::current() {
  return loop_of_thread;
}

void Loop::run() {
  struct Running {
    Loop* const outer;
    ~Running() { loop_of_thread = outer; }
  };
  const Running running{std::exchange(loop_of_thread, this)};
  io_context::run();
}

void Loop::finish() {
  hand_over([this] {
    boost::system::error_code ignored;
    wakes_.close(ignored);
    guard_.reset();
  });
}

void Loop::hand_over(Task task) {
  Node* const node = new Node{.task = std::move(task)};
  Node* before = newest_.load(std::memory_order_relaxed);
  do {
    node->next = before;
  } while (!newest_.compare_exchange_weak(before, node, std::memory_order_release,
                                          std::memory_order_relaxed));
  // If tasks wait already, the caller that added the first of them wakes the thread.
  if (before == nullptr) wake();
}

/// A socket that is full has woken the thread already.
void Loop::wake() {
  static_cast<void>(::send(waker_.native_handle(), "", 1, MSG_DONTWAIT | MSG_NOSIGNAL));
}

void Loop::run_handed_over() {
  run_taken();  // what stood behind a task that has thrown
  Node* newest = newest_.exchange(nullptr, std::memory_order_acquire);
  while (newest != nullptr) {
    Node* const node = newest;
    newest = std::exchange(node->next, taken_);
    taken_ = node;
  }
  run_taken();
}

void Loop::run_taken() {
  while (taken_ != nullptr) {
    const std::unique_ptr<Node> node(taken_);
    taken_ = node->next;
    try {
      node->task();
    } catch (...) {
      // It goes to the caller of `run`; the tasks behind it run when that goes on.
      wake();
      throw;
    }
  }
}

void Loop::drop_handed_over() {
  for (Node* first : {std::exchange(taken_, nullptr), newest_.exchange(nullptr)}) {
    while (first != nullptr) {
      const std::unique_ptr<Node> node(first);
      first = node->next;
    }
  }
}

boost::asio::awaitable<void> Loop::call(boost::asio::awaitable<void> work) {
  if (current() == this) co_return co_await std::move(work);
  co_await boost::asio::async_initiate<const boost::asio::use_awaitable_t<>,
                                       void(std::exception_ptr)>(
      [loop = this](auto handler, boost::asio::awaitable<void> started) {
        Continuation caller(boost::asio::get_associated_executor(handler));
        loop->spawn(std::move(started), [caller = std::move(caller), handler = std::move(handler)](
                                            std::exception_ptr thrown) mutable {
          caller.post([handler = std::move(handler), thrown = std::move(thrown)]() mutable {
            std::move(handler)(std::move(thrown));
          });
        });
      },
      boost::asio::use_awaitable, std::move(work));
}

}  // namespace tesela::base
