// Asks many cells whether a certain chain ends there, and does not let a hard one keep an easy one
// waiting.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/g2248/block_bounds.h"
#include "engine/g2248/descent.h"
#include "engine/g2248/frontier.h"
#include "engine/g2248/levels.h"
#include "engine/g2248/path.h"
#include "engine/g2248/step_limit.h"

namespace tesela::g2248 {

/// Each cell is first given few steps. Those that are not decided then are asked again, thoroughly,
/// round by round with more steps, until one says yes or all have said no, or patience ends; then
/// the whole board is swept. Counting steps and not time, it gives the same answer whenever it is
/// asked the same.
template <class Bits, class Ending>
class ChainSearch {
 public:
  /// `levels`, `bounds` and `limit` must outlive it. `hasty_steps` are those of the first round.
  ChainSearch(const Levels<Bits>& levels, BlockBounds<Bits>& bounds, Window window,
              std::uint64_t hasty_steps, StepLimit& limit)
      : levels_{levels},
        window_{window},
        descent_{levels, bounds, window, limit},
        hasty_steps_{hasty_steps},
        limit_{limit} {}

  /// Whether a chain is found quickly that ends in `last` as `ending` wants it.
  bool ask(Cell last, const Ending& ending) {
    const Found found = descent_.from(last, ending, {.steps_max = hasty_steps_, .thorough = false});
    if (found == Found::kGaveUp) {
      undecided_.push_back({.last = last, .ending = ending});
    }
    return found == Found::kYes;
  }

  /// Whether all that were asked so far have said yes or no.
  [[nodiscard]] bool is_decided() const { return undecided_.empty(); }

  /// A chain found at all among those that were asked, on the board that the levels are of. No
  /// round gives a cell more than `thorough_steps`; what remains open then is decided by sweeps
  /// over the board (chain_across), if it is narrow enough. If not, the rounds go on. Empty also
  /// when the limit is reached.
  std::optional<Path> insist(BoardView board, std::uint64_t thorough_steps) {
    const bool narrow = std::min(board.rows, board.columns) <= kNarrowMax;
    for (std::uint64_t steps = kFirstSteps;
         !is_decided() && !limit_.reached() && (!narrow || steps <= thorough_steps);
         steps *= kMoreSteps) {
      if (ask_again(steps)) {
        return chain();
      }
    }
    while (!is_decided() && !limit_.reached()) {
      if (auto chain = chain_across(board, next_sweep(), limit_)) {
        return chain;
      }
    }
    return std::nullopt;
  }

  /// The chain that was found.
  [[nodiscard]] Path chain() const { return descent_.chain(); }

 private:
  static constexpr std::uint64_t kFirstSteps = 500;
  static constexpr std::uint64_t kMoreSteps = 8;

  struct Question {
    Cell last;
    Ending ending;
  };

  /// Whether one of the open questions is answered with yes.
  bool ask_again(std::uint64_t steps) {
    std::vector<Question> left;
    for (const Question& question : undecided_) {
      const Found found =
          descent_.from(question.last, question.ending, {.steps_max = steps, .thorough = true});
      if (found == Found::kYes) {
        return true;
      }
      if (found == Found::kGaveUp) {
        left.push_back(question);
      }
    }
    undecided_.swap(left);
    return false;
  }

  /// Takes the last open question, and all that the same sweep answers.
  ChainWanted next_sweep() {
    const Question asked = undecided_.back();
    ChainWanted wanted{.window = window_, .drift = asked.ending.drift(asked.last)};
    std::erase_if(undecided_, [&](const Question& question) {
      const Bits below = levels_.of(question.last).below;
      if (!wanted.drift.agrees(question.ending.drift(question.last), below)) {
        return false;
      }
      wanted.lasts |= set_of<Bits128>(question.last);
      wanted.cells |= below;
      return true;
    });
    return wanted;
  }

  const Levels<Bits>& levels_;
  Window window_;
  Descent<Bits, Ending> descent_;
  std::uint64_t hasty_steps_;
  StepLimit& limit_;
  std::vector<Question> undecided_;
};

}  // namespace tesela::g2248
