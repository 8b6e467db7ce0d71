#include "server/matchmaking/wait_estimate.h"

#include <algorithm>
#include <cmath>

namespace tesela::matchmaking {
namespace {

constexpr double kWeightOfNew = 1.0 / 8;

}  // namespace

void WaitEstimate::matched_after(std::int64_t wait_ms) {
  const auto wait = static_cast<double>(wait_ms);
  mean_ms_ = mean_ms_ ? std::lerp(*mean_ms_, wait, kWeightOfNew) : wait;
}

std::optional<std::int64_t> WaitEstimate::mean_ms() const {
  if (!mean_ms_) return std::nullopt;
  return std::llround(*mean_ms_);
}

std::optional<std::int64_t> WaitEstimate::left_ms(const store::Ticket& ticket,
                                                  std::int64_t now_ms) const {
  std::optional<std::int64_t> total = mean_ms();
  if (ticket.bots) {
    total = total ? std::min(*total, ticket.bots->after_ms) : ticket.bots->after_ms;
  }
  if (!total) return std::nullopt;
  return std::max<std::int64_t>(*total - store::waited_ms(ticket, now_ms), 0);
}

}  // namespace tesela::matchmaking
