// The tickets that wait, with the calls that wait for them.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "server/matchmaking/parties.h"
#include "server/store/ticket.h"

namespace tesela::matchmaking {

/// The exponentially weighted mean of the waiting times of one queue: each new one weighs an
/// eighth, so that what was twenty matches ago hardly counts. Not for use by two threads at a time.
class WaitEstimate {
 public:
  /// A ticket of the queue was matched after `wait_ms`.
  void matched_after(std::int64_t wait_ms);

  /// Empty until the first match.
  [[nodiscard]] std::optional<std::int64_t> mean_ms() const;

  /// How much longer the ticket will wait: what is left of the mean, and no longer than until its
  /// bots come; 0 when it is overdue. Empty when neither is known.
  [[nodiscard]] std::optional<std::int64_t> left_ms(const store::Ticket& ticket,
                                                    std::int64_t now_ms) const;

 private:
  std::optional<double> mean_ms_;
};

/// One thread. Times are Unix time in milliseconds.
class Waiting {
 public:
  void add(store::Ticket ticket, Searches searches);
  /// Forgets the tickets of which a call is gone: their ids. Adds their calls to `searches`.
  [[nodiscard]] std::vector<TicketId> remove_gone(Searches& searches);
  /// Forgets a ticket: its calls.
  Searches remove(TicketId id);
  /// The same, and remembers how long it has waited.
  Searches match(TicketId id, std::int64_t now_ms);

  [[nodiscard]] std::span<const store::Ticket> tickets() const { return tickets_; }
  [[nodiscard]] bool contains(TicketId id) const { return calls_.contains(id); }
  /// The calls of a ticket, in the order of its party.
  [[nodiscard]] const Searches& searches(TicketId id) const { return calls_.at(id).searches; }
  /// When the next bots may come, after `now_ms`.
  [[nodiscard]] std::optional<std::int64_t> next_bots_ms(std::int64_t now_ms) const;

  /// Tells each call where it stands, if that has changed or it has heard nothing for long.
  void tell(std::int64_t now_ms);

 private:
  [[nodiscard]] std::optional<std::int64_t> left_ms(const store::Ticket& ticket,
                                                    std::int64_t now_ms) const;

  struct Calls {
    std::size_t place{};  // of the ticket in `tickets_`
    Searches searches;
    std::size_t told{};      // the position
    std::int64_t told_ms{};  // when
  };

  std::vector<store::Ticket> tickets_;  // in no order: the last takes the place of one that goes
  std::unordered_map<TicketId, Calls> calls_;
  std::map<store::Queue, WaitEstimate> estimates_;
};

}  // namespace tesela::matchmaking
