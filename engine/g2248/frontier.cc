#include "engine/g2248/frontier.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "engine/g2248/levels.h"
#include "engine/g2248/profile.h"
#include "engine/g2248/states.h"
#include "engine/g2248/sweep.h"

namespace tesela::g2248 {

namespace {

/// The range that the remaining cells may add to the sum of a Drift.
struct DriftRange {
  int least{kCellsMax};
  int most{-int{kCellsMax}};

  /// Whether it can still come within 1 of 0.
  [[nodiscard]] bool reaches(int apart) const { return apart + least <= 1 && apart + most >= -1; }
};

/// One sweep over the board.
class Across {
 public:
  Across(BoardView board, const ChainWanted& wanted, StepLimit& limit)
      : board_{board}, wanted_{wanted}, limit_{limit}, sweep_{board, wanted.cells} {
    prepare_drift();
  }

  std::optional<Path> find() {
    for (std::size_t index = 0; index < sweep_.arrivals().size(); ++index) {
      arrival_ = &sweep_.arrivals()[index];
      index_ = index;
      const StateRange before = states_.next_layer();
      for (std::uint32_t state = before.begin; state < before.end; ++state) {
        if (!limit_.take()) {
          return std::nullopt;
        }
        if (extend(state)) {
          return chain();
        }
      }
    }
    return std::nullopt;
  }

 private:
  /// Computes these ranges from the last cell backwards.
  void prepare_drift() {
    const auto arrivals = sweep_.arrivals();
    with_last_.resize(arrivals.size());
    without_last_.resize(arrivals.size());
    DriftRange with{.least = 0, .most = 0};
    DriftRange without;
    for (std::size_t index = arrivals.size(); index-- > 0;) {
      with_last_[index] = with;
      without_last_[index] = without;
      const Cell cell = arrivals[index].cell;
      if ((wanted_.cells & set_of<Bits128>(cell)) == 0) {
        continue;
      }
      const int before = wanted_.drift.before_last[cell];
      without.least += std::min(before, 0);
      without.most += std::max(before, 0);
      if (is_last(cell)) {
        without.least = std::min(without.least, with.least + wanted_.drift.as_last[cell]);
        without.most = std::max(without.most, with.most + wanted_.drift.as_last[cell]);
      }
      const int after = wanted_.drift.after_last[cell];
      with.least += std::min(after, 0);
      with.most += std::max(after, 0);
    }
  }

  [[nodiscard]] bool is_last(Cell cell) const {
    return (wanted_.lasts & set_of<Bits128>(cell)) != 0;
  }

  /// All that may become of a state with the cell that arrives. True when the chain is found.
  bool extend(std::uint32_t before) {
    const SweepState from = states_[before];
    SweepState state = from;
    state.before = before;
    state.role = {};
    offer(state);
    const Cell cell = arrival_->cell;
    state.sum = std::min(from.sum + tile_value(board_.cells[cell]), kBoundMax);
    if ((wanted_.cells & set_of<Bits128>(cell)) == 0 || state.sum > wanted_.window.most) {
      return false;
    }
    const Drift& drift = wanted_.drift;
    const int apart = from.has_last ? drift.after_last[cell] : drift.before_last[cell];
    state.apart = static_cast<std::int8_t>(from.apart + apart);
    if (extend_as(kLoose, state) || (!from.has_first && extend_as(kFirst, state))) {
      return true;
    }
    state.apart = static_cast<std::int8_t>(from.apart + drift.as_last[cell]);
    return !from.has_last && is_last(cell) && extend_as(kToLast, state);
  }

  /// The cell arrives as `mark`, and is joined to none, one or two of the cells behind it.
  bool extend_as(Mark mark, SweepState state) {
    state.profile.set(sweep_.arriving(), mark);
    state.role = {.mark = mark, .joined = 0};
    state.has_first = state.has_first || mark == kFirst;
    state.has_last = state.has_last || mark == kToLast;
    offer(state);
    const auto behind = arrival_->behind();
    for (std::size_t first = 0; first < behind.size(); ++first) {
      SweepState one = state;
      if (!join(one, first)) {
        continue;
      }
      if (is_found(one)) {
        return true;
      }
      for (std::size_t second = first + 1; mark == kLoose && second < behind.size(); ++second) {
        SweepState two = one;
        if (join(two, second) && is_found(two)) {
          return true;
        }
      }
    }
    return false;
  }

  /// Joins the cell that arrives to one behind it, if it may be.
  bool join(SweepState& state, std::size_t number) {
    const std::size_t slot = arrival_->behind()[number].slot;
    if (state.profile.at(slot) == kNothing ||
        !state.profile.may_join(slot, sweep_.arriving(), arrival_->exponents)) {
      return false;
    }
    state.whole = state.profile.join(slot, sweep_.arriving());
    state.role.joined = static_cast<std::uint8_t>(state.role.joined | 1U << number);
    return true;
  }

  /// Whether a state is the chain that is wanted. If not, but if it may become it, it is kept.
  bool is_found(const SweepState& state) {
    if (!state.whole) {
      offer(state);
      return false;
    }
    if (!state.profile.empty() || state.sum <= wanted_.window.above ||
        !DriftRange{.least = 0, .most = 0}.reaches(state.apart)) {
      return false;
    }
    found_ = state;
    return true;
  }

  void offer(SweepState state) {
    const auto& drift = state.has_last ? with_last_ : without_last_;
    const std::uint64_t most = std::min(state.sum + arrival_->sum_after, kBoundMax);
    if (most <= wanted_.window.above || !drift[index_].reaches(state.apart)) {
      return;
    }
    const auto profile = sweep_.settled(state.profile, *arrival_);
    if (!profile) {
      return;
    }
    state.profile = *profile;
    states_.offer(state, keep(state.sum, most));
  }

  /// `most` is the greatest final sum.
  [[nodiscard]] Keep keep(std::uint64_t sum, std::uint64_t most) const {
    if (most <= wanted_.window.most) {
      return Keep::kMost;
    }
    return sum > wanted_.window.above ? Keep::kLeast : Keep::kBoth;
  }

  /// The chain of found_; from its first tile on.
  [[nodiscard]] Path chain() const {
    std::array<std::array<Cell, 2>, kCellsMax> next{};
    std::array<std::uint8_t, kCellsMax> next_count{};
    const auto arrivals = sweep_.arrivals();
    Cell cell{};
    SweepState state = found_;
    for (std::size_t index = index_ + 1; index-- > 0; state = states_[state.before]) {
      const Arrival& arrival = arrivals[index];
      cell = state.role.mark == kFirst ? arrival.cell : cell;
      for (std::size_t number = 0; number < arrival.behind_count; ++number) {
        if ((state.role.joined >> number & 1U) != 0) {
          const Cell other = arrival.behind()[number].cell;
          next[arrival.cell][next_count[arrival.cell]++] = other;
          next[other][next_count[other]++] = arrival.cell;
        }
      }
    }
    Path path;
    path.push_back(cell);
    for (Cell to = next[cell][0];;) {
      path.push_back(to);
      if (next_count[to] == 1) {
        return path;
      }
      const Cell on = next[to][0] == cell ? next[to][1] : next[to][0];
      cell = to;
      to = on;
    }
  }

  BoardView board_;
  const ChainWanted& wanted_;
  StepLimit& limit_;
  Sweep sweep_;
  std::vector<DriftRange> with_last_;     // by the index of an arrival
  std::vector<DriftRange> without_last_;  // of a chain whose last tile is still to come
  const Arrival* arrival_{};
  std::size_t index_{0};
  States states_;
  SweepState found_;
};

}  // namespace

std::optional<Path> chain_across(BoardView board, const ChainWanted& wanted, StepLimit& limit) {
  return Across{board, wanted, limit}.find();
}

}  // namespace tesela::g2248
