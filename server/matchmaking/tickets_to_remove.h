// The tickets that nobody waits for any more and that the store still has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/core/ids.h"
#include "server/base/limits.h"

namespace tesela::matchmaking {

/// One thread. Bounded: a store that refuses for hours does not make it grow.
class TicketsToRemove {
 public:
  /// With limits::kTicketsToRemoveMax of them all are forgotten, and `overflowed`.
  void add(TicketId id) {
    if (overflowed_) return;
    if (ids_.size() >= limits::kTicketsToRemoveMax) {
      ids_ = {};
      overflowed_ = true;
    } else {
      ids_.push_back(id);
    }
  }
  /// Some were forgotten: whoever knows all that the store has, and who waits, begins anew.
  [[nodiscard]] bool overflowed() const { return overflowed_; }
  void begin_anew() { overflowed_ = false; }

  /// The next to be removed in one write; then `removed` takes them away.
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
