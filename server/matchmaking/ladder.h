// Those who wait in one queue with parties of one size, in the order of their ratings.
#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace tesela::matchmaking {

/// A ticket's place in its queue: 0 is the oldest.
using Age = std::size_t;

/// Somebody at a distance: the nearer comes first, then the older.
struct Neighbour {
  double distance{};
  Age age{};

  friend auto operator<=>(const Neighbour&, const Neighbour&) = default;
};

/// Not for use by two threads at a time.
class Ladder {
 public:
  void insert(double rating, Age age);
  void erase(double rating, Age age);

  /// Appends those from `rating - window` to `rating + window`: of each side the nearest, of those
  /// with the same rating the oldest, `most` at most. In no order.
  void collect(double rating, double window, std::size_t most,
               std::vector<Neighbour>& neighbours) const;

 private:
  std::set<std::pair<double, Age>> rising_;
  std::set<std::pair<double, Age>> falling_;  // by the negated rating: equals still oldest first
};

}  // namespace tesela::matchmaking
