#include "server/base/worker.h"

#include <spdlog/spdlog.h>

#include <exception>

namespace tesela::base {

namespace asio = boost::asio;
using asio::awaitable;
using std::chrono::steady_clock;

Worker::Worker(Loop& loop, std::string_view what)
    : loop_(loop), what_(what), pause_(loop), ended_(loop, Time::max()) {}

void Worker::start() {
  if (Loop::current() != &loop_) return loop_.hand_over([this] { start(); });
  stopping_ = false;
  running_ = true;
  loop_.spawn(run(), [this](const std::exception_ptr& thrown) {
    if (thrown) spdlog::error("the {} ended by an exception", what_);
    running_ = false;
    ended_.cancel();
  });
}

awaitable<void> Worker::stop() {
  co_await loop_.call(stop_here());
}

awaitable<void> Worker::stop_here() {
  stopping_ = true;
  pause_.cancel();
  while (running_) co_await ended_.async_wait(use_tuple);
}

void Worker::wake() {
  if (Loop::current() != &loop_) return loop_.hand_over([this] { wake(); });
  woken_ = true;
  pause_.cancel();
}

awaitable<void> Worker::pause(std::chrono::milliseconds time) {
  return pause_until(steady_clock::now() + time);
}

awaitable<void> Worker::pause_until(Time end) {
  while (!stopping_ && steady_clock::now() < end) {
    pause_.expires_at(end);
    co_await pause_.async_wait(use_tuple);
  }
}

awaitable<void> Worker::pause_between(Time first, Time last) {
  while (!stopping_ && steady_clock::now() < (woken_ ? first : last)) {
    pause_.expires_at(woken_ ? first : last);
    co_await pause_.async_wait(use_tuple);
  }
  woken_ = false;
}

}  // namespace tesela::base
