// The waiting tickets and their searches, and how long each queue takes.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "server/matchmaking/parties.h"
#include "server/matchmaking/ticket.h"

namespace tesela::matchmaking {

/// The exponentially weighted mean of the waiting times of one queue; a new value has a weight of
/// 1/8. One thread at a time.
class WaitEstimate {
 public:
  /// A ticket of the queue was matched after `wait_ms`.
  void matched_after(std::int64_t wait_ms);

  /// Empty until the first match.
  [[nodiscard]] std::optional<std::int64_t> mean_ms() const;

  /// The estimated remaining wait of a ticket: the rest of the mean, at most until its bots come; 0
  /// when it is overdue. Empty when neither is known.
  [[nodiscard]] std::optional<std::int64_t> left_ms(const Ticket& ticket,
                                                    std::int64_t now_ms) const;

 private:
  std::optional<double> mean_ms_;
};

/// One thread. Times are Unix time in milliseconds.
class Waiting {
 public:
  void add(Ticket ticket, Searches searches);
  /// Removes the tickets with a search that has ended. Adds their searches to `searches`.
  void remove_gone(Searches& searches);
  /// Removes a ticket and returns its searches.
  Searches remove(TicketId id);
  /// The same, and records its waiting time.
  Searches match(TicketId id, std::int64_t now_ms);

  [[nodiscard]] std::span<const Ticket> tickets() const { return tickets_; }
  [[nodiscard]] const Ticket& ticket(TicketId id) const { return tickets_[calls_.at(id).place]; }
  /// The searches of a ticket, in the order of its party.
  [[nodiscard]] const Searches& searches(TicketId id) const { return calls_.at(id).searches; }
  /// The next time after `now_ms` at which a ticket accepts bots.
  [[nodiscard]] std::optional<std::int64_t> next_bots_ms(std::int64_t now_ms) const;

  /// Tells each search its progress, if that has changed or limits::kSearchNewsInterval is over.
  void tell(std::int64_t now_ms);

 private:
  [[nodiscard]] std::optional<std::int64_t> left_ms(const Ticket& ticket,
                                                    std::int64_t now_ms) const;

  struct Calls {
    std::size_t place{};  // the index in `tickets_`
    Searches searches;
    std::size_t told{};      // the position that was told last
    std::int64_t told_ms{};  // when
  };

  std::vector<Ticket> tickets_;  // in no order: removing moves the last into the gap
  std::unordered_map<TicketId, Calls> calls_;
  std::map<Queue, WaitEstimate> estimates_;
};

}  // namespace tesela::matchmaking
