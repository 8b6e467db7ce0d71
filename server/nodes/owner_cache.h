// Which server has a table, as it was when somebody looked.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "engine/core/ids.h"
#include "server/nodes/node_address.h"

namespace tesela::nodes {

/// Any thread.
class OwnerCache {
 public:
  /// Remembers at most `max` owners, at least 1.
  explicit OwnerCache(std::size_t max) : max_(max) {}

  [[nodiscard]] std::optional<NodeAddress> find(TableId table) const;
  /// When there is no room, another table is forgotten.
  void put(TableId table, NodeAddress owner);
  void forget(TableId table);
  [[nodiscard]] std::size_t size() const;

 private:
  const std::size_t max_;
  mutable std::mutex mutex_;
  std::unordered_map<TableId, NodeAddress> owners_;
};

}  // namespace tesela::nodes
