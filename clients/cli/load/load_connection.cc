#include "clients/cli/load/load_connection.h"
#include "clients/cli/base/printed.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <chrono>
#include <iostream>
#include <sstream>
#include <utility>

#include "clients/cli/load/pacing.h"

namespace tesela::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// After a connection was lost or could not be made.
constexpr std::chrono::milliseconds kOpenAgainAfter{100};

/// Of each thread.
constexpr std::uint64_t kErrorsExplained = 5;

std::unexpected<Error> lost(const boost::system::error_code& error) {
  return refuse(ErrorCode::kUnavailable, "A connection was lost: " + error.message() + ".");
}

Task<void> wait_until(Clock::time_point time) {
  Timer timer(co_await boost::asio::this_coro::executor, time);
  co_await timer.async_wait(kResult);
}

}  // namespace

void LoadCounters::error(std::string_view why) {
  if (errors.fetch_add(1, std::memory_order_relaxed) >= kErrorsExplained) return;
  print(std::cerr, "error: {}\n", why);
}

Task<void> LoadConnection::play() {
  while (!stopping()) {
    if (!co_await open()) {
      co_await wait_until(Clock::now() + kOpenAgainAfter);
      continue;
    }
    auto done = co_await round_trips();
    stream_.reset();
    if (!done) co_await ended(std::move(done.error()));
  }
}

Task<void> LoadConnection::hold() {
  while (!stopping()) {
    if (!co_await open()) {
      if (!dialogue_->moved()) co_return;
      co_await wait_until(Clock::now() + kOpenAgainAfter);
      continue;
    }
    Expected<void> heard;
    while (heard) {
      const auto [error, size] = co_await stream_->async_read(buffer_, kResult);
      if (error) {
        heard = lost(error);
      } else {
        heard = dialogue_->overhear({static_cast<const char*>(buffer_.data().data()), size});
      }
      buffer_.consume(size);
    }
    const bool moves = dialogue_->moved().has_value();
    co_await ended(std::move(heard.error()));
    if (!moves) co_return;
  }
}

Task<void> LoadConnection::ended(Error error) {
  if (stopping()) co_return;
  if (const auto pause = dialogue_->moved()) {
    co_await wait_until(Clock::now() + *pause);
  } else {
    counters_.error(error.message);
  }
}

void LoadConnection::hang_up() {
  if (pause_timer_) pause_timer_->cancel();
  if (stream_) stream_->next_layer().close();
}

Task<bool> LoadConnection::open() {
  auto stream = co_await dialogue_->open();
  if (!stream) {
    if (!stopping() && !dialogue_->moved()) counters_.error(stream.error().message);
    co_return false;
  }
  stream_.emplace(std::move(*stream));
  buffer_.clear();
  if (!opened_before_) counters_.open.fetch_add(1, std::memory_order_relaxed);
  opened_before_ = true;
  co_return true;
}

Task<Expected<void>> LoadConnection::round_trips() {
  Pacer pacer(dialogue_->frames_per_second_max());
  pause_timer_.emplace(co_await boost::asio::this_coro::executor);
  auto sent = Clock::now();
  while (!dialogue_->over() && !stopping()) {
    if (const auto pause = think_time_.next(); pause > ThinkTime::Duration::zero()) {
      pause_timer_->expires_at(sent + pause);
      co_await pause_timer_->async_wait(kResult);
      if (stopping()) break;
      sent = Clock::now();
    }
    const auto due = pacer.send_at(sent);
    if (due > sent) {
      co_await wait_until(due);
      sent = Clock::now();
    }
    const std::string_view frame = dialogue_->next_frame();
    const auto [error, size] =
        co_await stream_->async_write(boost::asio::buffer(frame.data(), frame.size()), kResult);
    if (error) co_return lost(error);
    if (auto answered = co_await answer(); !answered) co_return answered;
    // One reading of the clock per round trip: the end of one is the beginning of the next.
    const auto now = Clock::now();
    if (phase_.load(std::memory_order_relaxed) == LoadPhase::kMeasure) {
      counters_.latencies.record(now - sent);
      counters_.moves.fetch_add(1, std::memory_order_relaxed);
    }
    sent = now;
  }
  co_return Expected<void>{};
}

Task<Expected<void>> LoadConnection::answer() {
  for (;;) {
    const auto [error, size] = co_await stream_->async_read(buffer_, kResult);
    if (error) co_return lost(error);
    const auto answered =
        dialogue_->accept({static_cast<const char*>(buffer_.data().data()), size});
    buffer_.consume(size);
    if (!answered) co_return std::unexpected(answered.error());
    if (*answered) co_return Expected<void>{};
  }
}

}  // namespace tesela::cli
