#include "tests/server/store/caller.h"

#include <boost/asio/detached.hpp>

#include "server/codec/record.h"

namespace tesela::store {

namespace {

boost::asio::awaitable<void> play(EventLog& log, TableId table, Version first, Version last,
                                  std::uint64_t& refused) {
  for (Version version = first; version <= last; version = next(version)) {
    Append append{
        .table = table, .epoch = Epoch{1}, .version = version, .record = record_of(table, version)};
    if (co_await log.append(std::move(append))) continue;
    ++refused;
    co_return;
  }
}

}  // namespace

std::string record_of(TableId table, Version version) {
  const std::string id = std::to_string(table.value) + "/" + std::to_string(version.value);
  codec::Record record{.event = codec::Created{.game = id, .config = {}, .seats = 2}};
  if (version != Version{1}) {
    record.event = codec::Moved{.seat = Seat{0}, .move_id = id, .move = {}};
  }
  return codec::encode(record);
}

boost::asio::io_context& Caller::context() {
  static boost::asio::io_context io;
  return io;
}

Expected<void> Caller::sign_in(PlayerId id, std::string name) {
  return wait(store_->add_player({.id = id, .display_name = std::move(name), .created_ms = 500}));
}

Expected<void> Caller::open_table(TableId id, std::initializer_list<PlayerId> players,
                                  std::int64_t created_ms, std::string game,
                                  std::uint8_t seat_count) {
  TableRow table = row_of(id, players);
  table.game = std::move(game);
  table.created_ms = created_ms;
  if (seat_count <= players.size()) return add(std::move(table));
  table.seat_count = seat_count;
  table.state = TableState::kOpen;
  return wait(table_rows_->add_table(std::move(table), std::nullopt, {}));
}

Expected<void> Caller::open_private_table(TableId id, PlayerId player, std::string invite) {
  TableRow table = row_of(id, {player});
  table.invite = std::move(invite);
  return add(std::move(table));
}

Expected<void> Caller::open_listed_table(TableId id, PlayerId player, std::string game,
                                         bool is_private, TableState state) {
  TableRow table = row_of(id, {player});
  table.game = std::move(game);
  table.created_ms = static_cast<std::int64_t>(1000 + id.value);
  if (is_private) table.invite = "code";
  const bool has_begun = state == TableState::kInPlay || state == TableState::kOver;
  table.state = has_begun ? TableState::kInPlay : TableState::kOpen;
  table.seat_count = has_begun ? 1 : 2;
  auto record = has_begun ? std::optional(record_of(id, Version{1})) : std::nullopt;
  auto added = wait(table_rows_->add_table(table, std::move(record), {}));
  if (!added) return added;
  if (state == TableState::kOver) return end(id, Version{2}, {.result = "r", .ended_ms = 1});
  if (state != TableState::kClosed) return added;
  table.epoch = Epoch{1};
  table.state = TableState::kClosed;
  table.ending = Ending{.result = {}, .ended_ms = 1};
  return change(std::move(table));
}

TableRow Caller::row_of(TableId id, std::initializer_list<PlayerId> players) {
  // The first table makes him.
  static_cast<void>(sign_in(kOwner, "Owner"));
  TableRow table{.id = id,
                 .game = "2048",
                 .config = "config",
                 .options = "options",
                 .owner = kOwner,
                 .seed = "seed",
                 .seat_count = static_cast<std::uint8_t>(players.size()),
                 .seats = {},
                 .epoch = {},
                 .created_ms = 1000,
                 .ending = {}};
  for (const PlayerId player : players) {
    table.seats.push_back({.seat = Seat{static_cast<std::uint8_t>(table.seats.size())},
                           .player = player,
                           .display_name = {}});
  }
  return table;
}

Expected<void> Caller::add(TableRow table) {
  auto record = record_of(table.id, Version{1});
  return wait(table_rows_->add_table(std::move(table), std::move(record), {}));
}

Expected<void> Caller::append(TableId table, Version version, Epoch epoch) {
  return wait(log_->append(
      {.table = table, .epoch = epoch, .version = version, .record = record_of(table, version)}));
}

std::uint64_t Caller::append_to_all(std::uint64_t tables, Version first, Version last) {
  std::uint64_t refused = 0;
  for (std::uint64_t id = 1; id <= tables; ++id) {
    boost::asio::co_spawn(context(), play(*log_, TableId{id}, first, last, refused),
                          boost::asio::detached);
  }
  context().restart();
  context().run();
  return refused;
}

Expected<void> Caller::end(TableId table, Version version, Ending ending) {
  return end(table, version, std::move(ending), {});
}

Expected<void> Caller::end(TableId table, Version version, Ending ending, GameOutcome outcome) {
  return wait(log_->append({.table = table,
                            .epoch = Epoch{1},
                            .version = version,
                            .record = record_of(table, version),
                            .ending = std::move(ending),
                            .outcome = std::move(outcome)}));
}

Expected<void> Caller::try_daily(TableId id, Day day, std::string game) {
  TableRow table = row_of(id, {kOwner});
  table.game = std::move(game);
  table.daily = day;
  return add(std::move(table));
}

Expected<void> Caller::change(TableRow table) {
  return wait(table_rows_->change_table(std::move(table), std::nullopt, {}));
}

Expected<void> Caller::begin(TableRow table) {
  auto record = record_of(table.id, Version{1});
  table.state = TableState::kInPlay;
  return wait(table_rows_->change_table(std::move(table), std::move(record), {}));
}

Expected<void> Caller::add_over(TableRow table, GameOutcome outcome) {
  auto record = record_of(table.id, Version{1});
  return wait(table_rows_->add_table(std::move(table), std::move(record), std::move(outcome)));
}

Expected<void> Caller::begin_over(TableRow table, GameOutcome outcome) {
  auto record = record_of(table.id, Version{1});
  return wait(table_rows_->change_table(std::move(table), std::move(record), std::move(outcome)));
}

Expected<Epoch> Caller::claim(Ownership& owners, TableId table, LifeId life) {
  const auto claimed = wait(owners.claim(table, life));
  if (!claimed) return std::unexpected(claimed.error());
  return std::get<Owned>(*claimed).epoch;
}

Expected<std::vector<Entry>> Caller::read(TableId table, Version from, std::size_t max) {
  return wait(log_->read(table, from, max));
}

Expected<std::optional<Entry>> Caller::last(TableId table) {
  return wait(log_->last(table));
}

Expected<TableRow> Caller::look_at(TableId table) {
  return wait(table_rows_->table(table));
}

Expected<PlayerRow> Caller::meet(PlayerId player) {
  return wait(store_->player(player));
}

RatingRow Caller::rating(const std::string& game, PlayerId player) {
  return wait(store_->rating(game, player)).value();
}

std::vector<BoardEntry> Caller::board(BoardKey key, BoardRange range) {
  return wait(store_->board(std::move(key), range)).value();
}

std::vector<PlayerId> Caller::list_players(std::string name_prefix,
                                           std::optional<PlayerCursor> after, std::size_t max) {
  const auto page = wait(store_->players(std::move(name_prefix), after, max));
  std::vector<PlayerId> ids;
  for (const PlayerRow& player : page.value()) ids.push_back(player.id);
  return ids;
}

std::vector<TableId> Caller::list(TableFilter filter, std::optional<TableCursor> after,
                                  std::size_t max) {
  const auto page = wait(store_->tables(std::move(filter), after, max));
  std::vector<TableId> ids;
  for (const TableRow& table : page.value()) ids.push_back(table.id);
  return ids;
}

std::vector<Entry> events_of(TableId table, Version from, Version last) {
  std::vector<Entry> events;
  for (Version version = from; version <= last; version = next(version)) {
    events.push_back({version, record_of(table, version)});
  }
  return events;
}

}  // namespace tesela::store
