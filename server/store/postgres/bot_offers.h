// The bots from outside of all servers on PostgreSQL.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <vector>

#include "server/store/offered_bots.h"
#include "server/store/postgres/calls.h"

namespace tesela::store::postgres {

/// Any thread.
class BotOffers final : public OfferedBots {
 public:
  /// Both outlive it.
  BotOffers(Calls& reads, Calls& writes) : reads_(reads), writes_(writes) {}

  boost::asio::awaitable<Expected<void>> offer(OfferedBot bot) override;
  boost::asio::awaitable<Expected<void>> withdraw(std::vector<OfferId> offers) override;
  boost::asio::awaitable<Expected<std::vector<OfferedBot>>> offered() override;

 private:
  Calls& reads_;
  Calls& writes_;
};

}  // namespace tesela::store::postgres
