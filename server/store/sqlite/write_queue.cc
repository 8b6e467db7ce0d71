#include "server/store/sqlite/write_queue.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <iterator>
#include <utility>
#include <variant>

#include "server/net/limits.h"

namespace tesela::store {

Expected<void> WriteQueue::push(Write& write) {
  Executor executor;
  {
    const std::scoped_lock lock(mutex_);
    if (closed_) return refuse(ErrorCode::kUnavailable, "The server is stopping.");
    if (moves_.size() + others_.size() >= limits::kStoreQueueMax) {
      return refuse(ErrorCode::kUnavailable, "The server has too much to store: try again soon.");
    }
    const bool move = std::holds_alternative<Append>(write.request);
    const Waker waker = move ? Waker::kMove : Waker::kAny;
    if (sleeping_ && waker_ < waker) {
      waker_ = waker;
      executor = write.executor;
    }
    if (move) {
      moves_.push_back(std::move(write));
    } else {
      others_.push_back(std::move(write));
    }
  }
  if (executor) {
    // Behind what the caller's thread has to do already: its writes share a commit so.
    boost::asio::post(executor, [wake = wake_] { wake->notify_one(); });
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
  return moves_.size() + others_.size();
}

std::optional<std::span<Write>> WriteQueue::take(
    std::optional<std::chrono::milliseconds> time_max) {
  batch_.clear();
  std::unique_lock lock(mutex_);
  const auto ready = [this] { return !moves_.empty() || !others_.empty() || closed_; };
  sleeping_ = !ready();
  if (time_max) {
    wake_->wait_for(lock, *time_max, ready);
  } else {
    wake_->wait(lock, ready);
  }
  sleeping_ = false;
  waker_ = Waker::kNone;
  if (moves_.empty() && others_.empty() && closed_) return std::nullopt;
  const std::size_t others = std::min(others_.size(), limits::kStoreBatchOthersMax);
  const std::size_t most = limits::kStoreBatchMax - others;
  // Whoever brings a move waits for the lock: mostly it is held for no longer than this.
  batch_.swap(moves_);
  if (batch_.size() > most) {
    const auto rest = batch_.begin() + static_cast<std::ptrdiff_t>(most);
    std::move(rest, batch_.end(), std::back_inserter(moves_));
    batch_.erase(rest, batch_.end());
  }
  for (std::size_t i = 0; i < others; ++i) {
    batch_.push_back(std::move(others_.front()));
    others_.pop_front();
  }
  return batch_;
}

}  // namespace tesela::store
