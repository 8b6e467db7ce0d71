#include "clients/cli/table/table_hint.h"

#include "clients/cli/base/worth_text.h"

namespace tesela::cli {

void TableHint::take(const play::v1::Hint& hint, const GameScreen& screen, std::size_t seats) {
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
