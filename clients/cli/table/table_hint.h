// The hint that a player has asked for: its moves, a line each.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "clients/cli/base/value_text.h"
#include "clients/cli/screen/game_screen.h"
#include "tesela/play/v1/play.pb.h"

namespace tesela::cli {

/// One thread.
class TableHint {
 public:
  /// Shows the best move. `screen` has the position that the hint is about, `seats` players.
  void take(const play::v1::Hint& hint, const GameScreen& screen, std::size_t seats);
  /// The position is another one.
  void forget() { lines_.clear(); }

  [[nodiscard]] bool empty() const { return lines_.empty(); }
  /// "Hint 1 of 3 (62.4 % to win): 2 red from factory 4 to line 2". Not while it is empty.
  [[nodiscard]] const std::string& line() const { return lines_[shown_]; }
  /// Shows the next best move; after the last, the best. Not while it is empty.
  void next() { shown_ = (shown_ + 1) % lines_.size(); }

 private:
  std::vector<std::string> lines_;
  std::size_t shown_ = 0;
};

inline void TableHint::take(const play::v1::Hint& hint, const GameScreen& screen,
                            std::size_t seats) {
  const std::string count = std::to_string(1 + hint.alternatives_size());
  lines_.clear();
  shown_ = 0;
  const auto add = [&](const auto& judged, bool valued) {
    std::string line = "Hint";
    if (hint.alternatives_size() > 0) {
      line += " " + std::to_string(lines_.size() + 1) + " of " + count;
    }
    if (valued && !hint.measure().empty()) {
      line += " (" + worth_words(hint.measure(), judged.value(), hint.value(), seats) + ")";
    }
    lines_.push_back(line + ": " + screen.proposal_words(judged.move(), judged.gain()));
  };
  add(hint, hint.has_value());
  for (const auto& alternative : hint.alternatives()) add(alternative, true);
}

}  // namespace tesela::cli
