// What replaces the backend of a server, and the connection and the statements of its heartbeat.
#include "server/store/backend/backend.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdlib>
#include <utility>

#include "server/base/ownership_limits.h"
#include "server/store/postgres/connection/connection.h"
#include "server/store/postgres/connection/failure.h"
#include "server/store/postgres/heartbeat.h"
#include "server/store/postgres/write/lives.h"
#include "server/store/sqlite/database/data_folder.h"
#include "tests/sim/database/shared_store.h"

namespace tesela::store {
namespace {

class SharedBackend final : public Backend {
 public:
  SharedBackend(DataFolder folder, std::unique_ptr<sim::SharedStore> store,
                std::unique_ptr<postgres::Heartbeat> heartbeat)
      : folder_(std::move(folder)), store_(std::move(store)), heartbeat_(std::move(heartbeat)) {}

  EventLog& log() override { return *store_; }
  EventReader& history() override { return store_->history(); }
  TableRows& table_rows() override { return *store_; }
  Store& store() override { return *store_; }
  Accounts& accounts() override { return *store_; }
  Profiles& profiles() override { return *store_; }
  Moderation& moderation() override { return *store_; }
  Friends& friends() override { return *store_; }
  Notices& notices() override { return *store_; }
  Snapshots& snapshots() override { return *store_; }
  Removals& removals() override { return *store_; }
  PersonalData& personal_data() override { return *store_; }
  GameArchives& archives() override { return *store_; }
  Ownership& ownership() override { return *store_; }
  OfferedBots* offered_bots() override { return store_.get(); }
  TableChanges* changes() override { return store_.get(); }
  Life& life() override { return *heartbeat_; }
  Nodes& nodes() override { return *store_; }
  void close() override {
    store_->close();
    heartbeat_->close();
  }

 private:
  DataFolder folder_;
  std::unique_ptr<sim::SharedStore> store_;
  std::unique_ptr<postgres::Heartbeat> heartbeat_;
};

}  // namespace

Expected<std::unique_ptr<Backend>> open_backend(BackendOptions options) {
  auto folder = DataFolder::open(options.folder);
  if (!folder) return std::unexpected(std::move(folder.error()));
  auto store = std::make_unique<sim::SharedStore>(sim::Database::get(), options.wait);
  auto heartbeat = postgres::Heartbeat::start({.url = {},
                                               .address = std::move(options.address),
                                               .life_file = folder->path() / "life",
                                               .on_state = std::move(options.on_life_state)},
                                              options.wait);
  if (!heartbeat) return std::unexpected(std::move(heartbeat.error()));
  return std::make_unique<SharedBackend>(std::move(*folder), std::move(store),
                                         std::move(*heartbeat));
}

namespace postgres {
namespace {

using boost::asio::awaitable;
using sim::Database;
using sim::Nanos;

constexpr Nanos kLease = std::chrono::nanoseconds{limits::kLeaseTime}.count();
constexpr Nanos kGap = std::chrono::nanoseconds{limits::kRenewalGapMax}.count();

Nanos now() {
  return sim::Kernel::active()->now();
}

awaitable<void> there_and_back(sim::Node& node, std::move_only_function<void()> work, Time until) {
  Database& database = Database::get();
  const bool there = co_await database.travel(node, database.node(), until);
  if (!there) throw Failure::lost("no answer in time");
  co_await database.lock();
  work();
  database.unlock();
  const bool back = co_await database.travel(database.node(), node, until);
  if (!back) throw Failure::lost("no answer in time");
}

/// Runs `work` as a statement that a machine sends. Resumes by asio::post, as a connection would: a
/// heartbeat that ends takes nothing that is handed over.
awaitable<void> on_database(std::move_only_function<void()> work, Time until) {
  auto call = there_and_back(sim::Kernel::active()->node(), std::move(work), until);
  return boost::asio::co_spawn(Database::get().loop().get_executor(), std::move(call),
                               boost::asio::use_awaitable);
}

void end(LifeId life) {
  auto& lives = Database::get().lives;
  const auto found = lives.find(life);
  if (found == lives.end() || !found->second.alive) return;
  found->second.alive = false;
  found->second.lease_until = std::min(found->second.lease_until, now());
}

}  // namespace

awaitable<void> Connection::open(std::string /*url*/, std::optional<Served> /*before*/,
                                 Time until) {
  return on_database([] {}, until);
}
// A call ends by its time alone.
void Connection::watch(Time /*now*/) {}
// Of the store of PostgreSQL, which is linked, and not used.
awaitable<std::vector<Rows>> Connection::run(Batch /*batch*/, Time /*until*/) {
  std::abort();
}
void Connection::watch_idle(std::function<void()> /*on_lost*/) {
  std::abort();
}
void Connection::watch_input(std::function<void()> /*on_input*/) {
  std::abort();
}
bool Connection::notified() {
  std::abort();
}
void Connection::abort() {
  std::abort();
}

awaitable<void> begin_life(Connection& /*connection*/, LifeId life, std::string address,
                           Time until) {
  return on_database(
      [life, address = std::move(address)] {
        Database::get().lives[life] = {.address = address,
                                       .alive = true,
                                       .lease_until = now() + kLease,
                                       .unbroken_since = now()};
      },
      until);
}

awaitable<bool> renew_lease(Connection& /*connection*/, LifeId life, Time until) {
  bool renewed = false;
  auto renewal = on_database(
      [life, &renewed] {
        auto& lives = Database::get().lives;
        const auto found = lives.find(life);
        if (found == lives.end() || !found->second.alive) return;
        if (found->second.lease_until - (kLease - kGap) < now()) {
          found->second.unbroken_since = now();
        }
        found->second.lease_until = now() + kLease;
        renewed = true;
      },
      until);
  co_await std::move(renewal);
  co_return renewed;
}

awaitable<std::vector<std::string>> declare_deaths(Connection& /*connection*/, LifeId life,
                                                   Time until) {
  std::vector<std::string> dead;
  auto declaration = on_database(
      [life, &dead] {
        auto& lives = Database::get().lives;
        const auto own = lives.find(life);
        if (own == lives.end() || !own->second.alive || own->second.lease_until < now() ||
            own->second.unbroken_since > now() - kLease) {
          return;
        }
        for (auto& [other, row] : lives) {
          if (!row.alive || row.lease_until >= now()) continue;
          row.alive = false;
          dead.push_back(row.address);
        }
      },
      until);
  co_await std::move(declaration);
  co_return dead;
}

awaitable<void> end_life(Connection& /*connection*/, LifeId life, Time until) {
  return on_database([life] { end(life); }, until);
}

awaitable<void> end_life_at(Connection& /*connection*/, LifeId life, std::string address,
                            Time until) {
  return on_database(
      [life, address = std::move(address)] {
        const auto found = Database::get().lives.find(life);
        if (found != Database::get().lives.end() && found->second.address == address) end(life);
      },
      until);
}

}  // namespace postgres
}  // namespace tesela::store
