// The states of a sweep over a board, layer by layer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/g2248/profile.h"
#include "engine/g2248/segmented_table.h"

namespace tesela::g2248 {

/// The role of a new cell in the chain.
struct Role {
  Mark mark{kNothing};     // its mark; kNothing when it is not in the chain
  std::uint8_t joined{0};  // bit n: it is joined to the n-th cell behind it
};

/// A partial chain after some cells of a sweep.
struct SweepState {
  Profile profile;
  std::uint64_t sum{0};
  std::uint32_t before{0};  // the number of the previous state
  Role role{};              // of the last cell
  std::int8_t apart{0};     // the sum of its Drift
  bool has_first : 1 {false};
  bool has_last : 1 {false};
  bool whole : 1 {false};  // its first and its last tile belong together
};
static_assert(sizeof(SweepState) == 24);

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

/// Numbered states, kept in pieces so that adding one never moves the others.
class StateList {
 public:
  [[nodiscard]] const SweepState& operator[](std::uint32_t number) const {
    return pieces_[number / kPiece][number % kPiece];
  }
  [[nodiscard]] SweepState& operator[](std::uint32_t number) {
    return pieces_[number / kPiece][number % kPiece];
  }
  [[nodiscard]] std::uint32_t size() const { return size_; }

  void push_back(const SweepState& state) {
    if (size_ % kPiece == 0) {
      pieces_.emplace_back().reserve(kPiece);
    }
    pieces_.back().push_back(state);
    ++size_;
  }

 private:
  static constexpr std::uint32_t kPiece = 4096;

  std::vector<std::vector<SweepState>> pieces_;
  std::uint32_t size_{0};
};

/// All states of a sweep. In one layer, of those that the same cells complete in the same way only
/// the best are kept.
class States {
 public:
  States() { states_.push_back({}); }

  [[nodiscard]] const SweepState& operator[](std::uint32_t number) const { return states_[number]; }

  /// Begins a layer and returns the one before; at first the state of which nothing is known.
  StateRange next_layer() {
    const StateRange before{.begin = layer_, .end = states_.size()};
    layer_ = before.end;
    table_.clear();
    return before;
  }

  void offer(const SweepState& state, Keep keep) {
    Entry& entry = table_.find_or_use(
        hash_of(state, keep), [&](const Entry& known) { return are_compared(known, state, keep); },
        [this](const Entry& moved) { return hash_of(states_[moved.least], moved.keep); });
    if (entry.is_free()) {
      const std::uint32_t number = add(state);
      entry = {.least = number, .most = number, .keep = keep};
    } else if (keep != Keep::kMost && state.sum < states_[entry.least].sum) {
      replace(entry.least, entry.most, state, keep);
    } else if (keep != Keep::kLeast && state.sum > states_[entry.most].sum) {
      replace(entry.most, entry.least, state, keep);
    }
  }

 private:
  /// Number 0 is that of the very first state, which is never offered.
  struct Entry {
    std::uint32_t least{0};
    std::uint32_t most{0};  // may be the same state
    Keep keep{Keep::kMost};

    [[nodiscard]] bool is_free() const { return least == 0; }
  };

  std::uint32_t add(const SweepState& state) {
    states_.push_back(state);
    return states_.size() - 1;
  }

  /// Puts a state in the place of `one` end, while the `other` is kept too if both are to be.
  void replace(std::uint32_t& one, std::uint32_t other, const SweepState& state, Keep keep) {
    if (one == other && keep == Keep::kBoth) {
      one = add(state);
    } else {
      states_[one] = state;
    }
  }

  [[nodiscard]] bool are_compared(const Entry& entry, const SweepState& state, Keep keep) const {
    const SweepState& known = states_[entry.least];
    return entry.keep == keep && known.apart == state.apart &&
           known.profile.marks() == state.profile.marks();
  }

  [[nodiscard]] static std::uint64_t hash_of(const SweepState& state, Keep keep) {
    const std::uint64_t rest =
        static_cast<std::uint8_t>(state.apart) * 4U + static_cast<std::uint64_t>(keep);
    const std::uint64_t hash = (state.profile.marks() ^ rest << 48U) * 0x9e3779b97f4a7c15U;
    return hash ^ hash >> 32U;
  }

  StateList states_;
  std::uint32_t layer_{0};
  SegmentedTable<Entry> table_;
};

}  // namespace tesela::g2248
