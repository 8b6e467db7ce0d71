// Who owns a table and who has a duty, on PostgreSQL.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <optional>
#include <vector>

#include "server/store/ownership.h"
#include "server/store/postgres/calls.h"

namespace tesela::store::postgres {

/// Any thread.
class Ownerships final : public Ownership {
 public:
  /// Both outlive it.
  Ownerships(Calls& reads, Calls& writes) : reads_(reads), writes_(writes) {}

  boost::asio::awaitable<Expected<Claimed>> claim(TableId table, LifeId life) override;
  boost::asio::awaitable<Expected<std::optional<Owner>>> owner(TableId table) override;
  boost::asio::awaitable<Expected<std::vector<LifeId>>> living(std::vector<LifeId> lives) override;
  boost::asio::awaitable<Expected<TableHeads>> heads(std::vector<TableId> tables) override;
  boost::asio::awaitable<Expected<void>> release(std::vector<OwnedTable> tables,
                                                 LifeId life) override;
  boost::asio::awaitable<Expected<std::vector<TableId>>> free_orphans(std::size_t max) override;
  boost::asio::awaitable<Expected<std::optional<Epoch>>> take_lease(Duty duty,
                                                                    LifeId life) override;
  boost::asio::awaitable<Expected<std::optional<Owner>>> holder(Duty duty) override;
  boost::asio::awaitable<Expected<void>> give_up_lease(Duty duty, Epoch epoch,
                                                       LifeId life) override;

 private:
  Calls& reads_;
  Calls& writes_;
};

}  // namespace tesela::store::postgres
