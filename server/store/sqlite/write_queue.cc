#include "server/store/sqlite/write_queue.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "server/net/limits.h"

namespace tesela::store {

Expected<void> WriteQueue::push(Write& write) {
  Executor waker;
  {
    const std::scoped_lock lock(mutex_);
    if (closed_) return refuse(ErrorCode::kUnavailable, "The server is stopping.");
    if (waiting_ >= limits::kStoreQueueMax) {
      return refuse(ErrorCode::kUnavailable, "The server has too much to store: try again soon.");
    }
    if (std::exchange(sleeping_, false)) waker = write.executor;
    incoming_.push_back(std::move(write));
    ++waiting_;
  }
  if (waker) {
    // Behind what the caller's thread has to do already: its writes share a commit so.
    boost::asio::post(waker, [wake = wake_] { wake->notify_one(); });
  }
  return {};
}

void WriteQueue::close() {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  wake_->notify_one();
}

std::size_t WriteQueue::waiting() const {
  const std::scoped_lock lock(mutex_);
  return waiting_;
}

std::optional<std::span<Write>> WriteQueue::take(
    std::optional<std::chrono::milliseconds> time_max) {
  const bool used_up = taken_ == backlog_.size();
  if (used_up) {
    backlog_.clear();
    taken_ = 0;
  }
  std::unique_lock lock(mutex_);
  if (used_up) {
    const auto ready = [this] { return !incoming_.empty() || closed_; };
    sleeping_ = !ready();
    if (time_max) {
      wake_->wait_for(lock, *time_max, ready);
    } else {
      wake_->wait(lock, ready);
    }
    sleeping_ = false;
    backlog_.swap(incoming_);
  }
  if (backlog_.empty() && closed_) return std::nullopt;
  const auto batch = std::span(backlog_).subspan(taken_);
  const auto count = std::min(batch.size(), limits::kStoreBatchMax);
  taken_ += count;
  waiting_ -= count;
  return batch.first(count);
}

}  // namespace tesela::store
