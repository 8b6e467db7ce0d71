#include "server/services/cluster_bots.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "server/base/crypto.h"
#include "server/base/loop.h"
#include "server/base/relay_limits.h"
#include "server/nodes/node_address.h"

namespace tesela::services {

using boost::asio::awaitable;
using bots::RemoteBots;
using std::chrono::steady_clock;
using store::OfferedBot;
using store::OfferId;

ClusterBots::ClusterBots(Parts parts)
    : Worker(parts.io.any(), "search for bots of other servers"), parts_(parts) {}

awaitable<Expected<void>> ClusterBots::offer(RemoteBots::Offer offer,
                                             std::shared_ptr<bots::RemoteBot> bot) {
  if (auto checked = parts_.remote_bots.check_offer(offer); !checked) co_return checked;
  offer.id = base::random_id<OfferId>();
  const Key key{offer.game, offer.strategy};
  {
    const std::scoped_lock lock(mutex_);
    // Two offers at once would take the row from each other.
    if (!coming_.emplace(key, offer.id).second) {
      co_return store::already_offered(offer.game, offer.strategy);
    }
  }
  OfferedBot row = row_of(offer);
  auto offered = co_await parts_.store.offer(std::move(row));
  if (offered) offered = parts_.remote_bots.offer(std::move(offer), std::move(bot));
  {
    const std::scoped_lock lock(mutex_);
    coming_.erase(key);
  }
  // The row of an offer that has failed after all is not left there.
  if (!offered) wake();
  co_return offered;
}

OfferedBot ClusterBots::row_of(const RemoteBots::Offer& offer) const {
  return {.id = offer.id,
          .game = offer.game,
          .strategy = offer.strategy,
          .description = offer.description,
          .owner = offer.owner,
          .life = parts_.life.id()};
}

awaitable<void> ClusterBots::run() {
  while (!stopping()) {
    co_await look();
    // However many bots come and go, there is a pause between two looks.
    const Time now = steady_clock::now();
    co_await pause_between(now + limits::kClusterBotsPause, now + limits::kClusterBotsInterval);
  }
}

awaitable<void> ClusterBots::look() {
  const auto offered = co_await parts_.store.offered();
  // The store says itself when it cannot be read.
  if (!offered) co_return;
  const store::LifeId life = parts_.life.id();
  std::vector<OfferedBot> own = *offered;
  std::erase_if(own, [life](const OfferedBot& bot) { return bot.life != life; });
  std::vector<OfferedBot> others = *offered;
  std::erase_if(others, [life](const OfferedBot& bot) { return bot.life == life; });
  set_elsewhere(others);
  auto gone = not_here(own);
  if (!gone.empty()) static_cast<void>(co_await parts_.store.withdraw(std::move(gone)));
  co_await restore(std::move(own));
}

/// A server without a node port cannot be asked.
void ClusterBots::set_elsewhere(const std::vector<OfferedBot>& offered) {
  std::vector<RemoteBots::Entry> entries;
  std::map<OfferId, std::shared_ptr<BotElsewhere>> bots;
  for (const OfferedBot& bot : offered) {
    if (!nodes::parse_node_address(bot.address)) continue;
    auto& known = elsewhere_[bot.id];
    if (!known) {
      const BotElsewhere::Parts parts{
          .io = parts_.io, .calls = parts_.calls, .remote_bots = parts_.remote_bots};
      known = std::make_shared<BotElsewhere>(parts, bot.game, bot.strategy, bot.address);
    }
    bots.emplace(bot.id, known);
    entries.push_back({.offer = {.owner = bot.owner,
                                 .game = bot.game,
                                 .strategy = bot.strategy,
                                 .description = bot.description,
                                 .id = bot.id},
                       .bot = known});
  }
  elsewhere_ = std::move(bots);
  parts_.remote_bots.set_elsewhere(std::move(entries));
}

/// Those of this server's life that it does not have, nor is about to have.
std::vector<OfferId> ClusterBots::not_here(const std::vector<OfferedBot>& own) {
  std::set<OfferId> known;
  // In this order: an offer is here before it is not coming any more.
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [key, id] : coming_) known.insert(id);
  }
  for (const RemoteBots::Entry& bot : parts_.remote_bots.here()) known.insert(bot.offer.id);
  std::vector<OfferId> gone;
  for (const OfferedBot& bot : own) {
    if (!known.contains(bot.id)) gone.push_back(bot.id);
  }
  return gone;
}

/// Offers those again that were offered by a life before this one. Others may have come first.
awaitable<void> ClusterBots::restore(std::vector<OfferedBot> own) {
  const std::vector<RemoteBots::Entry> here = parts_.remote_bots.here();
  for (const RemoteBots::Entry& bot : here) {
    if (std::ranges::find(own, bot.offer.id, &OfferedBot::id) != own.end()) continue;
    OfferedBot row = row_of(bot.offer);
    const auto offered = co_await parts_.store.offer(std::move(row));
    if (offered) continue;
    const ErrorCode why = offered.error().code;
    if (why == ErrorCode::kAlreadyOffered || why == ErrorCode::kResourceExhausted) {
      bot.bot->send_away(offered.error());
    }
  }
}

}  // namespace tesela::services
