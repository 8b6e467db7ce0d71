#include "server/store/sqlite/write/heads.h"

#include <ranges>

namespace tesela::store {

std::optional<Head> Heads::find(TableId table) const {
  const auto it = heads_.find(table);
  if (it == heads_.end()) return std::nullopt;
  return it->second;
}

void Heads::change(TableId table, Head head) {
  const auto [it, added] = heads_.try_emplace(table, head);
  undo_.emplace_back(table, added ? std::nullopt : std::optional(it->second));
  it->second = head;
}

void Heads::roll_back() {
  for (const auto& [table, before] : std::views::reverse(undo_)) {
    if (before) {
      heads_.insert_or_assign(table, *before);
    } else {
      heads_.erase(table);
    }
  }
  undo_.clear();
}

}  // namespace tesela::store
