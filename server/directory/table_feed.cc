#include "server/directory/table_feed.h"

#include <utility>

namespace tesela::directory {

TableFeed::Subscription::Subscription(Subscription&& other) noexcept
    : feed_(std::exchange(other.feed_, nullptr)), id_(other.id_) {}

TableFeed::Subscription& TableFeed::Subscription::operator=(Subscription&& other) noexcept {
  std::swap(feed_, other.feed_);
  std::swap(id_, other.id_);
  return *this;
}

TableFeed::Subscription::~Subscription() {
  if (feed_ == nullptr) return;
  const std::lock_guard lock{feed_->mutex_};
  feed_->listeners_.erase(id_);
}

TableFeed::Subscription TableFeed::subscribe(Listener listener) {
  const std::lock_guard lock{mutex_};
  listeners_.emplace(++last_id_, std::move(listener));
  return {*this, last_id_};
}

void TableFeed::publish(const store::TableRow& table) {
  const std::lock_guard lock{mutex_};
  for (const auto& [id, listener] : listeners_) listener(table);
}

}  // namespace tesela::directory
