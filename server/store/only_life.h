// The life of a store that one server uses at a time.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/core/ids.h"
#include "engine/core/result.h"
#include "server/store/life.h"
#include "server/store/ownership.h"

namespace tesela::store {

/// The life of every server on such a store: whoever may open the store lives, and all before are
/// dead.
inline constexpr LifeId kOnlyLife{1};
/// The epoch of each of its duties: nobody else could take them.
inline constexpr Epoch kOnlyLease{1};

/// What is the same on every such store: who has the tables and the duties, and that no tables are
/// left of other lives.
class OnlyLifesDuties : public Ownership {
 public:
  boost::asio::awaitable<Expected<std::optional<Owner>>> owner(TableId /*table*/) override {
    Owner only{kOnlyLife, {}};
    co_return std::move(only);
  }
  boost::asio::awaitable<Expected<std::vector<LifeId>>> living(std::vector<LifeId> lives) override {
    std::erase_if(lives, [](LifeId life) { return life != kOnlyLife; });
    co_return std::move(lives);
  }
  boost::asio::awaitable<Expected<void>> release(std::vector<OwnedTable> /*tables*/,
                                                 LifeId /*life*/) override {
    co_return Expected<void>{};
  }
  boost::asio::awaitable<Expected<std::vector<TableId>>> free_orphans(
      std::size_t /*max*/) override {
    co_return std::vector<TableId>{};
  }
  boost::asio::awaitable<Expected<std::optional<Epoch>>> take_lease(Duty /*duty*/,
                                                                    LifeId /*life*/) override {
    co_return std::optional<Epoch>{kOnlyLease};
  }
  boost::asio::awaitable<Expected<std::optional<Owner>>> holder(Duty /*duty*/) override {
    Owner only{kOnlyLife, {}};
    co_return std::move(only);
  }
  boost::asio::awaitable<Expected<void>> give_up_lease(Duty /*duty*/, Epoch /*epoch*/,
                                                       LifeId /*life*/) override {
    co_return Expected<void>{};
  }
};

}  // namespace tesela::store
