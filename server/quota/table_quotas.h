// What one player may cost the tables.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "engine/core/ids.h"
#include "server/quota/rate.h"

namespace tesela::quota {

/// Of one player, over all tables and all connections. Any thread.
class TableQuota {
 public:
  /// Each takes one; false when there is none left (limits::kSayInterval, kHintInterval,
  /// kUndoInterval).
  [[nodiscard]] bool take_say();
  [[nodiscard]] bool take_hint();
  [[nodiscard]] bool take_replay();

  /// Whether nothing that was taken still counts.
  [[nodiscard]] bool full(std::chrono::steady_clock::time_point now) const;

 private:
  Budget says_;
  Budget hints_;
  Budget replays_;
};

/// Any thread.
class TableQuotas {
 public:
  /// The player's, the same for all their connections, and for the next one as long as anything
  /// counts. Beyond limits::kQuotasMax players the rest share one.
  [[nodiscard]] std::shared_ptr<TableQuota> of(PlayerId player);

 private:
  std::mutex mutex_;
  std::unordered_map<PlayerId, std::shared_ptr<TableQuota>> known_;
  std::shared_ptr<TableQuota> shared_ = std::make_shared<TableQuota>();
  std::chrono::steady_clock::time_point swept_;
};

}  // namespace tesela::quota
