// A table as lines of text, one a position: for pipes, logs and screen readers.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "clients/cli/base/printed.h"
#include "clients/cli/table/table_view.h"

namespace tesela::cli {

/// A line has the version, what led to the position, and the position as GameScreen::line gives it:
/// "version 7 left score 24 | 2 . . . | 4 8 . . | . . . . | . . . 2 | in play".
///
/// One thread; `out` outlives it.
class TableLines {
 public:
  explicit TableLines(std::ostream& out) : out_(out) {}

  /// False for an unknown game: then nothing is printed.
  bool open(const std::string& game) {
    view_.open(game);
    return view_.screen() != nullptr;
  }
  void take(const play::v1::Seating& seating) { view_.take(seating); }
  void tell(const play::v1::Snapshot& snapshot) {
    if (view_.take(snapshot)) tell(snapshot.version(), "now");
  }
  /// A move that could be played in the position that was told last, in words.
  [[nodiscard]] std::string proposal(const google::protobuf::Any& move,
                                     const google::protobuf::Any& gain) const {
    return view_.screen()->proposal_words(move, gain);
  }
  void tell(const play::v1::Event& event) {
    if (view_.take(event)) tell(event.version(), view_.words_of(event));
  }

 private:
  void tell(std::uint64_t version, const std::string& what) {
    print(out_, "version {} {} {}\n", version, what, view_.screen()->line(view_.picture().status));
  }

  TableView view_;
  std::ostream& out_;
};

}  // namespace tesela::cli
