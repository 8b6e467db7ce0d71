// What the writer must know of a table to judge an append: its epoch and its last version.
// Remembered, because looking both up costs more than the append itself.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/core/ids.h"

namespace tesela::store {

struct Head {
  Epoch epoch;
  Version last;

  friend bool operator==(const Head&, const Head&) = default;
};

/// Changes are made as a transaction goes, and kept or undone with it. One thread.
class Heads {
 public:
  /// Empty when it is not remembered.
  [[nodiscard]] std::optional<Head> find(TableId table) const;
  /// Takes a head as the database has it.
  void remember(TableId table, Head head) { heads_.insert_or_assign(table, head); }
  /// Changes a head, or adds that of a new table, in this transaction.
  void change(TableId table, Head head);

  void commit() { undo_.clear(); }
  void roll_back();

  [[nodiscard]] std::size_t size() const { return heads_.size(); }
  /// Forgets every head but those of the tables that `keep` names; not within a transaction.
  template <class Keep>
  void forget_unless(Keep&& keep) {
    std::erase_if(heads_, [&](const auto& head) { return !keep(head.first); });
  }

 private:
  std::unordered_map<TableId, Head> heads_;
  std::vector<std::pair<TableId, std::optional<Head>>> undo_;
};

}  // namespace tesela::store
