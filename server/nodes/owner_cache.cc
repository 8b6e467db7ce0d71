#include "server/nodes/owner_cache.h"

#include <utility>

namespace tesela::nodes {

std::optional<RemoteOwner> OwnerCache::find(TableId table) const {
  const std::scoped_lock lock(mutex_);
  const auto found = owners_.find(table);
  if (found == owners_.end()) return std::nullopt;
  return found->second;
}

void OwnerCache::put(TableId table, RemoteOwner owner) {
  const std::scoped_lock lock(mutex_);
  if (owners_.size() >= max_ && !owners_.contains(table)) owners_.erase(owners_.begin());
  owners_.insert_or_assign(table, std::move(owner));
}

void OwnerCache::forget(TableId table) {
  const std::scoped_lock lock(mutex_);
  owners_.erase(table);
}

std::size_t OwnerCache::size() const {
  const std::scoped_lock lock(mutex_);
  return owners_.size();
}

}  // namespace tesela::nodes
