// A cache of each table's epoch and last version, which the writer checks an append against.
// Reading both from the database would cost more than the append itself.
#pragma once

#include <cstddef>
#include <optional>
#include <ranges>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "server/store/sql/session/session.h"

namespace tesela::store {

/// Changes belong to a transaction and are undone when it is rolled back. One thread.
class Heads {
 public:
  /// Empty when it is not cached.
  [[nodiscard]] std::optional<sql::Head> find(TableId table) const {
    const auto it = heads_.find(table);
    if (it == heads_.end()) return std::nullopt;
    return it->second;
  }
  /// Caches a head that was read from the database.
  void remember(TableId table, sql::Head head) { heads_.insert_or_assign(table, head); }
  /// Changes a head, or adds that of a new table, in this transaction.
  void change(TableId table, sql::Head head) {
    const auto [it, added] = heads_.try_emplace(table, head);
    undo_.emplace_back(table, added ? std::nullopt : std::optional(it->second));
    it->second = head;
  }

  /// The table was deleted in this transaction.
  void forget(TableId table) {
    if (const auto it = heads_.find(table); it != heads_.end()) {
      undo_.emplace_back(table, it->second);
      heads_.erase(it);
    }
  }

  void commit() { undo_.clear(); }
  void roll_back() {
    for (const auto& [table, before] : std::views::reverse(undo_)) {
      if (before) {
        heads_.insert_or_assign(table, *before);
      } else {
        heads_.erase(table);
      }
    }
    undo_.clear();
  }

  [[nodiscard]] std::size_t size() const { return heads_.size(); }
  /// Evicts the heads of all tables for which `keep` is false. Not within a transaction.
  template <class Keep>
  void forget_unless(Keep&& keep) {
    std::erase_if(heads_, [&](const auto& head) { return !keep(head.first); });
  }

 private:
  std::unordered_map<TableId, sql::Head> heads_;
  std::vector<std::pair<TableId, std::optional<sql::Head>>> undo_;
};

}  // namespace tesela::store
