// A hash table that no insertion keeps waiting for long, because it grows part by part: a search
// that uses it can be stopped at any time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tesela::g2248 {

/// A `Slot` is free when it is default-made, which `slot.is_free()` tells. Takes no memory before
/// the first insertion. One segment while it is small, then 64 that double each by itself: those of
/// a million slots move 8,000 at a time.
template <class Slot>
class SegmentedTable {
 public:
  /// Calls is_it(slot) for slots with that hash, or another, and returns the one that is; null when
  /// none is.
  template <class IsIt>
  [[nodiscard]] const Slot* find(std::uint64_t hash, IsIt&& is_it) const {
    if (segments_.empty()) {
      return nullptr;
    }
    const Segment& segment = segments_[index_of(hash)];
    if (segment.slots.empty()) {
      return nullptr;
    }
    const Slot& slot = segment.slots[place_of(segment.slots, hash, is_it)];
    return slot.is_free() ? nullptr : &slot;
  }

  /// The slot that is it, or a free one for it, which is counted as used from now on. `hash_of` is
  /// asked for the hashes of slots when they have to move. References do not outlast it.
  template <class IsIt, class HashOf>
  Slot& find_or_use(std::uint64_t hash, IsIt&& is_it, HashOf&& hash_of) {
    if (segments_.empty()) {
      segments_.resize(1);
    }
    if (segments_.size() == 1 && segments_.front().used == kUsedOfOneMax) {
      spread(hash_of);
    }
    Segment& segment = segments_[index_of(hash)];
    if (2 * (segment.used + 1) > segment.slots.size()) {
      grow(segment, hash_of);
    }
    Slot& slot = segment.slots[place_of(segment.slots, hash, is_it)];
    segment.used += slot.is_free() ? 1 : 0;
    return slot;
  }

  /// Frees all slots and keeps their memory.
  void clear() {
    for (Segment& segment : segments_) {
      if (segment.used != 0) {
        std::ranges::fill(segment.slots, Slot{});
        segment.used = 0;
      }
    }
  }

 private:
  static constexpr std::size_t kSegmentBits = 6;
  static constexpr std::size_t kSegments = std::size_t{1} << kSegmentBits;
  static constexpr std::size_t kFirstSlots = 512;
  static constexpr std::size_t kUsedOfOneMax = 16'384;

  struct Segment {
    std::vector<Slot> slots{};
    std::size_t used{0};
  };

  [[nodiscard]] std::size_t index_of(std::uint64_t hash) const {
    return segments_.size() == 1 ? 0 : hash >> (64U - kSegmentBits);
  }

  /// Where the slot is, or a free one. There is one.
  template <class IsIt>
  static std::size_t place_of(const std::vector<Slot>& slots, std::uint64_t hash, IsIt&& is_it) {
    const std::size_t mask = slots.size() - 1;
    std::size_t place = hash >> 24U & mask;
    while (!slots[place].is_free() && !is_it(slots[place])) {
      place = (place + 1) & mask;
    }
    return place;
  }

  /// From one segment to all.
  template <class HashOf>
  void spread(HashOf&& hash_of) {
    std::vector<Segment> one(kSegments);
    one.swap(segments_);
    const auto none = [](const Slot&) { return false; };
    for (const Slot& slot : one.front().slots) {
      if (!slot.is_free()) {
        find_or_use(hash_of(slot), none, hash_of) = slot;
      }
    }
  }

  template <class HashOf>
  static void grow(Segment& segment, HashOf&& hash_of) {
    std::vector<Slot> old(std::max(kFirstSlots, 2 * segment.slots.size()));
    old.swap(segment.slots);
    const auto none = [](const Slot&) { return false; };
    for (const Slot& slot : old) {
      if (!slot.is_free()) {
        segment.slots[place_of(segment.slots, hash_of(slot), none)] = slot;
      }
    }
  }

  std::vector<Segment> segments_;
};

}  // namespace tesela::g2248
