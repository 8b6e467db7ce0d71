#include "tests/server/store/memory/memory_store.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <ranges>
#include <tuple>
#include <utility>

#include "server/store/refusals.h"

namespace tesela::store {
namespace {

using boost::asio::awaitable;
using boost::asio::use_awaitable;

/// Resumes the caller by a post, as a store with a disk does.
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
  if (filter.with_bots && std::ranges::all_of(row.seats, &std::string::empty, &SeatRow::strategy)) {
    return false;
  }
  if (!filter.private_too && !row.invite.empty()) return false;
  if (filter.made_before_ms && row.created_ms >= *filter.made_before_ms) return false;
  return !after || std::tie(row.created_ms, row.id) < std::tie(after->created_ms, after->id);
}

}  // namespace

void MemoryStore::fail_next_append(Error error, Fate fate) {
  const std::scoped_lock lock(mutex_);
  fault_ = Fault{std::move(error), fate};
}

void MemoryStore::set_writable(bool writable) {
  const std::scoped_lock lock(mutex_);
  writable_ = writable;
}

awaitable<void> MemoryStore::answer_late() {
  boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor, delay_.load());
  if (delay_.load() > std::chrono::milliseconds{0}) co_await timer.async_wait(use_awaitable);
}

awaitable<Expected<void>> MemoryStore::store_and_answer(Append append) {
  co_await give_way();
  Expected<void> stored;
  {
    const std::scoped_lock lock(mutex_);
    const auto fault = std::exchange(fault_, std::nullopt);
    if (!fault || fault->fate == Fate::kStored) stored = store(std::move(append));
    if (fault) stored = std::unexpected(fault->error);
  }
  co_await answer_late();
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

awaitable<Expected<std::optional<Entry>>> MemoryStore::last(TableId table) {
  if (auto fault = std::exchange(last_fault_, std::nullopt)) {
    co_return std::unexpected(std::move(*fault));
  }
  co_await give_way();
  const std::scoped_lock lock(mutex_);
  const auto it = tables_.find(table);
  if (it == tables_.end()) co_return no_such_table();
  const auto& records = it->second.records;
  if (records.empty()) co_return std::nullopt;
  co_return Entry{Version{records.size()}, records.back()};
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

awaitable<Expected<void>> MemoryStore::add_table(TableRow table,
                                                 std::optional<std::string> first_record,
                                                 GameOutcome outcome) {
  co_await give_way();
  const std::scoped_lock lock(mutex_);
  co_return add(std::move(table), std::move(first_record), outcome);
}

awaitable<Expected<void>> MemoryStore::change_table(TableRow table,
                                                    std::optional<std::string> first_record,
                                                    GameOutcome outcome) {
  co_await give_way();
  std::unique_lock lock(mutex_);
  auto stored = change(std::move(table), std::move(first_record), outcome);
  lock.unlock();
  co_await answer_late();
  co_return stored;
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
  if (filter.with_bots && (filter.player || !filter.game.empty())) co_return not_with_bots();
  std::vector<TableRow> page;
  for (const auto& [id, stored] : tables_) {
    if (matches(stored.row, filter, after)) page.push_back(with_names(stored.row));
  }
  std::ranges::sort(page, newest_first);
  page.resize(std::min(page.size(), max));
  co_return page;
}

awaitable<Expected<Claimed>> MemoryStore::claim(TableId table, LifeId /*life*/) {
  co_await give_way();
  const std::scoped_lock lock(mutex_);
  if (auto ready = check_writable(); !ready) co_return std::unexpected(ready.error());
  const auto it = tables_.find(table);
  if (it == tables_.end()) co_return no_such_table();
  Epoch& epoch = it->second.row.epoch;
  epoch = Epoch{epoch.value + 1};
  co_return Owned{epoch, Version{it->second.records.size()}};
}

awaitable<Expected<RatingRow>> MemoryStore::rating(std::string game, PlayerId player) {
  co_await give_way();
  const std::scoped_lock lock(mutex_);
  co_return boards_.rating(game, player);
}

awaitable<Expected<std::vector<BoardEntry>>> MemoryStore::board(BoardKey key, BoardRange range) {
  co_await give_way();
  const std::scoped_lock lock(mutex_);
  auto entries = boards_.board(key, range);
  for (BoardEntry& entry : entries) entry.display_name = players_.at(entry.player).display_name;
  co_return entries;
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
    boards_.count(append.outcome, append.table, row.ending->ended_ms);
  }
  return {};
}

bool MemoryStore::already_tried_by(const TableRow& table) const {
  return table.daily && std::ranges::any_of(tables_, [&](const auto& other) {
           const TableRow& row = other.second.row;
           return row.owner == table.owner && row.game == table.game && row.daily == table.daily;
         });
}

bool MemoryStore::knows_players_of(const TableRow& table) const {
  const auto knows = [this](const SeatRow& seat) {
    const auto player = players_.find(seat.player);
    return player != players_.end() && (player->second.kind == PlayerKind::kBot) == seat.bot;
  };
  return players_.contains(table.owner) && std::ranges::all_of(table.seats, knows);
}

void MemoryStore::count_ending_of(const TableRow& table, const GameOutcome& outcome) {
  if (table.state == TableState::kOver) boards_.count(outcome, table.id, table.ending->ended_ms);
}

Expected<void> MemoryStore::add(TableRow table, std::optional<std::string> first_record,
                                const GameOutcome& outcome) {
  if (auto ready = check_writable(); !ready) return ready;
  if (!knows_players_of(table)) return no_such_player();
  if (already_tried_by(table)) return already_tried();
  table.epoch = Epoch{1};
  table.assisted = false;
  if (table.state != TableState::kOver) table.ending.reset();
  const TableId id = table.id;
  Stored stored{.row = std::move(table), .records = {}};
  if (first_record) stored.records.push_back(std::move(*first_record));
  const auto [added, is_new] = tables_.try_emplace(id, std::move(stored));
  if (!is_new) return table_taken();
  count_ending_of(added->second.row, outcome);
  return {};
}

Expected<void> MemoryStore::change(TableRow table, std::optional<std::string> first_record,
                                   const GameOutcome& outcome) {
  if (auto ready = check_writable(); !ready) return ready;
  const auto it = tables_.find(table.id);
  if (it == tables_.end()) return no_such_table();
  auto& [row, records] = it->second;
  if (table.epoch != row.epoch) return another_owner();
  if (first_record && !records.empty()) return not_the_next_version();
  if (!knows_players_of(table)) return no_such_player();
  row.state = table.state;
  row.assisted = table.assisted;
  row.seats = std::move(table.seats);
  row.ending = std::move(table.ending);
  if (first_record) records.push_back(std::move(*first_record));
  count_ending_of(row, outcome);
  return {};
}

TableRow MemoryStore::with_names(TableRow table) const {
  for (SeatRow& seat : table.seats) seat.display_name = players_.at(seat.player).display_name;
  return table;
}

}  // namespace tesela::store
