// Tells whoever watches the lobby which tables were made or changed.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "server/store/store.h"

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

}  // namespace tesela::directory
