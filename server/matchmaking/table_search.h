// Searches for the tickets that fill one table.
#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "server/matchmaking/ticket.h"

namespace tesela::matchmaking {

/// A ticket's place in its queue: 0 is the oldest.
using Age = std::size_t;

/// A ticket at a distance in rating. Ordered by distance, then by age.
struct Neighbour {
  double distance{};
  Age age{};

  friend auto operator<=>(const Neighbour&, const Neighbour&) = default;
};

/// The tickets of one queue with parties of one size, in the order of their ratings. One thread at
/// a time.
class RatingIndex {
 public:
  void insert(double rating, Age age);
  void erase(double rating, Age age);

  /// Appends the tickets from `rating - window` to `rating + window`, in no order: on each side at
  /// most the `most` nearest; of equal ratings, the oldest.
  void collect(double rating, double window, std::size_t most,
               std::vector<Neighbour>& neighbours) const;

 private:
  std::set<std::pair<double, Age>> rising_;
  std::set<std::pair<double, Age>>
      falling_;  // by the negated rating, so that equal ratings stay ordered by age
};

/// A ticket, with the values that the search needs.
struct Candidate {
  const Ticket* ticket{};
  double rating{};
  double window{};

  [[nodiscard]] std::size_t people() const { return ticket->party.size(); }
};

/// Tickets that all fit each other.
class Group {
 public:
  Group(Age age, const Candidate& waiting);

  /// Whether `waiting` and all members lie within each other's windows, and nobody blocks another.
  [[nodiscard]] bool fits(const Candidate& waiting) const;
  void add(Age age, const Candidate& waiting);

  [[nodiscard]] std::size_t people() const { return people_; }
  [[nodiscard]] std::span<const Age> ages() const { return std::span{ages_}.first(size_); }

 private:
  [[nodiscard]] static bool spans(const Candidate& waiting, double low, double high);

  std::array<Age, kSeatsMax> ages_{};
  std::array<Candidate, kSeatsMax> members_{};
  std::size_t size_{};
  std::size_t people_{};
  double low_;   // the lowest rating
  double high_;  // the highest
};

/// The group around `anchor` with the most people, at most `seats`, that can be made of
/// `candidates`; the anchor is none of them. Earlier candidates are preferred. Ages are indices
/// into `queue`.
[[nodiscard]] Group fullest_group(std::span<const Candidate> queue, Age anchor,
                                  std::span<const Age> candidates, std::size_t seats);

}  // namespace tesela::matchmaking
