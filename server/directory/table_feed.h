// Publishes the tables that were created or changed, for those who watch the lobby.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "server/store/table_rows.h"

namespace tesela::directory {

/// Any thread.
class TableFeed {
 public:
  /// Called on the thread that publishes, one at a time for each listener. Must be quick and must
  /// not call back into the feed.
  using Listener = std::function<void(const store::TableRow&)>;

  /// Ends the subscription when destroyed; after that the listener is not called any more.
  class Subscription {
   public:
    Subscription() = default;
    Subscription(TableFeed& feed, std::size_t id) : feed_(&feed), id_(id) {}
    Subscription(Subscription&& other) noexcept;
    Subscription& operator=(Subscription&& other) noexcept;
    ~Subscription();

   private:
    TableFeed* feed_ = nullptr;
    std::size_t id_ = 0;
  };

  [[nodiscard]] Subscription subscribe(Listener listener);
  void publish(const store::TableRow& table);

 private:
  std::mutex mutex_;
  std::map<std::size_t, Listener> listeners_;
  std::size_t last_id_ = 0;
};

inline TableFeed::Subscription::Subscription(Subscription&& other) noexcept
    : feed_(std::exchange(other.feed_, nullptr)), id_(other.id_) {}

inline TableFeed::Subscription& TableFeed::Subscription::operator=(Subscription&& other) noexcept {
  std::swap(feed_, other.feed_);
  std::swap(id_, other.id_);
  return *this;
}

inline TableFeed::Subscription::~Subscription() {
  if (feed_ == nullptr) return;
  const std::lock_guard lock{feed_->mutex_};
  feed_->listeners_.erase(id_);
}

inline TableFeed::Subscription TableFeed::subscribe(Listener listener) {
  const std::lock_guard lock{mutex_};
  listeners_.emplace(++last_id_, std::move(listener));
  return {*this, last_id_};
}

inline void TableFeed::publish(const store::TableRow& table) {
  const std::lock_guard lock{mutex_};
  for (const auto& [id, listener] : listeners_) listener(table);
}

}  // namespace tesela::directory
