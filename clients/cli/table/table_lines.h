// A table as lines of text, one a position: for pipes, logs and screen readers.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "clients/cli/table/table_view.h"

namespace tesela::cli {

/// A line is the version, what led to the position, and the position as the game's screen words it:
/// "version 7 left score 24 | 2 . . . | 4 8 . . | . . . . | . . . 2 | in play".
///
/// One thread; `out` outlives it.
class TableLines {
 public:
  explicit TableLines(std::ostream& out) : out_(out) {}

  /// False when the game is not known here: then nothing of it is told.
  bool open(const std::string& game);
  void take(const play::v1::Seating& seating) { view_.take(seating); }
  void tell(const play::v1::Snapshot& snapshot);
  void tell(const play::v1::Event& event);

 private:
  void tell(std::uint64_t version, const std::string& what);

  TableView view_;
  std::ostream& out_;
};

}  // namespace tesela::cli
