// Publishes created and changed tables, for watches of the lobby.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "server/base/postgres_limits.h"
#include "server/store/table_rows.h"

namespace tesela::directory {

/// What this server has changed is published as it happens, what others have changed as it is read
/// from the database (ChangeFollower). The last that is published of a table is the newest. One
/// listens at a time. Any thread.
class TableFeed {
 public:
  /// Called on the thread that publishes, one at a time. Must be quick and must not call back into
  /// the feed.
  struct Listener {
    /// `several`: the table may have been in other states since it was last published.
    std::function<void(const store::TableRow&, bool several)> changed;
    /// Changes may be missing: watches must begin again.
    std::function<void()> missed = [] {};
    /// Whether anybody wants to hear of changes now.
    std::function<bool()> wants = [] { return true; };
  };

  /// After its end the listener is not called any more.
  class Subscription {
   public:
    Subscription(TableFeed& feed, Listener listener);
    ~Subscription();
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

   private:
    TableFeed& feed_;
  };

  /// A table that this server has made or changed. Nothing happens when another server has had the
  /// table since, and its change was published before.
  void publish(const store::TableRow& table);
  /// One that another server has changed, as it is in the database.
  void publish_foreign(const store::TableRow& table, bool several);
  /// Changes by other servers may be missing.
  void tell_missed();
  /// Whether the listener, if there is one, wants to hear of changes.
  [[nodiscard]] bool wanted();

 private:
  using Time = std::chrono::steady_clock::time_point;

  void tell(const store::TableRow& table, bool several);
  [[nodiscard]] bool is_older(const store::TableRow& table) const;
  void remember(const store::TableRow& table, Time now);

  std::mutex mutex_;
  std::optional<Listener> listener_;
  // The epochs of foreign tables that were published: in this period, and in the one before.
  std::unordered_map<TableId, Epoch> epochs_;
  std::unordered_map<TableId, Epoch> epochs_before_;
  Time period_begin_{};
};

inline TableFeed::Subscription::Subscription(TableFeed& feed, Listener listener) : feed_(feed) {
  const std::lock_guard lock{feed.mutex_};
  feed.listener_ = std::move(listener);
}

inline TableFeed::Subscription::~Subscription() {
  const std::lock_guard lock{feed_.mutex_};
  feed_.listener_.reset();
}

inline void TableFeed::publish(const store::TableRow& table) {
  const std::lock_guard lock{mutex_};
  if (!is_older(table)) tell(table, false);
}

inline void TableFeed::publish_foreign(const store::TableRow& table, bool several) {
  const std::lock_guard lock{mutex_};
  remember(table, std::chrono::steady_clock::now());
  tell(table, several);
}

inline void TableFeed::tell_missed() {
  const std::lock_guard lock{mutex_};
  if (listener_) listener_->missed();
}

inline bool TableFeed::wanted() {
  const std::lock_guard lock{mutex_};
  return listener_ && listener_->wants();
}

inline void TableFeed::tell(const store::TableRow& table, bool several) {
  if (listener_) listener_->changed(table, several);
}

/// Between the commit of a change and its publication another server may have claimed the table,
/// under a higher epoch, and its change may have been read.
inline bool TableFeed::is_older(const store::TableRow& table) const {
  for (const auto* epochs : {&epochs_, &epochs_before_}) {
    const auto found = epochs->find(table.id);
    if (found != epochs->end() && table.epoch < found->second) return true;
  }
  return false;
}

inline void TableFeed::remember(const store::TableRow& table, Time now) {
  const bool is_full = epochs_.size() >= limits::kForeignEpochsMax / 2;
  if (is_full || now - period_begin_ > limits::kForeignEpochsKept) {
    epochs_before_ = std::exchange(epochs_, {});
    period_begin_ = now;
  }
  epochs_.insert_or_assign(table.id, table.epoch);
}

}  // namespace tesela::directory
