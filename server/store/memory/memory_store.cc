#include "server/store/memory/memory_store.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <tuple>
#include <utility>

#include "server/store/refusals.h"

namespace tesela::store {
namespace {

using boost::asio::awaitable;
using boost::asio::use_awaitable;

/// Lets the caller's executor go on meanwhile, as a store with a disk does.
awaitable<void> give_way() {
  co_await boost::asio::post(use_awaitable);
}

bool newest_first(const TableRow& a, const TableRow& b) {
  return std::tie(a.created_ms, a.id) > std::tie(b.created_ms, b.id);
}

bool matches(const TableRow& row, const TableFilter& filter,
             const std::optional<TableCursor>& after) {
  if (!filter.game.empty() && row.game != filter.game) return false;
  if (filter.state && row.state != *filter.state) return false;
  if (filter.player &&
      std::ranges::find(row.seats, *filter.player, &SeatRow::player) == row.seats.end())
    return false;
  return !after || std::tie(row.created_ms, row.id) < std::tie(after->created_ms, after->id);
}

}  // namespace

void MemoryStore::fail_next_append(Error error, Fate fate) {
  const std::scoped_lock lock(mutex_);
  fault_ = Fault{std::move(error), fate};
}

void MemoryStore::delay_appends(std::chrono::milliseconds delay) {
  const std::scoped_lock lock(mutex_);
  delay_ = delay;
}

void MemoryStore::set_writable(bool writable) {
  const std::scoped_lock lock(mutex_);
  writable_ = writable;
}

awaitable<Expected<void>> MemoryStore::append(Append append) {
  co_await give_way();
  Expected<void> stored;
  std::chrono::milliseconds delay{};
  {
    const std::scoped_lock lock(mutex_);
    delay = delay_;
    const auto fault = std::exchange(fault_, std::nullopt);
    if (!fault || fault->fate == Fate::kStored) stored = store(std::move(append));
    if (fault) stored = std::unexpected(fault->error);
  }
  if (delay > std::chrono::milliseconds{0}) {
    boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor, delay);
    co_await timer.async_wait(use_awaitable);
  }
  co_return stored;
}

awaitable<Expected<std::vector<Entry>>> MemoryStore::read(TableId table, Version from,
                                                          std::size_t max) {
  co_await give_way();
  const std::scoped_lock lock(mutex_);
  const auto it = tables_.find(table);
  if (it == tables_.end()) co_return no_such_table();
  std::vector<Entry> entries;
  const auto& records = it->second.records;
  for (Version v = from; v.value <= records.size() && entries.size() < max; v = next(v)) {
    entries.push_back(Entry{v, records[v.value - 1]});
  }
  co_return entries;
}

awaitable<Expected<void>> MemoryStore::add_player(PlayerRow player) {
  co_await give_way();
  const std::scoped_lock lock(mutex_);
  if (auto ready = check_writable(); !ready) co_return ready;
  const PlayerId id = player.id;
  if (!players_.try_emplace(id, std::move(player)).second) {
    co_return refuse(ErrorCode::kInternal, "This player's id is taken.");
  }
  co_return Expected<void>{};
}

awaitable<Expected<PlayerRow>> MemoryStore::player(PlayerId id) {
  co_await give_way();
  const std::scoped_lock lock(mutex_);
  const auto it = players_.find(id);
  if (it == players_.end()) co_return no_such_player();
  co_return it->second;
}

awaitable<Expected<void>> MemoryStore::add_table(TableRow table, std::string created_record) {
  co_await give_way();
  const std::scoped_lock lock(mutex_);
  co_return store(std::move(table), std::move(created_record));
}

awaitable<Expected<void>> MemoryStore::take_seat(SeatClaim claim) {
  co_await give_way();
  const std::scoped_lock lock(mutex_);
  co_return store(claim);
}

awaitable<Expected<TableRow>> MemoryStore::table(TableId id) {
  co_await give_way();
  const std::scoped_lock lock(mutex_);
  const auto it = tables_.find(id);
  if (it == tables_.end()) co_return no_such_table();
  co_return with_names(it->second.row);
}

awaitable<Expected<std::vector<TableRow>>> MemoryStore::tables(TableFilter filter,
                                                               std::optional<TableCursor> after,
                                                               std::size_t max) {
  co_await give_way();
  const std::scoped_lock lock(mutex_);
  std::vector<TableRow> page;
  for (const auto& [id, stored] : tables_) {
    if (matches(stored.row, filter, after)) page.push_back(with_names(stored.row));
  }
  std::ranges::sort(page, newest_first);
  if (page.size() > max) page.resize(max);
  co_return page;
}

awaitable<Expected<Epoch>> MemoryStore::claim(TableId id) {
  co_await give_way();
  const std::scoped_lock lock(mutex_);
  if (auto ready = check_writable(); !ready) co_return std::unexpected(ready.error());
  const auto it = tables_.find(id);
  if (it == tables_.end()) co_return no_such_table();
  Epoch& epoch = it->second.row.epoch;
  epoch = Epoch{epoch.value + 1};
  co_return epoch;
}

Expected<void> MemoryStore::writable() const {
  const std::scoped_lock lock(mutex_);
  return check_writable();
}

Expected<void> MemoryStore::check_writable() const {
  if (writable_) return {};
  return refuse(ErrorCode::kUnavailable, "The server cannot write its database now.");
}

Expected<void> MemoryStore::store(Append append) {
  if (auto ready = check_writable(); !ready) return ready;
  const auto it = tables_.find(append.table);
  if (it == tables_.end()) return no_such_table();
  auto& [row, records] = it->second;
  if (append.epoch != row.epoch) {
    return another_owner();
  }
  if (append.version.value != records.size() + 1) {
    return not_the_next_version();
  }
  records.push_back(std::move(append.record));
  if (append.ending) {
    row.state = TableState::kOver;
    row.ending = std::move(append.ending);
  }
  return {};
}

Expected<void> MemoryStore::store(TableRow table, std::string created_record) {
  if (auto ready = check_writable(); !ready) return ready;
  for (const SeatRow& seat : table.seats) {
    if (!players_.contains(seat.player)) {
      return no_such_player();
    }
  }
  table.epoch = Epoch{1};
  table.state = table.seats.size() < table.seat_count ? TableState::kOpen : TableState::kInPlay;
  table.ending.reset();
  const TableId id = table.id;
  Stored stored{.row = std::move(table), .records = {}};
  stored.records.push_back(std::move(created_record));
  if (!tables_.try_emplace(id, std::move(stored)).second) {
    return refuse(ErrorCode::kInternal, "This table's id or one of its seats is taken.");
  }
  return {};
}

Expected<void> MemoryStore::store(const SeatClaim& claim) {
  if (auto ready = check_writable(); !ready) return ready;
  const auto it = tables_.find(claim.table);
  if (it == tables_.end()) return no_such_table();
  TableRow& row = it->second.row;
  if (claim.epoch != row.epoch) {
    return another_owner();
  }
  if (claim.seat.value >= row.seat_count) return no_such_seat(row.seat_count);
  if (!players_.contains(claim.player)) {
    return no_such_player();
  }
  const auto place = std::ranges::lower_bound(row.seats, claim.seat, {}, &SeatRow::seat);
  if (place != row.seats.end() && place->seat == claim.seat) return seat_taken();
  row.seats.insert(place, {.seat = claim.seat, .player = claim.player, .display_name = {}});
  if (row.seats.size() == row.seat_count) row.state = TableState::kInPlay;
  return {};
}

TableRow MemoryStore::with_names(TableRow table) const {
  for (SeatRow& seat : table.seats) seat.display_name = players_.at(seat.player).display_name;
  return table;
}

}  // namespace tesela::store
