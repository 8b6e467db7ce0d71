// Rate limits of one player over all tables: chat messages, hints and undos.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "engine/core/ids.h"
#include "server/quota/rate.h"

namespace tesela::quota {

/// The limits of one player, over all tables and connections. Any thread.
class TableQuota {
 public:
  /// Each takes a token; false when there is none (limits::kSayInterval, kHintInterval,
  /// kUndoInterval).
  [[nodiscard]] bool take_say();
  [[nodiscard]] bool take_hint();
  [[nodiscard]] bool take_replay();

  /// Whether all limits are unused, so that this object can be dropped.
  [[nodiscard]] bool full(std::chrono::steady_clock::time_point now) const;

 private:
  Budget says_;
  Budget hints_;
  Budget replays_;
};

/// Any thread.
class TableQuotas {
 public:
  /// The player's quota, shared by all connections of the player. It is kept while it is used or
  /// not full. Beyond limits::kQuotasMax players the others share one.
  [[nodiscard]] std::shared_ptr<TableQuota> of(PlayerId player);

 private:
  std::mutex mutex_;
  std::unordered_map<PlayerId, std::shared_ptr<TableQuota>> known_;
  std::shared_ptr<TableQuota> shared_ = std::make_shared<TableQuota>();
  std::chrono::steady_clock::time_point swept_;
};

}  // namespace tesela::quota
