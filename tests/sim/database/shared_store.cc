#include "tests/sim/database/shared_store.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <charconv>
#include <utility>

#include "server/base/limits.h"
#include "server/base/ownership_limits.h"
#include "server/base/postgres_limits.h"
#include "server/base/text_encoding.h"
#include "server/store/only_life.h"
#include "server/store/refusals.h"
#include "tests/sim/truth.h"

namespace tesela::sim {

using boost::asio::awaitable;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using namespace store;  // NOLINT: this file is a store

namespace {

/// The way to the sessions of another store.
struct Sessions : sql::SqlStore {
  static auto read(SqlStore& store, sql::Lane lane, ReadWork work) {
    return (store.*(&Sessions::reads))(lane, std::move(work));
  }
  static auto write(SqlStore& store, sql::Lane lane, WriteWork work) {
    return (store.*(&Sessions::writes))(lane, std::move(work));
  }
  static void write_aside_of(SqlStore& store, sql::Batch batch) {
    (store.*(&Sessions::write_aside))(std::move(batch));
  }
};

milliseconds ms(Nanos time) {
  return milliseconds{time / kMillisecond};
}

/// Nobody who gets a table has another one, unless it is one of these, stored by an earlier try.
void check_are_free(const std::vector<store::SeekerRow>& players,
                    const std::vector<TableId>& made) {
  for (const store::SeekerRow& each : players) {
    if (!each.match_lives || std::ranges::count(made, *each.last_match) > 0) continue;
    violated("twice", "player " + base::to_text(each.player) + " gets a second table beside " +
                          base::to_text(*each.last_match));
  }
}

}  // namespace

SharedStore::SharedStore(Database& database, milliseconds wait)
    : database_(database), node_(Kernel::active()->node()), wait_(wait) {}

SharedStore::~SharedStore() {
  database_.forget(node_);
}

// --- The log

awaitable<Expected<void>> SharedStore::append(Append append) {
  const TableId table = append.table;
  const bool ends = append.ending.has_value();
  auto work = [this, append = std::move(append), table,
               ends]() mutable -> awaitable<Expected<void>> {
    auto done = co_await database_.sqlite().append(std::move(append));
    if (done && ends) database_.note_change(table, this);
    co_return done;
  };
  co_return co_await call_there<void>(Kind::kWrite, std::move(work));
}

void SharedStore::begin_append(Append what, base::Continuation caller, Resume<void> resume) {
  database_.loop().spawn(
      append(std::move(what)),
      [caller = std::move(caller), resume = std::move(resume)](const std::exception_ptr& thrown,
                                                               Expected<void> outcome) mutable {
        if (thrown) std::rethrow_exception(thrown);
        caller.post([resume = std::move(resume), outcome = std::move(outcome)]() mutable {
          resume(std::move(outcome));
        });
      });
}

awaitable<Expected<std::vector<Entry>>> SharedStore::read(TableId table, Version from,
                                                          std::size_t max) {
  auto work = [this, table, from, max] { return database_.sqlite().read(table, from, max); };
  return call<std::vector<Entry>>(Kind::kRead, std::move(work));
}

awaitable<Expected<std::optional<Entry>>> SharedStore::last(TableId table) {
  auto work = [this, table] { return database_.sqlite().last(table); };
  return call<std::optional<Entry>>(Kind::kRead, std::move(work));
}

Expected<void> SharedStore::writable() const {
  const bool reached = !Network::get().line(node_, database_.node()).cut() && !database_.down;
  if (reached) return {};
  return database_away();
}

// --- Operations of the sessions

awaitable<std::optional<Error>> SharedStore::reads(sql::Lane lane, ReadWork work) {
  auto there = [this, lane, &work]() -> awaitable<Expected<void>> {
    auto error = co_await Sessions::read(database_.sqlite(), lane, std::move(work));
    if (error) co_return std::unexpected(*std::move(error));
    co_return Expected<void>{};
  };
  const auto done = co_await call<void>(Kind::kRead, std::move(there));
  if (done) co_return std::nullopt;
  co_return done.error();
}

awaitable<std::optional<Error>> SharedStore::writes(sql::Lane lane, WriteWork work) {
  auto there = [this, lane, &work]() -> awaitable<Expected<void>> {
    auto error = co_await Sessions::write(database_.sqlite(), lane, std::move(work));
    if (error) co_return std::unexpected(*std::move(error));
    co_return Expected<void>{};
  };
  const auto done = co_await call<void>(Kind::kWrite, std::move(there));
  if (done) co_return std::nullopt;
  co_return done.error();
}

void SharedStore::write_aside(sql::Batch batch) {
  database_.loop().hand_over([this, batch = std::move(batch)]() mutable {
    if (!database_.down) Sessions::write_aside_of(database_.sqlite(), std::move(batch));
  });
}

awaitable<Expected<void>> SharedStore::compact_events() {
  co_return Expected<void>{};
}

awaitable<Expected<std::size_t>> SharedStore::give_back_pages() {
  co_return std::size_t{0};
}

awaitable<Expected<void>> SharedStore::add_table(TableRow table,
                                                 std::optional<std::string> first_record,
                                                 GameOutcome outcome) {
  auto work = [&, this]() -> awaitable<Expected<void>> {
    const TableId id = table.id;
    auto done = co_await database_.sqlite().add_table(std::move(table), std::move(first_record),
                                                      std::move(outcome));
    if (done) database_.note_change(id, this);
    co_return done;
  };
  co_return co_await call<void>(Kind::kWrite, std::move(work));
}

awaitable<Expected<void>> SharedStore::change_table(TableRow table,
                                                    std::optional<std::string> first_record,
                                                    GameOutcome outcome) {
  auto work = [&, this]() -> awaitable<Expected<void>> {
    const TableId id = table.id;
    auto done = co_await database_.sqlite().change_table(std::move(table), std::move(first_record),
                                                         std::move(outcome));
    if (done) database_.note_change(id, this);
    co_return done;
  };
  co_return co_await call<void>(Kind::kWrite, std::move(work));
}

awaitable<Expected<void>> SharedStore::make_tables(std::vector<MatchedTable> tables, Epoch lease) {
  auto work = [&, this]() -> awaitable<Expected<void>> {
    if (database_.leases[Duty::kMatch].epoch != lease) co_return not_the_matcher();
    std::vector<TableId> ids;
    std::vector<PlayerId> players;
    for (const MatchedTable& each : tables) {
      ids.push_back(each.table.id);
      for (const store::MatchedPlayer& one : each.players) players.push_back(one.player);
    }
    const auto before = co_await database_.sqlite().seekers({}, std::move(players));
    auto done = co_await database_.sqlite().make_tables(std::move(tables), kOnlyLease);
    if (done) {
      for (const TableId id : ids) database_.note_change(id, this);
      check_are_free(before.value(), ids);
    }
    co_return done;
  };
  co_return co_await call<void>(Kind::kWrite, std::move(work));
}

// --- Changes

awaitable<Expected<TableChangesRead>> SharedStore::read(ChangesQuery query) {
  auto work = [this, query = std::move(query)]() -> awaitable<Expected<TableChangesRead>> {
    TableChangesRead read;
    const std::uint64_t end = database_.changes_dropped + database_.changes.size();
    const Nanos now = Kernel::active()->now();
    read.until = {.snapshot = std::to_string(end),
                  .at_us = now / kMicrosecond,
                  .timeline = database_.timeline};
    read.gap = !query.since || query.since->timeline != read.until.timeline ||
               std::exchange(unknown_outcome_, false);
    if (!query.since) co_return read;
    const std::uint64_t since = std::stoull(query.since->snapshot);
    if (since < database_.changes_dropped) read.gap = true;
    std::vector<TableId> order;
    std::map<TableId, std::size_t> times;
    for (std::uint64_t at = std::max(since, database_.changes_dropped); at < end; ++at) {
      const Database::Change& change = database_.changes[at - database_.changes_dropped];
      const bool asked = std::ranges::find(query.own_too, change.table) != query.own_too.end();
      if (change.writer == this && !asked) continue;
      std::erase(order, change.table);
      order.push_back(change.table);
      ++times[change.table];
      read.age = std::max(read.age, ms(now - change.at));
    }
    read.count = order.size();
    if (!query.rows || read.gap) co_return read;
    for (const TableId id : order) {
      auto row = co_await database_.sqlite().table(id);
      if (!row) continue;
      read.tables.push_back({.row = *std::move(row), .several = times[id] > 1});
    }
    co_return read;
  };
  return call<TableChangesRead>(Kind::kRead, std::move(work));
}

awaitable<Expected<std::size_t>> SharedStore::trim() {
  auto work = [this]() -> awaitable<Expected<std::size_t>> {
    const Nanos before =
        Kernel::active()->now() - std::chrono::nanoseconds{limits::kChangesKept}.count();
    std::size_t count = 0;
    while (!database_.changes.empty() && database_.changes.front().at < before &&
           count < limits::kChangesTrimmedAtOnce) {
      database_.changes.pop_front();
      ++database_.changes_dropped;
      ++count;
    }
    co_return count;
  };
  return call<std::size_t>(Kind::kWrite, std::move(work));
}

void SharedStore::on_signal(std::function<void()> told) {
  database_.clients[node_.number] = {this, std::move(told)};
}

}  // namespace tesela::sim
