#include "server/matchmaking/matchmaker.h"

#include <algorithm>
#include <array>
#include <map>

#include "server/matchmaking/table_search.h"

namespace tesela::matchmaking {
namespace {

using Tickets = std::vector<const Ticket*>;

// The queues in their order, each with its tickets by age.
std::map<Queue, Tickets> queues_of(std::span<const Ticket> tickets) {
  std::map<Queue, Tickets> queues;
  for (const Ticket& ticket : tickets) queues[ticket.queue].push_back(&ticket);
  for (auto& [queue, waiting] : queues) {
    std::ranges::sort(waiting, [](const Ticket* a, const Ticket* b) { return older(*a, *b); });
  }
  return queues;
}

/// The pass over one queue.
class Pass {
 public:
  Pass(const Tickets& by_age, std::int64_t now_ms, const Rules& rules)
      : now_ms_(now_ms),
        looks_max_(rules.looks_max),
        seats_(by_age.front()->queue.seats),
        taken_(by_age.size()) {
    for (const Ticket* ticket : by_age) {
      const Candidate waiting{ticket, rating_of(*ticket), window_of(*ticket, now_ms, rules)};
      index_of_party(waiting).insert(waiting.rating, queue_.size());
      queue_.push_back(waiting);
    }
  }

  void run(std::vector<Pairing>& pairings) {
    for (Age anchor = 0; anchor < queue_.size(); ++anchor) {
      if (!taken_[anchor]) seat(anchor, pairings);
    }
  }

 private:
  [[nodiscard]] RatingIndex& index_of_party(const Candidate& waiting) {
    return indexes_[waiting.people() - 1];
  }

  void seat(Age anchor, std::vector<Pairing>& pairings) {
    std::vector<Age> candidates = neighbours_of(anchor);
    Group group = fullest_group(queue_, anchor, candidates, seats_);
    if (group.people() < seats_) {
      const Ticket& ticket = *queue_[anchor].ticket;
      if (!ticket.bots || waited_ms(ticket, now_ms_) < ticket.bots->after_ms) return;
      std::erase_if(candidates, [&](Age age) { return !queue_[age].ticket->bots; });
      group = fullest_group(queue_, anchor, candidates, seats_);
    }
    pairings.push_back(take(group, anchor));
  }

  // By distance, then by age.
  [[nodiscard]] std::vector<Age> neighbours_of(Age anchor) {
    const Candidate& self = queue_[anchor];
    neighbours_.clear();
    for (std::size_t people = 1; people + self.people() <= seats_; ++people) {
      indexes_[people - 1].collect(self.rating, self.window, looks_max_, neighbours_);
    }
    std::erase_if(neighbours_, [&](const Neighbour& n) { return n.age == anchor; });
    std::ranges::sort(neighbours_);
    std::vector<Age> ages;
    ages.reserve(neighbours_.size());
    for (const Neighbour& neighbour : neighbours_) ages.push_back(neighbour.age);
    return ages;
  }

  [[nodiscard]] Pairing take(const Group& group, Age anchor) {
    Pairing pairing;
    std::vector<Age> ages{group.ages().begin(), group.ages().end()};
    std::ranges::sort(ages);
    for (const Age age : ages) {
      taken_[age] = true;
      index_of_party(queue_[age]).erase(queue_[age].rating, age);
      pairing.tickets.push_back(queue_[age].ticket->id);
    }
    pairing.bots = seats_ - group.people();
    if (pairing.bots > 0) pairing.bot_level = queue_[anchor].ticket->bots->level;
    return pairing;
  }

  std::int64_t now_ms_;
  std::size_t looks_max_;
  std::size_t seats_;
  std::vector<Candidate> queue_;  // the oldest first
  std::vector<bool> taken_;
  std::array<RatingIndex, kSeatsMax> indexes_;  // by party size, from 1
  std::vector<Neighbour> neighbours_;           // reused between calls
};

}  // namespace

double window_of(const Ticket& ticket, std::int64_t now_ms, const Rules& rules) {
  const Widening& widening = ticket.queue.mode == Mode::kRanked ? rules.ranked : rules.casual;
  const double seconds = static_cast<double>(waited_ms(ticket, now_ms)) / 1000;
  return std::min(widening.start + widening.per_second * seconds, widening.max);
}

std::vector<Pairing> pair_up(std::span<const Ticket> tickets, std::int64_t now_ms,
                             const Rules& rules) {
  std::vector<Pairing> pairings;
  for (const auto& [queue, by_age] : queues_of(tickets)) {
    Pass{by_age, now_ms, rules}.run(pairings);
  }
  return pairings;
}

std::vector<std::size_t> positions(std::span<const Ticket> tickets) {
  std::vector<std::size_t> positions(tickets.size());
  for (const auto& [queue, by_age] : queues_of(tickets)) {
    for (std::size_t age = 0; age < by_age.size(); ++age) {
      positions[static_cast<std::size_t>(by_age[age] - tickets.data())] = age + 1;
    }
  }
  return positions;
}

}  // namespace tesela::matchmaking
