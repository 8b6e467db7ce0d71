#include "server/execution/undo_history.h"

#include <variant>

namespace tesela::execution {

Expected<void> UndoHistory::add(Version version, const codec::Record& record) {
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

std::optional<Version> UndoHistory::before_last() const {
  if (standing_.size() < 2) return std::nullopt;
  return standing_[standing_.size() - 2];
}

}  // namespace tesela::execution
