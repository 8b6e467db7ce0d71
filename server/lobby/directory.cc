#include "server/lobby/directory.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <unordered_map>
#include <utility>

#include "server/codec/games.h"
#include "server/codec/id_text.h"
#include "server/codec/record.h"
#include "server/net/limits.h"
#include "server/ops/clock.h"
#include "server/ops/random.h"

namespace tesela::lobby {

namespace asio = boost::asio;
using asio::awaitable;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using table::Table;

/// The tables of one context. A slot without a table is being loaded.
struct Directory::Shard {
  explicit Shard(asio::io_context& io)
      : context(io), changed(io, steady_clock::time_point::max()), sweep_pause(io) {}

  asio::io_context& context;
  std::unordered_map<TableId, std::shared_ptr<Table>> tables;
  asio::steady_timer
      changed;  // cancelled when a slot was filled or emptied: wakes who waits for one
  asio::steady_timer sweep_pause;
  bool sweeping = false;

  awaitable<void> wait_for_change() {
    co_await changed.async_wait(asio::as_tuple(asio::use_awaitable));
  }
};

Directory::Directory(Parts parts) : parts_(parts) {
  for (std::size_t i = 0; i < parts_.io.size(); ++i) {
    shards_.push_back(std::make_unique<Shard>(parts_.io.at(i)));
  }
}

Directory::~Directory() = default;

Directory::Shard& Directory::shard_of(TableId id) {
  return *shards_[parts_.io.index_of(id)];
}

awaitable<Expected<store::TableRow>> Directory::create(
    PlayerId owner, std::string game, std::optional<google::protobuf::Any> config) {
  if (draining_.load(std::memory_order_relaxed)) {
    co_return refuse(ErrorCode::kUnavailable,
                     "The server is stopping and makes no new tables; try again in a moment.");
  }
  const auto entry = codec::find_game(game);
  if (!entry) co_return std::unexpected(entry.error());
  const auto configured = (*entry)->configure(config ? &*config : nullptr);
  if (!configured) co_return std::unexpected(configured.error());
  const auto seed = ops::random_seed();
  const auto match = (*entry)->start(configured->bytes, seed);
  if (!match) co_return std::unexpected(match.error());

  const codec::Created created{
      .game = game, .config = configured->bytes, .seed = seed, .seats = configured->seats};
  store::TableRow row{.id = ops::random_table_id(),
                      .game = std::move(game),
                      .config = configured->any,
                      .seat_count = configured->seats,
                      .seats = {{.seat = Seat{0}, .player = owner, .display_name = {}}},
                      .epoch = Epoch{1},
                      .created_ms = ops::unix_ms(),
                      .ending = {}};
  auto record =
      codec::encode({.at_ms = row.created_ms, .event = created, .digest = (*match)->digest()});
  const TableId id = row.id;
  if (auto added = co_await parts_.store.add_table(std::move(row), std::move(record)); !added) {
    co_return std::unexpected(std::move(added.error()));
  }
  auto stored = co_await parts_.store.table(id);  // with the names of the seated
  if (stored) parts_.feed.publish(*stored);
  co_return stored;
}

awaitable<Expected<store::TableRow>> Directory::join(TableId id, PlayerId player, std::string name,
                                                     std::optional<Seat> seat) {
  auto joined = join_here(id, player, std::move(name), seat);
  co_return co_await asio::co_spawn(shard_of(id).context, std::move(joined), asio::use_awaitable);
}

/// On the table's own context.
awaitable<Expected<store::TableRow>> Directory::join_here(TableId id, PlayerId player,
                                                          std::string name,
                                                          std::optional<Seat> seat) {
  const auto table = co_await open(id);
  if (!table) co_return std::unexpected(table.error());
  co_return co_await (*table)->take_seat(player, std::move(name), seat);
}

awaitable<Expected<std::shared_ptr<Table>>> Directory::open(TableId id) {
  Shard& shard = shard_of(id);
  for (;;) {
    if (closing()) co_return refuse(ErrorCode::kUnavailable, "The server is stopping.");
    const auto slot = shard.tables.find(id);
    if (slot == shard.tables.end()) break;
    if (slot->second && !slot->second->closing()) co_return slot->second;
    co_await shard.wait_for_change();
  }
  shard.tables.emplace(id, nullptr);
  auto table = co_await load(shard, id);
  if (table) {
    start(shard, *table);
  } else {
    shard.tables.erase(id);
    if (table.error().code == ErrorCode::kCorrupt) {
      spdlog::error("table {} cannot be served: {}", codec::to_text(id), table.error().message);
    }
  }
  shard.changed.cancel();
  co_return table;
}

awaitable<Expected<std::shared_ptr<Table>>> Directory::load(Shard& shard, TableId id) {
  const auto epoch = co_await parts_.store.claim(id);
  if (!epoch) co_return std::unexpected(epoch.error());
  auto row = co_await parts_.store.table(id);
  if (!row) co_return std::unexpected(std::move(row.error()));
  row->epoch = *epoch;
  auto game = co_await table::replay(parts_.log, id);
  if (!game) co_return std::unexpected(std::move(game.error()));
  spdlog::debug("table {} loaded at version {}", codec::to_text(id), game->version.value);
  co_return std::make_shared<Table>(
      shard.context.get_executor(),
      Table::Parts{.log = parts_.log,
                   .store = parts_.store,
                   .metrics = parts_.metrics,
                   .row = std::move(*row),
                   .game = std::move(*game),
                   .frames_per_second_max = parts_.frames_per_second_max,
                   .changed = [&feed = parts_.feed](const auto& now) { feed.publish(now); }});
}

void Directory::start(Shard& shard, std::shared_ptr<Table> table) {
  const TableId id = table->id();
  shard.tables[id] = table;
  parts_.metrics.tables_live().Increment();
  // A table that was loading when close_all began ends at once.
  if (closing()) table->close(server_stops());
  auto running = table->run();
  asio::co_spawn(shard.context, std::move(running),
                 [this, &shard, id, table = std::move(table)](const std::exception_ptr& thrown) {
                   if (thrown) spdlog::error("table {} ended by an exception", codec::to_text(id));
                   parts_.metrics.tables_live().Decrement();
                   shard.tables.erase(id);
                   shard.changed.cancel();
                   if (shard.tables.empty()) shard.sweep_pause.cancel();
                 });
  if (!shard.sweeping) {
    shard.sweeping = true;
    asio::co_spawn(shard.context, sweep(shard), [&shard](const std::exception_ptr&) {
      shard.sweeping = false;
      shard.changed.cancel();
    });
  }
}

/// Lets tables go that nobody has been at for long; ends when there is none left.
awaitable<void> Directory::sweep(Shard& shard) {
  const auto interval =
      std::clamp<milliseconds>(parts_.table_idle / 4, milliseconds{10}, milliseconds{1000});
  while (!shard.tables.empty()) {
    shard.sweep_pause.expires_after(interval);
    co_await shard.sweep_pause.async_wait(asio::as_tuple(asio::use_awaitable));
    const auto old = steady_clock::now() - parts_.table_idle;
    for (const auto& [id, table] : shard.tables) {
      if (!table) continue;
      const auto since = table->idle_since();
      if (since && *since < old) table->close({.reason = codec::Reason::kServerRestart});
    }
  }
}

table::Farewell Directory::server_stops() {
  return {.reason = codec::Reason::kServerRestart,
          .message = "The server restarts. Nothing is lost; come back in a moment.",
          .reconnect_after_ms = limits::kReconnectAfterRestartMs};
}

awaitable<void> Directory::close_all() {
  drain();
  closing_.store(true, std::memory_order_relaxed);
  for (const auto& shard : shards_) {
    co_await asio::co_spawn(shard->context, close_shard(*shard), asio::use_awaitable);
  }
}

awaitable<void> Directory::close_shard(Shard& shard) {
  for (const auto& [id, table] : shard.tables) {
    if (table) table->close(server_stops());
  }
  while (!shard.tables.empty() || shard.sweeping) co_await shard.wait_for_change();
}

}  // namespace tesela::lobby
