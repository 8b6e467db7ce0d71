// Asks many cells whether a certain chain ends there, and does not let a hard one keep an easy one
// waiting.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/g2248/block_bounds.h"
#include "engine/g2248/descent.h"
#include "engine/g2248/levels.h"
#include "engine/g2248/path.h"

namespace tesela::g2248 {

/// Each cell is first given few steps. Those that are not decided then are asked again, thoroughly,
/// round by round with more steps, until one says yes or all have said no. Counting steps and not
/// time, it gives the same answer whenever it is asked the same.
template <class Bits, class Ending>
class ChainSearch {
 public:
  /// `levels` and `bounds` must outlive it. `hasty_steps` are those of the first round.
  ChainSearch(const Levels<Bits>& levels, BlockBounds<Bits>& bounds, Window window,
              std::uint64_t hasty_steps)
      : descent_{levels, bounds, window}, hasty_steps_{hasty_steps} {}

  /// Whether a chain is found quickly that ends in `last` as `ending` wants it.
  bool ask(Cell last, const Ending& ending) {
    const Found found = descent_.from(last, ending, {.steps_max = hasty_steps_, .thorough = false});
    if (found == Found::kGaveUp) {
      undecided_.push_back({.last = last, .ending = ending});
    }
    return found == Found::kYes;
  }

  /// Whether one is found at all among those that were asked.
  bool insist() {
    for (std::uint64_t steps = kFirstSteps; !undecided_.empty(); steps *= kMoreSteps) {
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
    }
    return false;
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

  Descent<Bits, Ending> descent_;
  std::uint64_t hasty_steps_;
  std::vector<Question> undecided_;
};

}  // namespace tesela::g2248
