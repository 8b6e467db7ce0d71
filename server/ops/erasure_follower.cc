#include "server/ops/erasure_follower.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "server/base/ownership_limits.h"
#include "server/base/scale_limits.h"
#include "server/base/text_encoding.h"

namespace tesela::ops {

using boost::asio::awaitable;

ErasureFollower::ErasureFollower(Parts parts)
    : Worker(parts.loop, "search for erased players"), parts_(parts), tables_(parts.directory) {}

awaitable<Expected<void>> ErasureFollower::begin() {
  const auto erased = co_await parts_.personal.erased(limits::kErasedPlayersMax);
  if (!erased) co_return std::unexpected(erased.error());
  for (const PlayerId player : *erased) {
    parts_.tokens.revoke(player);
    forgotten_.insert(player);
  }
  co_return Expected<void>{};
}

awaitable<void> ErasureFollower::run() {
  while (parts_.several && !stopping()) {
    co_await pause(limits::kErasureInterval);
    if (!stopping()) co_await look();
  }
}

/// The newest first. As long as none of a page is known, there may be more.
awaitable<Expected<std::vector<PlayerId>>> ErasureFollower::erased_since() {
  const auto is_known = [this](PlayerId player) { return forgotten_.contains(player); };
  auto erased = co_await parts_.personal.erased(limits::kErasuresAtOnce);
  if (erased && erased->size() == limits::kErasuresAtOnce && !is_known(erased->back())) {
    erased = co_await parts_.personal.erased(limits::kErasedPlayersMax);
  }
  if (erased) std::erase_if(*erased, is_known);
  co_return erased;
}

awaitable<void> ErasureFollower::look() {
  const auto erased = co_await erased_since();
  // The store says itself when it cannot be read.
  if (!erased) co_return;
  for (const PlayerId player : *erased) {
    parts_.tokens.revoke(player);
    const auto tables = co_await tables_.forget(player);
    if (!tables) {
      spdlog::warn("player {} is not forgotten everywhere yet: {}", base::to_text(player),
                   tables.error().message);
      continue;
    }
    forgotten_.insert(player);
    if (!tables->empty()) spdlog::info("player {} was erased", base::to_text(player));
  }
}

}  // namespace tesela::ops
