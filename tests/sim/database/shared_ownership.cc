#include <algorithm>
#include <chrono>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "server/base/limits.h"
#include "server/base/ownership_limits.h"
#include "server/store/only_life.h"
#include "server/store/refusals.h"
#include "tests/sim/database/shared_store.h"

namespace tesela::sim {

using boost::asio::awaitable;
using std::chrono::milliseconds;
using namespace store;  // NOLINT: this file is a part of a store

namespace {

milliseconds whole_ms(Nanos time) {
  return milliseconds{time / kMillisecond};
}

}  // namespace

// --- Owners

awaitable<Expected<Claimed>> SharedStore::claim(TableId table, LifeId life) {
  auto work = [=, this]() -> awaitable<Expected<Claimed>> {
    if (!database_.is_alive(life)) co_return declared_dead();
    const auto owner = database_.owner_of(table);
    if (owner && owner->life != life) co_return Elsewhere{owner->life, owner->address};
    auto claimed = co_await database_.sqlite().claim(table, kOnlyLife);
    if (claimed) database_.owners[table] = life;
    co_return claimed;
  };
  return call<Claimed>(Kind::kWrite, std::move(work));
}

awaitable<Expected<std::optional<Owner>>> SharedStore::owner(TableId table) {
  auto work = [=, this]() -> awaitable<Expected<std::optional<Owner>>> {
    co_return database_.owner_of(table);
  };
  return call<std::optional<Owner>>(Kind::kRead, std::move(work));
}

awaitable<Expected<std::vector<LifeId>>> SharedStore::living(std::vector<LifeId> lives) {
  auto work = [this,
               lives = std::move(lives)]() mutable -> awaitable<Expected<std::vector<LifeId>>> {
    std::erase_if(lives, [&](LifeId life) { return !database_.is_alive(life); });
    co_return std::move(lives);
  };
  return call<std::vector<LifeId>>(Kind::kRead, std::move(work));
}

awaitable<Expected<TableHeads>> SharedStore::heads(std::vector<TableId> tables) {
  auto work = [this, tables = std::move(tables)]() mutable {
    return database_.sqlite().heads(std::move(tables));
  };
  return call<TableHeads>(Kind::kRead, std::move(work));
}

namespace {
// As in ownerships.cc of PostgreSQL: the lives of tables that nobody has and that are to go on.
constexpr LifeId kNobody{0};
constexpr LifeId kNobodyYet{1};
constexpr LifeId kNobodyStill{2};
}  // namespace

awaitable<Expected<void>> SharedStore::release(std::vector<OwnedTable> tables, LifeId life) {
  auto work = [this, tables = std::move(tables), life]() -> awaitable<Expected<void>> {
    for (const OwnedTable& each : tables) {
      const auto owner = database_.owners.find(each.table);
      if (owner == database_.owners.end() || owner->second != life) continue;
      std::vector<TableId> one{each.table};
      const auto heads = co_await database_.sqlite().heads(std::move(one));
      if (!heads || heads->empty() || heads->front().epoch != each.epoch) continue;
      database_.owners[each.table] = each.goes_on ? kNobodyYet : kNobody;
    }
    co_return Expected<void>{};
  };
  return call<void>(Kind::kWrite, std::move(work));
}

awaitable<Expected<std::vector<TableId>>> SharedStore::free_orphans(std::size_t max) {
  auto work = [this, max]() -> awaitable<Expected<std::vector<TableId>>> {
    std::vector<TableId> sorted;
    for (const auto& [table, life] : database_.owners) sorted.push_back(table);
    std::ranges::sort(sorted, {}, &TableId::value);
    std::vector<TableId> freed;
    for (const TableId table : sorted) {
      LifeId& life = database_.owners[table];
      const bool dead = database_.lives.contains(life) && !database_.is_alive(life);
      if ((dead || life == kNobodyStill) && freed.size() < 2 * max) {
        life = kNobody;
        freed.push_back(table);
      }
    }
    if (freed.size() < max) {
      for (const TableId table : sorted) {
        LifeId& life = database_.owners[table];
        if (life == kNobodyYet) life = kNobodyStill;
      }
    }
    co_return freed;
  };
  return call<std::vector<TableId>>(Kind::kWrite, std::move(work));
}

awaitable<Expected<std::optional<Epoch>>> SharedStore::take_lease(Duty duty, LifeId life) {
  auto work = [=, this]() -> awaitable<Expected<std::optional<Epoch>>> {
    if (!database_.is_alive(life)) co_return declared_dead();
    Database::LeaseRow& lease = database_.leases[duty];
    if (lease.life != life && database_.is_alive(lease.life)) co_return std::optional<Epoch>{};
    lease.life = life;
    ++lease.epoch.value;
    co_return std::optional<Epoch>{lease.epoch};
  };
  return call<std::optional<Epoch>>(Kind::kWrite, std::move(work));
}

awaitable<Expected<std::optional<Owner>>> SharedStore::holder(Duty duty) {
  auto work = [=, this]() -> awaitable<Expected<std::optional<Owner>>> {
    const LifeId life = database_.leases[duty].life;
    if (!database_.is_alive(life)) co_return std::optional<Owner>{};
    co_return std::optional<Owner>{Owner{life, database_.lives.at(life).address}};
  };
  return call<std::optional<Owner>>(Kind::kRead, std::move(work));
}

awaitable<Expected<void>> SharedStore::give_up_lease(Duty duty, Epoch epoch, LifeId life) {
  auto work = [=, this]() -> awaitable<Expected<void>> {
    Database::LeaseRow& lease = database_.leases[duty];
    if (lease.epoch == epoch && lease.life == life) {
      lease.life = kNobody;
      ++lease.epoch.value;
    }
    co_return Expected<void>{};
  };
  return call<void>(Kind::kWrite, std::move(work));
}

// --- Nodes and bots

awaitable<Expected<std::vector<NodeRow>>> SharedStore::nodes(std::size_t max) {
  auto work = [this, max]() -> awaitable<Expected<std::vector<NodeRow>>> {
    std::vector<NodeRow> rows;
    const Nanos now = Kernel::active()->now();
    for (const auto& [life, row] : database_.lives) {
      NodeRow node{.life = life, .address = row.address, .alive = row.alive};
      const Nanos since_end = now - row.lease_until;
      if (row.alive) {
        node.lease_age = std::max(limits::kLeaseTime + whole_ms(since_end), milliseconds{0});
      } else {
        node.dead_for = std::max(whole_ms(since_end), milliseconds{0});
      }
      node.tables = static_cast<std::uint64_t>(std::ranges::count_if(
          database_.owners, [&](const auto& owner) { return owner.second == life; }));
      for (const auto& [duty, lease] : database_.leases) {
        if (lease.life == life) node.duties.push_back(duty);
      }
      rows.push_back(std::move(node));
    }
    std::ranges::stable_sort(rows, [](const NodeRow& a, const NodeRow& b) {
      if (a.alive != b.alive) return a.alive;
      return a.alive ? a.address < b.address : a.dead_for < b.dead_for;
    });
    if (rows.size() > max) rows.resize(max);
    co_return rows;
  };
  return call<std::vector<NodeRow>>(Kind::kRead, std::move(work));
}

awaitable<Expected<void>> SharedStore::offer(OfferedBot bot) {
  auto work = [this, bot = std::move(bot)]() mutable -> awaitable<Expected<void>> {
    auto& offers = database_.offers;
    std::erase_if(offers, [&](const OfferedBot& each) { return !database_.is_alive(each.life); });
    if (!database_.is_alive(bot.life)) co_return declared_dead();
    const auto is_same = [&](const OfferedBot& each) {
      return each.game == bot.game && each.strategy == bot.strategy;
    };
    std::size_t others = 0;
    std::size_t of_owner = 0;
    for (const OfferedBot& each : offers) {
      if (is_same(each)) {
        if (each.life != bot.life) co_return already_offered(bot.game, bot.strategy);
        continue;
      }
      ++others;
      if (each.owner == bot.owner) ++of_owner;
    }
    if (others >= limits::kRemoteBotsMax) co_return too_many_bots();
    if (of_owner >= limits::kRemoteBotsPerPlayerMax) co_return too_many_bots_of_player();
    std::erase_if(offers, is_same);
    offers.push_back(std::move(bot));
    co_return Expected<void>{};
  };
  return call<void>(Kind::kWrite, std::move(work));
}

awaitable<Expected<void>> SharedStore::withdraw(std::vector<OfferId> offers) {
  auto work = [this, offers = std::move(offers)]() -> awaitable<Expected<void>> {
    std::erase_if(database_.offers, [&](const OfferedBot& each) {
      return std::ranges::find(offers, each.id) != offers.end();
    });
    co_return Expected<void>{};
  };
  return call<void>(Kind::kWrite, std::move(work));
}

awaitable<Expected<std::vector<OfferedBot>>> SharedStore::offered() {
  auto work = [this]() -> awaitable<Expected<std::vector<OfferedBot>>> {
    std::vector<OfferedBot> all;
    for (const OfferedBot& each : database_.offers) {
      if (!database_.is_alive(each.life)) continue;
      all.push_back(each);
      all.back().address = database_.lives.at(each.life).address;
    }
    std::ranges::sort(all, [](const OfferedBot& a, const OfferedBot& b) {
      return std::tie(a.game, a.strategy) < std::tie(b.game, b.strategy);
    });
    co_return all;
  };
  return call<std::vector<OfferedBot>>(Kind::kRead, std::move(work));
}

}  // namespace tesela::sim
