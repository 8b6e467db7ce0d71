// Tickets whose searches have ended and that are still in the store.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/core/ids.h"
#include "server/base/limits.h"

namespace tesela::matchmaking {

/// One thread. Bounded, for a store that cannot write for hours.
class TicketsToRemove {
 public:
  /// Adds a ticket. At limits::kTicketsToRemoveMax all are dropped, and `overflowed` is set.
  void add(TicketId id) {
    if (overflowed_) return;
    if (ids_.size() >= limits::kTicketsToRemoveMax) {
      ids_ = {};
      overflowed_ = true;
    } else {
      ids_.push_back(id);
    }
  }
  /// Whether tickets were dropped. The owner then finds those to remove by comparing the store with
  /// the waiting searches, and calls begin_anew().
  [[nodiscard]] bool overflowed() const { return overflowed_; }
  void begin_anew() { overflowed_ = false; }

  /// The next tickets for one write; `removed` is called after it.
  [[nodiscard]] std::vector<TicketId> next() const {
    const auto next = std::span(ids_).last(std::min(ids_.size(), limits::kTicketsRemovedAtOnce));
    return {next.begin(), next.end()};
  }
  void removed(std::size_t count) { ids_.resize(ids_.size() - count); }

  [[nodiscard]] std::size_t size() const { return ids_.size(); }

 private:
  std::vector<TicketId> ids_;
  bool overflowed_ = false;
};

}  // namespace tesela::matchmaking
