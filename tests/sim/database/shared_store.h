// The store of one server of a simulation on the database that it shares with the others.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/store/event_log.h"
#include "server/store/nodes.h"
#include "server/store/offered_bots.h"
#include "server/store/ownership.h"
#include "server/store/refusals.h"
#include "server/store/reports.h"
#include "server/store/sql/sql_store.h"
#include "server/store/table_changes.h"
#include "tests/sim/database/database.h"

namespace tesela::sim {

/// Nothing was changed.
inline std::unexpected<Error> database_away() {
  return refuse(ErrorCode::kUnavailable, "The database cannot be reached.");
}
inline std::unexpected<Error> unknown_outcome() {
  return refuse(ErrorCode::kInternal, "It is unknown whether the database has stored this.");
}

/// As store::PostgresStore.
class SharedStore final : public store::EventLog,
                          public store::sql::SqlStore,
                          public store::Ownership,
                          public store::Nodes,
                          public store::OfferedBots,
                          public store::TableChanges {
 public:
  /// For the machine of the calling thread.
  SharedStore(Database& database, std::chrono::milliseconds wait);
  ~SharedStore() override;
  SharedStore(const SharedStore&) = delete;
  SharedStore& operator=(const SharedStore&) = delete;

  [[nodiscard]] store::EventReader& history() { return *this; }
  void close() { closed_ = true; }

  void begin_append(store::Append append, base::Continuation caller,
                    store::Resume<void> resume) override;
  boost::asio::awaitable<Expected<std::vector<store::Entry>>> read(TableId table, Version from,
                                                                   std::size_t max) override;
  boost::asio::awaitable<Expected<std::optional<store::Entry>>> last(TableId table) override;

  [[nodiscard]] Expected<void> writable() const override;

  boost::asio::awaitable<Expected<void>> add_table(store::TableRow table,
                                                   std::optional<std::string> first_record,
                                                   store::GameOutcome outcome) override;
  boost::asio::awaitable<Expected<void>> change_table(store::TableRow table,
                                                      std::optional<std::string> first_record,
                                                      store::GameOutcome outcome) override;
  boost::asio::awaitable<Expected<void>> make_tables(std::vector<store::MatchedTable> tables,
                                                     Epoch lease) override;

  boost::asio::awaitable<Expected<store::Claimed>> claim(TableId table,
                                                         store::LifeId life) override;
  boost::asio::awaitable<Expected<std::optional<store::Owner>>> owner(TableId table) override;
  boost::asio::awaitable<Expected<std::vector<store::LifeId>>> living(
      std::vector<store::LifeId> lives) override;
  boost::asio::awaitable<Expected<store::TableHeads>> heads(std::vector<TableId> tables) override;
  boost::asio::awaitable<Expected<void>> release(std::vector<store::OwnedTable> tables,
                                                 store::LifeId life) override;
  boost::asio::awaitable<Expected<std::vector<TableId>>> free_orphans(std::size_t max) override;
  boost::asio::awaitable<Expected<std::optional<Epoch>>> take_lease(store::Duty duty,
                                                                    store::LifeId life) override;
  boost::asio::awaitable<Expected<std::optional<store::Owner>>> holder(store::Duty duty) override;
  boost::asio::awaitable<Expected<void>> give_up_lease(store::Duty duty, Epoch epoch,
                                                       store::LifeId life) override;

  boost::asio::awaitable<Expected<std::vector<store::NodeRow>>> nodes(std::size_t max) override;

  boost::asio::awaitable<Expected<void>> offer(store::OfferedBot bot) override;
  boost::asio::awaitable<Expected<void>> withdraw(std::vector<store::OfferId> offers) override;
  boost::asio::awaitable<Expected<std::vector<store::OfferedBot>>> offered() override;

  boost::asio::awaitable<Expected<store::TableChangesRead>> read(
      store::ChangesQuery query) override;
  boost::asio::awaitable<Expected<std::size_t>> trim() override;
  void on_signal(std::function<void()> told) override;

 private:
  enum class Kind : std::uint8_t { kRead, kWrite };

  boost::asio::awaitable<std::optional<Error>> reads(store::sql::Lane lane, ReadWork work) override;
  boost::asio::awaitable<std::optional<Error>> writes(store::sql::Lane lane,
                                                      WriteWork work) override;
  void write_aside(store::sql::Batch batch) override;
  boost::asio::awaitable<Expected<void>> compact_events() override;
  boost::asio::awaitable<Expected<std::size_t>> give_back_pages() override;

  /// Runs `work()`, an awaitable<Expected<T>>, on the database's thread, as a transaction of its
  /// own, and brings the answer back.
  template <class T, class Work>
  boost::asio::awaitable<Expected<T>> call(Kind kind, Work work);
  template <class T, class Work>
  boost::asio::awaitable<Expected<T>> call_there(Kind kind, Work work);
  boost::asio::awaitable<Expected<void>> append(store::Append append);

  Database& database_;
  Node& node_;
  const std::chrono::milliseconds wait_;
  bool closed_{};
  bool unknown_outcome_{};  // of a write of this server, since the last read of changes
};

template <class T, class Work>
boost::asio::awaitable<Expected<T>> SharedStore::call(Kind kind, Work work) {
  if (closed_) co_return store::stopping();
  auto there = call_there<T>(kind, std::move(work));
  co_return co_await database_.loop().call(std::move(there));
}

template <class T, class Work>
boost::asio::awaitable<Expected<T>> SharedStore::call_there(Kind kind, Work work) {
  const auto until = std::chrono::steady_clock::now() + wait_;
  Node& database_node = database_.node();
  const bool arrived = co_await database_.travel(node_, database_node, until);
  if (!arrived) co_return database_away();
  Kernel& kernel = *Kernel::active();
  const Weather weather = database_.weather;
  if (kernel.draw(1000) < weather.refused) co_return database_away();
  const bool writes = kind == Kind::kWrite;
  const bool ambiguous = writes && kernel.draw(1000) < weather.ambiguous;
  const bool lost = ambiguous && kernel.draw(2) == 0;
  std::optional<Expected<T>> outcome;
  if (!lost) {
    co_await database_.lock();
    Expected<T> done = co_await work();
    database_.unlock();
    outcome.emplace(std::move(done));
  }
  const bool back = co_await database_.travel(database_node, node_, until);
  if (back && !ambiguous) co_return *std::move(outcome);
  if (!writes) co_return database_away();
  unknown_outcome_ = true;
  co_return unknown_outcome();
}

}  // namespace tesela::sim
