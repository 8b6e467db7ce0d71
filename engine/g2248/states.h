// The states of a sweep over a board, layer by layer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/g2248/dead_ends.h"
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

/// All states of a sweep. In one layer, of those that the same cells complete in the same way only
/// the best is kept.
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

  /// `kind` is kMoreIsBetter, kLessIsBetter, or the sum where only equal ones are the same.
  void offer(const State& state, std::uint64_t kind) {
    Entry& entry = table_[slot_of(state, kind)];
    if (entry.number == 0) {
      entry = {.kind = kind, .number = static_cast<std::uint32_t>(states_.size())};
      states_.push_back(state);
      if (2 * (states_.size() - layer_) > table_.size()) {
        grow();
      }
      return;
    }
    State& known = states_[entry.number];
    if (kind == kMoreIsBetter ? state.sum > known.sum : state.sum < known.sum) {
      known = state;
    }
  }

 private:
  static constexpr std::size_t kFirstSlots = 256;

  /// Free when the number is 0, which is that of the very first state.
  struct Entry {
    std::uint64_t kind{0};
    std::uint32_t number{0};
  };

  /// Where the state is that this one is compared with, or the free slot for it.
  [[nodiscard]] std::size_t slot_of(const State& state, std::uint64_t kind) const {
    const std::uint64_t marks = state.profile.marks();
    const auto apart = static_cast<std::uint8_t>(state.apart);
    std::uint64_t hash = (marks ^ std::uint64_t{apart} << 48U) * 0x9e3779b97f4a7c15U;
    hash = (hash ^ (hash >> 32U) ^ kind) * 0xbf58476d1ce4e5b9U;
    std::size_t slot = (hash >> 32U) & (table_.size() - 1);
    for (;; slot = (slot + 1) & (table_.size() - 1)) {
      const Entry& entry = table_[slot];
      if (entry.number == 0) {
        return slot;
      }
      const State& known = states_[entry.number];
      if (entry.kind == kind && known.apart == state.apart && known.profile.marks() == marks) {
        return slot;
      }
    }
  }

  void grow() {
    std::vector<Entry> old(2 * table_.size());
    old.swap(table_);
    for (const Entry& entry : old) {
      if (entry.number != 0) {
        table_[slot_of(states_[entry.number], entry.kind)] = entry;
      }
    }
  }

  std::vector<State> states_;
  std::uint32_t layer_{0};
  std::vector<Entry> table_;
};

}  // namespace tesela::g2248
