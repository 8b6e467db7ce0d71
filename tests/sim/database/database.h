// The database that the servers of a simulation share: the store of SQLite in a folder in memory,
// and beside it what a store of one server does not know: lives, owners, leases, offers of bots,
// and whose changes are told. Calls reach it over the network's lines, one after the other.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/base/io_pool.h"
#include "server/base/loop.h"
#include "server/store/offered_bots.h"
#include "server/store/ownership.h"
#include "server/store/sqlite/sqlite_store.h"
#include "server/store/table_changes.h"
#include "tests/sim/kernel/network.h"

namespace tesela::sim {

/// What may happen to a call, of a thousand.
struct Weather {
  std::uint64_t refused{};    // kUnavailable, and nothing was changed
  std::uint64_t ambiguous{};  // kInternal: changed or not
  std::uint64_t slow{};       // up to two seconds more
};

/// Its own loop's thread alone, but for the construction and `loop`.
class Database {
 public:
  struct LifeRow {
    std::string address;
    bool alive{true};
    Nanos lease_until{};
    Nanos unbroken_since{};
  };
  struct LeaseRow {
    Epoch epoch{1};
    store::LifeId life;
  };
  struct Change {
    TableId table;
    const void* writer;
    Nanos at{};
  };
  /// A server's side, to be told of changes.
  struct Client {
    const void* store{};
    std::function<void()> told;
  };

  /// By a thread of the machine that it is on. `folder` is empty.
  explicit Database(const std::filesystem::path& folder);

  /// The one of the simulation.
  [[nodiscard]] static Database& get();

  [[nodiscard]] base::Loop& loop() { return pool_.any(); }
  [[nodiscard]] store::SqliteStore& sqlite() { return *sqlite_; }
  [[nodiscard]] Node& node() { return *node_; }

  /// Until a message from one of the two has come to the other; false when it had not at `until`.
  boost::asio::awaitable<bool> travel(Node& from, Node& to,
                                      std::chrono::steady_clock::time_point until);

  // One transaction at a time.
  boost::asio::awaitable<void> lock();
  void unlock();

  // As the tables of FORMAT.md.
  std::map<store::LifeId, LifeRow> lives;
  std::unordered_map<TableId, store::LifeId> owners;  // dead ones are nobody's
  std::map<store::Duty, LeaseRow> leases;
  std::vector<store::OfferedBot> offers;
  std::deque<Change> changes;
  std::uint64_t changes_dropped{};          // in front of those
  std::map<std::uint32_t, Client> clients;  // by the numbers of their nodes
  std::string timeline{"1"};
  bool down{};
  Weather weather;

  [[nodiscard]] bool is_alive(store::LifeId life) const {
    const auto found = lives.find(life);
    return found != lives.end() && found->second.alive;
  }
  /// The address of the living owner of a table.
  [[nodiscard]] std::optional<store::Owner> owner_of(TableId table) const;
  void note_change(TableId table, const void* writer);
  /// The server on that machine was killed: it is told nothing any more.
  void forget(const Node& node) { clients.erase(node.number); }

 private:
  Node* node_;
  std::unique_ptr<store::SqliteStore> sqlite_;
  base::IoPool pool_{1, 0, "database"};
  bool locked_{};
  std::deque<std::move_only_function<void()>> waiting_;
};

}  // namespace tesela::sim
