#include "server/matchmaking/leading.h"

#include <expected>
#include <utility>

#include "server/store/refusals.h"

namespace tesela::matchmaking {

using boost::asio::awaitable;

awaitable<Expected<Turn>> Leading::look() {
  if (lease_.held() && !may_lead()) {
    paused_ = true;
    co_return store::not_the_matcher();
  }
  if (lease_.held()) co_return std::exchange(paused_, false) ? Turn::kBegins : Turn::kGoesOn;
  const auto taken = co_await lease_.take();
  if (!taken && taken.error().code == ErrorCode::kUnavailable) {
    co_return std::unexpected(taken.error());
  }
  if (!taken || !*taken) co_return store::not_the_matcher();
  paused_ = false;
  spoke_at_ = std::chrono::steady_clock::now();
  co_return Turn::kBegins;
}

bool Leading::may_lead() {
  const auto now = std::chrono::steady_clock::now();
  if (life_.may_speak()) spoke_at_ = now;
  return now - spoke_at_ < silence_max_;
}

}  // namespace tesela::matchmaking
