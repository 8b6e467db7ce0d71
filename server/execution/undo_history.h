// Which moves of a log are in force when moves are taken back.
#pragma once

#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/record.h"

namespace tesela::execution {

/// Takes a table's records in the order of versions, before they are executed, to find the
/// positions that undo records go back to.
class UndoHistory {
 public:
  /// Error: kCorrupt when the record takes back a move that is not the last one in force.
  Expected<void> add(Version version, const codec::Record& record);

  /// The version before the last move in force; empty when there is none.
  [[nodiscard]] std::optional<Version> before_last() const;
  /// The versions that undo records go back to.
  [[nodiscard]] const std::set<Version>& returns() const { return returns_; }

 private:
  std::vector<Version> standing_;  // the beginning, and the moves after it
  std::set<Version> returns_;
};

inline Expected<void> UndoHistory::add(Version version, const codec::Record& record) {
  const auto* undone = std::get_if<codec::Undone>(&record.event);
  if (undone == nullptr) {
    standing_.push_back(version);
    return {};
  }
  if (before_last() != undone->to) {
    return refuse(ErrorCode::kCorrupt, "it takes back a move that is not the last one.");
  }
  standing_.pop_back();
  returns_.insert(undone->to);
  return {};
}

inline std::optional<Version> UndoHistory::before_last() const {
  if (standing_.size() < 2) return std::nullopt;
  return standing_[standing_.size() - 2];
}

}  // namespace tesela::execution
