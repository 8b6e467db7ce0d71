// How long a queue takes, judged by those who have come through it.
#pragma once

#include <cstdint>
#include <optional>

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

}  // namespace tesela::matchmaking
