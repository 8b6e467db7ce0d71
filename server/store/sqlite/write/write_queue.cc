#include "server/store/sqlite/write/write_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "server/base/limits.h"
#include "server/base/store_limits.h"
#include "server/store/refusals.h"

namespace tesela::store {

Expected<void> WriteQueue::push(Write& write) {
  std::optional<base::Continuation> asked;
  std::uint64_t number = 0;
  {
    const std::scoped_lock lock(round_->mutex);
    if (closed_) return stopping();
    if (moves_.size() + others_.size() >= limits::kStoreQueueMax) {
      return refuse(ErrorCode::kUnavailable, "The server has too much to store: try again soon.");
    }
    if (std::ranges::find(asked_, write.caller) == asked_.end()) {
      asked = asked_.emplace_back(write.caller);
    }
    number = round_->number;
    if (std::holds_alternative<Append>(write.request)) {
      moves_.push_back(std::move(write));
    } else {
      others_.push_back(std::move(write));
    }
  }
  if (asked) {
    // Posted behind the handlers that are ready on the caller's thread, so that its writes share a
    // commit. To each thread, because one of them may be slow.
    asked->post_behind([round = round_, number] {
      {
        const std::scoped_lock lock(round->mutex);
        if (round->number != number) return;
        round->over = true;
      }
      round->ended.notify_one();
    });
  }
  return {};
}

void WriteQueue::push_aside(Write write) {
  const std::scoped_lock lock(round_->mutex);
  if (closed_ || snapshots_.size() >= limits::kStoreSnapshotsMax) return;
  snapshots_.push_back(std::move(write));
}

void WriteQueue::close() {
  {
    const std::scoped_lock lock(round_->mutex);
    closed_ = true;
  }
  round_->ended.notify_one();
}

std::size_t WriteQueue::waiting() const {
  const std::scoped_lock lock(round_->mutex);
  return moves_.size() + others_.size();
}

std::optional<std::span<Write>> WriteQueue::take(
    std::optional<std::chrono::milliseconds> time_max) {
  batch_.clear();
  std::unique_lock lock(round_->mutex);
  const auto waits = [this] { return !moves_.empty() || !others_.empty(); };
  const auto ready = [this] { return round_->over || closed_; };
  if (time_max) {
    round_->ended.wait_for(lock, *time_max, ready);
  } else {
    round_->ended.wait(lock, ready);
  }
  if (closed_ && !waits() && snapshots_.empty()) return std::nullopt;
  round_->number += 1;
  asked_.clear();
  const std::size_t others = std::min(others_.size(), limits::kStoreBatchOthersMax);
  const bool any = waits() || closed_;
  const std::size_t snapshots =
      any ? std::min(snapshots_.size(), limits::kStoreBatchSnapshotsMax) : 0;
  const std::size_t most = limits::kStoreBatchMax - others - snapshots;
  // A swap, because producers wait for the lock.
  batch_.swap(moves_);
  if (batch_.size() > most) {
    const auto rest = batch_.begin() + static_cast<std::ptrdiff_t>(most);
    std::move(rest, batch_.end(), std::back_inserter(moves_));
    batch_.erase(rest, batch_.end());
  }
  const auto take_from = [this](std::deque<Write>& writes, std::size_t count) {
    for (; count > 0; --count) {
      batch_.push_back(std::move(writes.front()));
      writes.pop_front();
    }
  };
  take_from(others_, others);
  take_from(snapshots_, snapshots);
  round_->over = waits();
  return batch_;
}

}  // namespace tesela::store
