#include "server/nodes/relayed_streams.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "server/base/relay_limits.h"

namespace tesela::nodes {

using boost::asio::awaitable;

RelayedStreams::RelayedStreams(base::Loop& loop, store::Ownership& ownership)
    : Worker(loop, "watch of servers that relay streams"), ownership_(ownership) {}

std::shared_ptr<void> RelayedStreams::add(store::LifeId life, std::function<void()> end) {
  const std::scoped_lock lock(streams_->mutex);
  const std::uint64_t key = ++streams_->last;
  streams_->open.emplace(key, Stream{.life = life, .end = std::move(end)});
  return {streams_.get(), [streams = streams_, key](void*) {
            const std::scoped_lock removing(streams->mutex);
            streams->open.erase(key);
          }};
}

awaitable<void> RelayedStreams::run() {
  while (!stopping()) {
    co_await pause(limits::kRelayingLivesInterval);
    if (!stopping()) co_await look();
  }
}

std::vector<store::LifeId> RelayedStreams::lives() const {
  std::vector<store::LifeId> lives;
  {
    const std::scoped_lock lock(streams_->mutex);
    for (const Stream& stream : streams_->open | std::views::values) lives.push_back(stream.life);
  }
  std::ranges::sort(lives);
  const auto rest = std::ranges::unique(lives);
  lives.erase(rest.begin(), rest.end());
  return lives;
}

awaitable<void> RelayedStreams::look() {
  std::vector<store::LifeId> dead = lives();
  if (dead.empty()) co_return;
  const auto living = co_await ownership_.living(dead);
  // The store says itself when it cannot be read.
  if (!living) co_return;
  const auto is_in = [](const std::vector<store::LifeId>& lives, store::LifeId life) {
    return std::ranges::find(lives, life) != lives.end();
  };
  std::erase_if(dead, [&](store::LifeId life) { return is_in(*living, life); });
  const std::scoped_lock lock(streams_->mutex);
  for (const Stream& stream : streams_->open | std::views::values) {
    if (is_in(dead, stream.life)) stream.end();
  }
}

}  // namespace tesela::nodes
