// The ownership of a store that one server uses at a time.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <utility>
#include <vector>

#include "server/store/event_log.h"
#include "server/store/life.h"
#include "server/store/ownership.h"

namespace tesela::store {

/// The life of every server on such a store: whoever may open the store lives, and all before are
/// dead.
inline constexpr LifeId kOnlyLife{1};

/// Any thread.
class ImmortalLife final : public Life {
 public:
  [[nodiscard]] LifeId id() const override { return kOnlyLife; }
  [[nodiscard]] bool may_speak() const override { return true; }
  void begin_again() override {}
};

/// `Opened` is an EventLog with a function claim(TableId) that raises the epoch. It outlives this.
template <class Opened>
class OnlyLife final : public Ownership {
 public:
  explicit OnlyLife(Opened& store) : store_(store) {}

  /// Never Elsewhere.
  boost::asio::awaitable<Expected<Claimed>> claim(TableId table, LifeId /*life*/) override {
    const Expected<Epoch> epoch = co_await store_.claim(table);
    if (!epoch) co_return std::unexpected(epoch.error());
    // From the claim on, only its owner appends.
    const Expected<std::optional<Entry>> last = co_await store_.last(table);
    if (!last) co_return std::unexpected(last.error());
    co_return Owned{*epoch, *last ? (*last)->version : Version{}};
  }

  /// Nobody else could claim them.
  boost::asio::awaitable<Expected<void>> release(std::vector<OwnedTable> /*tables*/,
                                                 LifeId /*life*/) override {
    co_return Expected<void>{};
  }

 private:
  Opened& store_;
};

}  // namespace tesela::store
