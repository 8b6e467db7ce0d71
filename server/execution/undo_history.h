// Which moves of a log stand, where moves are taken back.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/codec/record.h"

namespace tesela::execution {

/// Reads a table's records in the order of versions, before they are played: then it is known which
/// positions are gone back to.
class UndoHistory {
 public:
  /// Error: kCorrupt when the record takes back what does not stand.
  Expected<void> add(Version version, const codec::Record& record);

  /// The version before the last move that stands; none when none stands.
  [[nodiscard]] std::optional<Version> before_last() const;
  /// The versions that records go back to.
  [[nodiscard]] const std::set<Version>& returns() const { return returns_; }

 private:
  std::vector<Version> standing_;  // the beginning, and the moves after it
  std::set<Version> returns_;
};

}  // namespace tesela::execution
