#include "server/directory/operator_access.h"

#include <functional>
#include <utility>

#include "server/directory/directory_shard.h"
#include "server/directory/silent_table.h"

namespace tesela::directory {

namespace asio = boost::asio;
using asio::awaitable;
using tables::LiveView;

namespace {

awaitable<void> run(std::function<void()> what) {
  what();
  co_return;
}

}  // namespace

awaitable<Expected<store::TableRow>> OperatorAccess::close(TableId id, tables::Close command) {
  auto closed = close_here(id, std::move(command));
  co_return co_await directory_.shard_of(id).loop.call(std::move(closed));
}

/// On the table's loop.
awaitable<Expected<store::TableRow>> OperatorAccess::close_here(TableId id, tables::Close command) {
  Directory::Shard& shard = directory_.shard_of(id);
  for (;;) {
    if (directory_.closing()) co_return refuse(ErrorCode::kUnavailable, "The server is stopping.");
    const auto slot = shard.tables.find(id);
    if (slot == shard.tables.end()) break;
    if (const auto live = slot->second; live && !live->closing()) {
      co_return co_await live->apply(std::move(command));
    }
    co_await shard.wait_for_change();
  }
  // Meanwhile an empty entry makes other callers wait.
  shard.tables.emplace(id, nullptr);
  auto closed = co_await close_where_stored(id, std::move(command));
  shard.tables.erase(id);
  shard.changed.cancel();
  co_return closed;
}

/// Does not load the table, so that one with a damaged log can be closed too.
awaitable<Expected<store::TableRow>> OperatorAccess::close_where_stored(TableId id,
                                                                        tables::Close command) {
  const auto row = co_await directory_.stored(id);
  if (!row) co_return row;
  const auto changed = tables::apply(*row, command);
  if (!changed || *changed == *row) co_return changed;
  auto closed = co_await close_stored(directory_.parts_.table_rows, directory_.claims_, id,
                                      std::move(command));
  if (!closed) co_return closed;
  directory_.publish(*closed);
  if (row->state != store::TableState::kOver) {
    tables::note_end(directory_.parts_.metrics, *closed, "closed");
  }
  co_return closed;
}

awaitable<Expected<store::TableRow>> OperatorAccess::reopen(TableId id) {
  auto opened = reopen_here(id);
  co_return co_await directory_.shard_of(id).loop.call(std::move(opened));
}

/// On the table's loop. A table that is leaving memory is waited for.
awaitable<Expected<store::TableRow>> OperatorAccess::reopen_here(TableId id) {
  Directory::Shard& shard = directory_.shard_of(id);
  while (!shard.tables.emplace(id, nullptr).second) {
    const auto live = shard.tables.at(id);
    if (live && !live->closing()) co_return co_await directory_.stored(id);
    if (directory_.closing()) co_return refuse(ErrorCode::kUnavailable, "The server is stopping.");
    co_await shard.wait_for_change();
  }
  const auto& parts = directory_.parts_;
  auto opened = co_await reopen_stored({parts.log, parts.snapshots}, parts.table_rows,
                                       directory_.claims_, id);
  shard.tables.erase(id);
  shard.changed.cancel();
  if (opened) directory_.publish(*opened);
  co_return opened;
}

awaitable<Expected<std::vector<TableId>>> OperatorAccess::forget(PlayerId player) {
  tables::SeatCommand command = tables::Forget{player};
  return apply(player, std::move(command));
}

awaitable<Expected<std::vector<TableId>>> OperatorAccess::rename(PlayerId player,
                                                                 std::string name) {
  tables::SeatCommand command = tables::Rename{.player = player, .name = std::move(name)};
  return apply(player, std::move(command));
}

awaitable<Expected<std::vector<TableId>>> OperatorAccess::merge(PlayerId guest, PlayerId account,
                                                                std::string name) {
  // Before rows change: slots of whom a row does not name are given back.
  directory_.live_tables().merged(guest, account);
  tables::SeatCommand command =
      tables::Merge{.guest = guest, .account = account, .name = std::move(name)};
  return apply(guest, std::move(command));
}

awaitable<void> OperatorAccess::send_away(PlayerId player, Error why) {
  const tables::Goodbye goodbye{
      .reason = codec::reason_of(why.code), .message = why.message, .reconnect = false};
  co_await look_around([&](const Directory::Shard& shard) {
    for (const auto& [id, table] : shard.tables) {
      if (table) table->send_away(player, goodbye);
    }
  });
}

awaitable<void> OperatorAccess::announce(std::function<codec::FramePtr()> frame) {
  co_await look_around([&](const Directory::Shard& shard) {
    const auto now = frame();
    for (const auto& [id, table] : shard.tables) {
      if (table) table->tell(now);
    }
  });
}

awaitable<Expected<std::vector<TableId>>> OperatorAccess::apply(PlayerId player,
                                                                tables::SeatCommand command) {
  // A table that is being loaded may have read its row before the store was changed, and would
  // write or show that row.
  const auto concerns = [player](const Directory::Shard& shard, TableId id, const auto& table) {
    if (table) return table->names(player) || table->has(player);
    const auto loading = shard.loading.find(id);
    return loading == shard.loading.end() || loading->second.may_name(player);
  };
  std::vector<TableId> seated;
  co_await look_around([&](const Directory::Shard& shard) {
    for (const auto& [id, table] : shard.tables) {
      if (concerns(shard, id, table)) seated.push_back(id);
    }
  });
  Expected<std::vector<TableId>> all = std::move(seated);
  for (const TableId id : std::vector(*all)) {
    auto applied = apply_here(id, command);
    auto done = co_await directory_.shard_of(id).loop.call(std::move(applied));
    if (!done && all) all = std::unexpected(std::move(done.error()));
  }
  co_return all;
}

/// On the table's loop. A table that is being loaded or unloaded is waited for.
awaitable<Expected<void>> OperatorAccess::apply_here(TableId id, tables::SeatCommand command) {
  Directory::Shard& shard = directory_.shard_of(id);
  for (;;) {
    const auto slot = shard.tables.find(id);
    if (slot == shard.tables.end()) co_return Expected<void>{};
    if (const auto live = slot->second; live && !live->closing()) {
      tables::SeatCommand again = command;
      auto row = co_await live->apply(std::move(again));
      // A table that has begun to close meanwhile is looked for again.
      if (row) co_return Expected<void>{};
      if (!live->closing()) co_return std::unexpected(std::move(row.error()));
    }
    co_await shard.wait_for_change();
  }
}

awaitable<std::optional<LiveView>> OperatorAccess::look_at(TableId id) {
  auto look = look_here(id);
  co_return co_await directory_.shard_of(id).loop.call(std::move(look));
}

/// On the table's loop.
awaitable<std::optional<LiveView>> OperatorAccess::look_here(TableId id) {
  const auto& tables = directory_.shard_of(id).tables;
  const auto slot = tables.find(id);
  if (slot == tables.end() || !slot->second || slot->second->closing()) co_return std::nullopt;
  co_return slot->second->live_view();
}

awaitable<OperatorAccess::TalkAt> OperatorAccess::talk_at(TableId id, PlayerId player) {
  auto look = talk_here(id, player);
  co_return co_await directory_.shard_of(id).loop.call(std::move(look));
}

/// On the table's loop.
awaitable<OperatorAccess::TalkAt> OperatorAccess::talk_here(TableId id, PlayerId player) {
  TalkAt talk;
  const auto& tables = directory_.shard_of(id).tables;
  const auto slot = tables.find(id);
  if (slot != tables.end() && slot->second) {
    talk.lines = slot->second->last_talk();
    talk.is_there = slot->second->has(player);
  }
  co_return talk;
}

awaitable<void> OperatorAccess::look_around(std::function<void(const Directory::Shard&)> look) {
  for (const auto& shard : directory_.shards_) {
    auto here = run([&look, &shard] { look(*shard); });
    co_await shard->loop.call(std::move(here));
  }
}

awaitable<std::vector<TableId>> OperatorAccess::tables_with(PlayerId player) {
  std::vector<TableId> found;
  co_await look_around([&](const Directory::Shard& shard) {
    for (const auto& [id, table] : shard.tables) {
      if (table && !table->closing() && table->has(player)) found.push_back(id);
    }
  });
  co_return found;
}

awaitable<std::size_t> OperatorAccess::tables_in_memory() {
  std::size_t count = 0;
  co_await look_around([&count](const Directory::Shard& shard) { count += shard.tables.size(); });
  co_return count;
}

}  // namespace tesela::directory
