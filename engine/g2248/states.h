// The states of a sweep over a board, layer by layer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/g2248/profile.h"

namespace tesela::g2248 {

/// What becomes of the cell that arrives.
struct Choice {
  Mark mark{kNothing};     // as what it arrives: kNothing when the chain does not hold it
  std::uint8_t joined{0};  // bit n: it is joined to the n-th cell behind it
};

/// A beginning of a chain: what is known of it after some cells of a sweep.
struct State {
  Profile profile;
  std::uint64_t sum{0};
  std::uint32_t before{0};  // the number of the state that it comes from
  Choice choice{};          // and what it chose
  std::int8_t apart{0};     // the sum of its Drift
  bool has_first : 1 {false};
  bool has_last : 1 {false};
  bool whole : 1 {false};  // its first and its last tile belong together
};
static_assert(sizeof(State) == 24);

/// States by number, from `begin` up to `end`.
struct StateRange {
  std::uint32_t begin;
  std::uint32_t end;
};

/// Which sums of otherwise equal states are worth keeping, when a chain must sum to more than half
/// of a value and at most to all of it.
enum class Keep : std::uint8_t {
  kMost,   // nothing to come can make it too much
  kLeast,  // it is enough already
  kBoth,   // at most half: what completes one in between completes the least or the most
};

/// All states of a sweep. In one layer, of those that the same cells complete in the same way only
/// the best are kept.
class States {
 public:
  States() : states_(1), table_(kFirstSlots) {}

  [[nodiscard]] const State& operator[](std::uint32_t number) const { return states_[number]; }

  /// Begins a layer and returns the one before; at first the state of which nothing is known.
  StateRange next_layer() {
    const StateRange before{.begin = layer_, .end = static_cast<std::uint32_t>(states_.size())};
    layer_ = before.end;
    std::ranges::fill(table_, Entry{});
    return before;
  }

  void offer(const State& state, Keep keep) {
    Entry& entry = table_[slot_of(state, keep)];
    if (entry.least == 0) {
      const std::uint32_t number = add(state);
      entry = {.least = number, .most = number, .keep = keep};
      if (2 * (states_.size() - layer_) > table_.size()) {
        grow();
      }
    } else if (keep != Keep::kMost && state.sum < states_[entry.least].sum) {
      replace(entry.least, entry.most, state, keep);
    } else if (keep != Keep::kLeast && state.sum > states_[entry.most].sum) {
      replace(entry.most, entry.least, state, keep);
    }
  }

 private:
  static constexpr std::size_t kFirstSlots = 256;

  /// Free when both numbers are 0, that of the very first state.
  struct Entry {
    std::uint32_t least{0};
    std::uint32_t most{0};  // may be the same state
    Keep keep{Keep::kMost};
  };

  std::uint32_t add(const State& state) {
    states_.push_back(state);
    return static_cast<std::uint32_t>(states_.size() - 1);
  }

  /// Puts a state in the place of `one` end, while the `other` is kept too if both are to be.
  void replace(std::uint32_t& one, std::uint32_t other, const State& state, Keep keep) {
    if (one == other && keep == Keep::kBoth) {
      one = add(state);
    } else {
      states_[one] = state;
    }
  }

  /// Where the states are that this one is compared with, or the free slot for it.
  [[nodiscard]] std::size_t slot_of(const State& state, Keep keep) const {
    const std::uint64_t marks = state.profile.marks();
    const std::uint64_t rest =
        static_cast<std::uint8_t>(state.apart) * 4U + static_cast<std::uint64_t>(keep);
    const std::uint64_t hash = (marks ^ rest << 48U) * 0x9e3779b97f4a7c15U;
    std::size_t slot = (hash >> 32U ^ hash >> 48U) & (table_.size() - 1);
    for (;; slot = (slot + 1) & (table_.size() - 1)) {
      const Entry& entry = table_[slot];
      if (entry.least == 0) {
        return slot;
      }
      const State& known = states_[entry.least];
      if (entry.keep == keep && known.apart == state.apart && known.profile.marks() == marks) {
        return slot;
      }
    }
  }

  void grow() {
    std::vector<Entry> old(2 * table_.size());
    old.swap(table_);
    for (const Entry& entry : old) {
      if (entry.least != 0) {
        table_[slot_of(states_[entry.least], entry.keep)] = entry;
      }
    }
  }

  std::vector<State> states_;
  std::uint32_t layer_{0};
  std::vector<Entry> table_;
};

}  // namespace tesela::g2248
