#include "server/ops/erasure_follower.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <exception>
#include <utility>

#include "server/base/ownership_limits.h"
#include "server/base/scale_limits.h"
#include "server/base/text_encoding.h"

namespace tesela::ops {

namespace asio = boost::asio;
using asio::awaitable;
using std::chrono::steady_clock;

ErasureFollower::ErasureFollower(Parts parts)
    : parts_(parts),
      tables_(parts.directory),
      pause_(parts.loop),
      ended_(parts.loop, steady_clock::time_point::max()) {}

awaitable<Expected<void>> ErasureFollower::begin() {
  const auto erased = co_await parts_.personal.erased(limits::kErasedPlayersMax);
  if (!erased) co_return std::unexpected(erased.error());
  for (const PlayerId player : *erased) {
    parts_.tokens.revoke(player);
    forgotten_.insert(player);
  }
  co_return Expected<void>{};
}

void ErasureFollower::start() {
  running_ = true;
  parts_.loop.spawn(run(), [this](const std::exception_ptr& thrown) {
    if (thrown) spdlog::error("the search for erased players ended by an exception");
    running_ = false;
    ended_.cancel();
  });
}

awaitable<void> ErasureFollower::stop() {
  co_await parts_.loop.call(stop_here());
}

awaitable<void> ErasureFollower::stop_here() {
  stopping_ = true;
  pause_.cancel();
  while (running_) co_await ended_.async_wait(asio::as_tuple(asio::use_awaitable));
}

awaitable<void> ErasureFollower::run() {
  while (!stopping_) {
    pause_.expires_after(limits::kErasureInterval);
    co_await pause_.async_wait(asio::as_tuple(asio::use_awaitable));
    if (!stopping_) co_await look();
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
