#include "server/directory/directory.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <utility>

#include "server/base/limits.h"
#include "server/base/log/seldom_log.h"
#include "server/base/text_encoding.h"
#include "server/codec/table_options.h"
#include "server/directory/directory_shard.h"
#include "server/directory/hand_over.h"
#include "server/directory/head_check.h"
#include "server/directory/player_at_table.h"
#include "server/directory/rematch.h"
#include "server/directory/silent_table.h"
#include "server/directory/table_loader.h"

namespace tesela::directory {

namespace asio = boost::asio;
using asio::awaitable;
using std::chrono::milliseconds;
using tables::Table;

namespace {

/// Whether a table must be loaded although no client connects: bots play, or are to take seats, or
/// it is full and does not wait for ever.
bool lives_alone(const store::TableRow& row) {
  if (row.state == store::TableState::kInPlay) {
    return !std::ranges::all_of(row.seats, &std::string::empty, &store::SeatRow::strategy);
  }
  if (row.state != store::TableState::kOpen) return false;
  const auto options = codec::decode_table_options(row.options);
  return tables::is_full(row) ? row.seat_count > 1 : options && options->bot_fill;
}

}  // namespace

Directory::Directory(Parts parts)
    : parts_(parts),
      live_(parts.table_idle),
      loader_(std::make_unique<TableLoader>(
          TableLoader::Parts{.directory = parts_,
                             .claims = claims_,
                             .quotas = quotas_,
                             .aside = aside(),
                             .changed = [this](const auto& now) { publish(now); }})),
      hand_over_(std::make_unique<HandOver>(*this)) {
  for (std::size_t i = 0; i < parts_.io.size(); ++i) {
    shards_.push_back(std::make_unique<Shard>(parts_.io.at(i), parts_.life));
  }
}

Directory::~Directory() = default;

Directory::Shard& Directory::shard_of(TableId id) {
  return *shards_[parts_.io.index_of(id)];
}

Expected<PreparedTable> Directory::prepare(NewTable wanted) const {
  if (draining()) {
    return refuse(ErrorCode::kUnavailable,
                  "The server is stopping and makes no new tables; try again in a moment.");
  }
  if (auto offered = check_offered(wanted); !offered) {
    return std::unexpected(std::move(offered.error()));
  }
  return directory::prepare(std::move(wanted));
}

/// Whether the remote bots of a new table are offered.
Expected<void> Directory::check_offered(const NewTable& wanted) const {
  for (const auto& bot : wanted.bots) {
    if (auto offered = parts_.remote_bots.check(wanted.game, bot.strategy); !offered)
      return offered;
  }
  return parts_.remote_bots.check(wanted.game, wanted.options.autoplay());
}

void Directory::publish(const store::TableRow& row) {
  const bool lives =
      row.state == store::TableState::kOpen || row.state == store::TableState::kInPlay;
  if (lives) {
    live_.changed(row);
  } else {
    live_.ended(row.id);
  }
  parts_.feed.publish(row);
}

awaitable<void> Directory::begin(store::TableRow row, TableSlots slots) {
  if (!slots.empty()) live_.add(row.id, std::move(slots));
  tables::note_made(row);
  publish(row);
  if (lives_alone(row)) co_await wake(row.id);
}

awaitable<Expected<store::TableRow>> Directory::create(NewTable wanted) {
  TableSlots slots = std::move(wanted.slots);
  auto prepared = prepare(std::move(wanted));
  if (!prepared) co_return std::unexpected(std::move(prepared.error()));
  auto& [row, record, outcome] = *prepared;
  auto added = co_await parts_.table_rows.add_table(row, std::move(record), std::move(outcome));
  if (!added) co_return std::unexpected(std::move(added.error()));
  co_await begin(row, std::move(slots));
  co_return std::move(row);
}

awaitable<Expected<store::TableRow>> Directory::rematch(TableId over, NewTable wanted,
                                                        tables::TakeSeat seat) {
  const TableId id = wanted.id.value();
  TableSlots slots = wanted.slots;
  if (const auto there = co_await stored(id); !there) {
    if (there.error().code != ErrorCode::kNotFound) co_return there;
    auto made = co_await create(std::move(wanted));
    if (made) {
      auto told = offer_rematch(over, *made);
      co_await shard_of(over).loop.call(std::move(told));
    }
    // If the id is taken, another player has created the table.
    if (made || made.error().code != ErrorCode::kInternal) co_return made;
  }
  auto there = co_await stored(id);
  if (!there) co_return there;
  seat.invite = std::move(there->invite);
  co_return co_await apply(id, std::move(seat), nullptr, std::move(slots));
}

/// On the old table's context.
awaitable<void> Directory::offer_rematch(TableId over, store::TableRow made) {
  const auto row = co_await stored(over);
  const auto& tables = shard_of(over).tables;
  const auto found = tables.find(over);
  const auto old = found == tables.end() ? nullptr : found->second;
  if (old) old->offer_rematch(made.id);
  if (row && parts_.notices != nullptr) parts_.notices->add(notices_of(*row, made, old.get()));
}

awaitable<Expected<store::TableRow>> Directory::apply(TableId id, tables::SeatCommand command,
                                                      quota::QuotaPtr from, TableSlots slots) {
  auto apply = apply_here(id, std::move(command), std::move(from), std::move(slots));
  co_return co_await shard_of(id).loop.call(std::move(apply));
}

/// On the table's context: there it neither ends nor changes before the slots are the table's.
awaitable<Expected<store::TableRow>> Directory::apply_here(TableId id, tables::SeatCommand command,
                                                           quota::QuotaPtr from, TableSlots slots) {
  const auto table = co_await open(id, std::move(from));
  if (!table) co_return std::unexpected(table.error());
  auto row = co_await (*table)->apply(std::move(command));
  for (auto& [player, held] : slots) {
    if (is_live(id) && (*table)->counts_for(player)) live_.sat_down(id, player, std::move(held));
  }
  co_return row;
}

awaitable<Expected<bool>> Directory::plays(TableId id, PlayerId player) {
  auto looked = plays_here(id, player);
  auto plays = co_await shard_of(id).loop.call(std::move(looked));
  if (plays || !HandOver::is_elsewhere(plays.error())) co_return plays;
  const replay::Source source{parts_.log, parts_.snapshots};
  co_return co_await plays_by_log(parts_.table_rows, source, aside(), id, player);
}

/// On the table's context.
awaitable<Expected<bool>> Directory::plays_here(TableId id, PlayerId player) {
  const auto table = co_await open(id);
  if (!table) co_return std::unexpected(table.error());
  co_return (*table)->plays(player);
}

/// Loads a table that plays without clients.
awaitable<bool> Directory::wake(TableId id) {
  auto opened = open(id);
  const auto table = co_await shard_of(id).loop.call(std::move(opened));
  if (!table && !HandOver::is_elsewhere(table.error())) {
    spdlog::warn("the bots of table {} wait: {}", base::to_text(id), table.error().message);
  }
  co_return table.has_value();
}

awaitable<void> Directory::resume() {
  store::TableFilter with_bots{.game = {},
                               .state = store::TableState::kInPlay,
                               .player = {},
                               .private_too = true,
                               .with_bots = true};
  co_await resume(std::move(with_bots));
  store::TableFilter open{
      .game = {}, .state = store::TableState::kOpen, .player = {}, .private_too = true};
  co_await resume(std::move(open));
}

awaitable<void> Directory::resume(store::TableFilter filter) {
  std::optional<store::TableCursor> after;
  std::size_t seen = 0;
  std::size_t woken = 0;
  while (resumes_.load(std::memory_order_relaxed) && seen < limits::kResumedTablesMax) {
    const auto page = co_await parts_.store.tables(filter, after, limits::kPageMax);
    if (!page || page->empty()) break;
    seen += page->size();
    for (const auto& row : *page) {
      if (!resumes_.load(std::memory_order_relaxed)) break;
      if (!lives_alone(row)) continue;
      const bool awake = co_await wake(row.id);
      woken += awake ? 1 : 0;
    }
    after = store::TableCursor{page->back().created_ms, page->back().id};
  }
  if (woken > 0) spdlog::info("{} tables with bots go on", woken);
}

awaitable<void> Directory::resume(std::vector<TableId> tables) {
  for (const TableId id : tables) {
    if (!resumes_.load(std::memory_order_relaxed)) break;
    const auto row = co_await stored(id);
    if (row && lives_alone(*row)) static_cast<void>(co_await wake(id));
  }
}

awaitable<bool> Directory::close_silent(TableId id, std::int64_t since_ms) {
  auto closed = close_silent_here(id, since_ms);
  co_return co_await shard_of(id).loop.call(std::move(closed));
}

/// On the table's context. Meanwhile an empty entry makes other callers wait.
awaitable<bool> Directory::close_silent_here(TableId id, std::int64_t since_ms) {
  Shard& shard = shard_of(id);
  if (closing() || !shard.tables.emplace(id, nullptr).second) co_return false;
  auto closed = co_await close_if_silent({parts_.log, parts_.snapshots}, parts_.table_rows, claims_,
                                         id, since_ms);
  shard.forget(id);
  if (closed && *closed) {
    publish(**closed);
    tables::note_end(parts_.metrics, **closed, "finished");
  }
  if (!closed && !TableClaims::is_elsewhere(closed.error())) {
    spdlog::warn("table {} stays open: {}", base::to_text(id), closed.error().message);
  }
  co_return closed && closed->has_value();
}

replay::Aside Directory::aside() {
  return {.threads = parts_.executions, .queue = &queue_, .damaged = &damaged_};
}

awaitable<Expected<std::shared_ptr<Table>>> Directory::open(TableId id, quota::QuotaPtr from,
                                                            std::optional<PlayerId> player) {
  Shard& shard = shard_of(id);
  const bool by_client = from || player;
  for (;;) {
    if (closing() && !hand_over_->begun()) {
      co_return refuse(ErrorCode::kUnavailable, "The server is stopping.");
    }
    const auto slot = shard.tables.find(id);
    if (slot == shard.tables.end()) break;
    if (slot->second && !slot->second->closing()) co_return slot->second;
    if (by_client) hurry(shard, id, player);
    co_await shard.wait_for_change();
  }
  if (hand_over_->begun()) co_return HandOver::refusal();
  shard.tables.emplace(id, nullptr);
  if (Loading& loading = shard.loading[id]; by_client) loading.comes(player);
  const std::uint64_t drops = shard.drops;
  const TableLoader::Place place{shard.loop, shard.freeze};
  auto table = co_await loader_->load(place, id, shard.loading[id], std::move(from));
  if (table && drops != shard.drops) {
    claims_.release_later(shard.loop, id, (*table)->epoch());
    table = refuse(ErrorCode::kUnavailable, "The server begins anew: try again in a moment.");
  }
  shard.loading.erase(id);
  if (table) {
    start(shard, *table);
  } else {
    shard.tables.erase(id);
    damaged_.note(id, table.error());
  }
  shard.changed.cancel();
  co_return table;
}

/// A client waits for a table that another caller is loading.
void Directory::hurry(Shard& shard, TableId id, std::optional<PlayerId> player) {
  const auto found = shard.loading.find(id);
  if (found == shard.loading.end()) return;
  found->second.comes(player);
  queue_.hurry(id, found->second.urgency());
}

void Directory::start(Shard& shard, std::shared_ptr<Table> table) {
  const TableId id = table->id();
  const Epoch epoch = table->epoch();
  shard.tables[id] = table;
  live_.opened(id);
  // close_all may have begun while the table was loading.
  if (closing()) table->close(server_stops());
  auto running = table->run();
  asio::co_spawn(
      shard.loop, std::move(running),
      [this, &shard, id, epoch, table = std::move(table)](const std::exception_ptr& thrown) {
        if (thrown) {
          static base::SeldomLog lines;
          lines.log(spdlog::level::err, "table {} ended by an exception", base::to_text(id));
        }
        if (table->handed_over()) {
          live_.handed_over(id);
          return hand_over_->ended(shard, table);
        }
        live_.ended(id);
        // A server that ends gives all its tables up at once.
        if (!closing()) claims_.release_later(shard.loop, id, epoch);
        shard.forget(id);
        if (shard.tables.empty()) shard.sweep_pause.cancel();
      });
  if (!shard.sweeping) {
    shard.sweeping = true;
    asio::co_spawn(shard.loop, shard.sweep(parts_.table_idle), [&shard](const std::exception_ptr&) {
      shard.sweeping = false;
      shard.changed.cancel();
    });
  }
}

tables::Goodbye Directory::server_stops() {
  return {.reason = codec::Reason::kServerRestart,
          .message = "The server restarts. Nothing is lost; come back in a moment.",
          .reconnect_after_ms = limits::kReconnectAfterRestartMs};
}

awaitable<void> Directory::close_all() {
  drain();
  closing_.store(true, std::memory_order_relaxed);
  for (const auto& shard : shards_) co_await shard->loop.call(close_shard(*shard));
}

awaitable<void> Directory::close_shard(Shard& shard) {
  for (const auto& [id, table] : shard.tables) {
    if (table) table->close(server_stops());
  }
  while (!shard.tables.empty() || shard.sweeping || shard.releasing || shard.checking > 0)
    co_await shard.wait_for_change();
}

tables::Freeze& Directory::freeze_of(TableId id) {
  return shard_of(id).freeze;
}

bool Directory::is_live(TableId id) {
  return shard_of(id).is_live(id);
}

void Directory::thaw() {
  for (const auto& shard : shards_) {
    shard->loop.hand_over([this, &there = *shard] {
      if (!there.thaw()) return;
      ++there.checking;
      asio::co_spawn(there.loop, check_heads(there), [&there](const std::exception_ptr&) {
        --there.checking;
        there.changed.cancel();
      });
    });
  }
}

awaitable<void> Directory::check_heads(Shard& shard) {
  auto live = shard.live();
  const auto lost = co_await lost_tables(parts_.ownership, std::move(live));
  for (const auto& table : lost) table->drop();
}

void Directory::leave_clients() {
  for (const auto& shard : shards_) shard->loop.hand_over([&there = *shard] { there.leave(); });
}

awaitable<void> Directory::drop_all() {
  for (const auto& shard : shards_) co_await shard->loop.call(drop_shard(*shard));
}

awaitable<void> Directory::drop_shard(Shard& shard) {
  ++shard.drops;
  std::vector<std::shared_ptr<Table>> dropped;
  for (const auto& [id, table] : shard.tables) {
    if (table) dropped.push_back(table);
  }
  for (const auto& table : dropped) table->drop();
  const auto is_there = [&shard](const auto& table) {
    const auto slot = shard.tables.find(table->id());
    return slot != shard.tables.end() && slot->second == table;
  };
  while (std::ranges::any_of(dropped, is_there)) co_await shard.wait_for_change();
}

}  // namespace tesela::directory
