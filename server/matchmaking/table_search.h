// The search for the tickets that fill one table.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "server/matchmaking/ladder.h"
#include "server/store/ticket.h"

namespace tesela::matchmaking {

/// What the search knows of a ticket.
struct Candidate {
  const store::Ticket* ticket{};
  double rating{};
  double window{};

  [[nodiscard]] std::size_t people() const { return ticket->party.size(); }
};

/// Tickets that all fit each other.
class Group {
 public:
  Group(Age age, const Candidate& waiting);

  /// Whether `waiting` and all who are here lie within each other's windows.
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
  double low_;   // the least rating
  double high_;  // the greatest
};

/// The group around `anchor` with the most people, at most `seats`, that can be made of
/// `candidates`; the anchor is none of them. Earlier candidates are preferred. Ages are indices
/// into `queue`.
[[nodiscard]] Group fullest_group(std::span<const Candidate> queue, Age anchor,
                                  std::span<const Age> candidates, std::size_t seats);

}  // namespace tesela::matchmaking
