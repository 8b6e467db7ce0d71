// Which server has a table, as it was when somebody looked.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "engine/core/ids.h"
#include "server/nodes/node_address.h"
#include "server/store/ownership.h"

namespace tesela::nodes {

/// Another server with a node port, and its life.
struct RemoteOwner {
  store::LifeId life;
  NodeAddress address;

  friend bool operator==(const RemoteOwner&, const RemoteOwner&) = default;
};

/// Any thread.
class OwnerCache {
 public:
  /// Remembers at most `max` owners, at least 1.
  explicit OwnerCache(std::size_t max) : max_(max) {}

  [[nodiscard]] std::optional<RemoteOwner> find(TableId table) const;
  /// When there is no room, another table is forgotten.
  void put(TableId table, RemoteOwner owner);
  void forget(TableId table);
  [[nodiscard]] std::size_t size() const;

 private:
  const std::size_t max_;
  mutable std::mutex mutex_;
  std::unordered_map<TableId, RemoteOwner> owners_;
};

}  // namespace tesela::nodes
