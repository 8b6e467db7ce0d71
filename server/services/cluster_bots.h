// The bots from outside of all servers on one database: each can be given a seat at every server.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/result.h"
#include "server/base/io_pool.h"
#include "server/base/worker.h"
#include "server/bots/remote_bots.h"
#include "server/nodes/node_calls.h"
#include "server/services/bot_elsewhere.h"
#include "server/store/life.h"
#include "server/store/offered_bots.h"

namespace tesela::services {

/// Keeps in the database which bots this server has, and in RemoteBots which the others have, by a
/// look every limits::kClusterBotsInterval, and after limits::kClusterBotsPause after `wake`. While
/// the database is away, the last known bots stay.
///
/// Any thread. `stop` returns when the look under way has ended; what is still in the database ends
/// with the life.
class ClusterBots final : public base::Worker {
 public:
  /// What it uses; outlives it.
  struct Parts {
    base::IoPool& io;
    store::OfferedBots& store;
    const store::Life& life;
    nodes::NodeCalls& calls;
    bots::RemoteBots& remote_bots;
  };

  explicit ClusterBots(Parts parts);

  /// Offers a bot whose stream is here to the tables of all servers, until it is withdrawn from
  /// RemoteBots. Errors: those of RemoteBots::offer and of store::OfferedBots::offer.
  boost::asio::awaitable<Expected<void>> offer(bots::RemoteBots::Offer offer,
                                               std::shared_ptr<bots::RemoteBot> bot);
  /// Looks soon: a bot was withdrawn.
  using Worker::wake;

  /// One look. On the loop, or before `start`.
  boost::asio::awaitable<void> look();

 private:
  using Key = std::pair<std::string, std::string>;  // the game and the strategy

  [[nodiscard]] store::OfferedBot row_of(const bots::RemoteBots::Offer& offer) const;
  void set_elsewhere(const std::vector<store::OfferedBot>& offered);
  [[nodiscard]] std::vector<store::OfferId> not_here(const std::vector<store::OfferedBot>& own);
  boost::asio::awaitable<void> restore(std::vector<store::OfferedBot> own);
  boost::asio::awaitable<void> run() override;

  const Parts parts_;
  std::mutex mutex_;
  std::map<Key, store::OfferId> coming_;  // are being offered; under the mutex
  // From here on of the loop. By offers.
  std::map<store::OfferId, std::shared_ptr<BotElsewhere>> elsewhere_;
};

}  // namespace tesela::services
