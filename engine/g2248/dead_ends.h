// The places at which a search has failed, so that it does not try them again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/g2248/cell_set.h"
#include "engine/g2248/segmented_table.h"

namespace tesela::g2248 {

/// In place of a sum, of a place from where no chain gets too large.
inline constexpr std::uint64_t kMoreIsBetter = 0;
/// In place of a sum, of a place where the chain is large enough already.
inline constexpr std::uint64_t kLessIsBetter = 1;

/// A place in a search: everything that its continuations depend on.
template <class Bits>
struct Place {
  Bits reach{};            // the cells of the level that can still be reached, its own too
  std::uint64_t sum{};     // of the chain so far, where neither of the above can stand for it
  std::int16_t apart{};    // Landing::rows_apart
  std::uint16_t ending{};  // Landing::id
  Cell cell{};

  friend bool operator==(const Place&, const Place&) = default;
};

/// The places that failed, and with how much to spare; a hash table. Takes up to kPlacesMax, some
/// 40 bytes each; from then on the search only loses time.
template <class Bits>
class DeadEnds {
 public:
  static constexpr std::size_t kPlacesMax = std::size_t{1} << 19U;

  /// Whether a search has failed that came here with `amount` or more to spare.
  [[nodiscard]] bool contains(const Place<Bits>& place, std::uint64_t amount) const {
    const Slot* slot = table_.find(hash_of(place), is(place));
    return slot != nullptr && slot->amount >= amount;
  }

  void insert(const Place<Bits>& place, std::uint64_t amount) {
    if (size_ == kPlacesMax) {
      return;
    }
    Slot& slot = table_.find_or_use(hash_of(place), is(place),
                                    [](const Slot& moved) { return hash_of(moved.place); });
    size_ += slot.is_free() ? 1 : 0;
    slot = {.place = place, .amount = std::max(slot.amount, amount)};
  }

 private:
  struct Slot {
    Place<Bits> place{};
    std::uint64_t amount{};

    [[nodiscard]] bool is_free() const { return place.reach == 0; }
  };

  static auto is(const Place<Bits>& place) {
    return [&place](const Slot& slot) { return slot.place == place; };
  }

  static std::uint64_t fold(Bits64 bits) { return bits; }
  static std::uint64_t fold(Bits128 bits) {
    return static_cast<Bits64>(bits) ^ (static_cast<Bits64>(bits >> 64U) * 0x9e3779b97f4a7c15U);
  }

  static std::uint64_t hash_of(const Place<Bits>& place) {
    std::uint64_t hash = fold(place.reach) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ (hash >> 29U) ^ place.sum) * 0x94d049bb133111ebU;
    hash ^= (hash >> 32U) ^ static_cast<std::uint64_t>(place.apart) << 24U ^
            std::uint64_t{place.ending} << 8U ^ place.cell;
    return hash * 0x9e3779b97f4a7c15U;
  }

  SegmentedTable<Slot> table_;
  std::size_t size_{0};
};

}  // namespace tesela::g2248
