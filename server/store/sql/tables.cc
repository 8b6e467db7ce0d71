#include "server/store/sql/tables.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "server/store/refusals.h"

namespace tesela::store::sql {
namespace {

using boost::asio::awaitable;

constexpr Text kTables{
    "SELECT id, game, config, options, owner_id, invite, seed, state, assisted, seat_count, epoch,"
    " created_ms, result, ended_ms, daily FROM tables JOIN heads ON table_id = id"
    " WHERE id = ANY($1) ORDER BY id",
    "SELECT id, game, config, options, owner_id, invite, seed, state, assisted, seat_count, epoch,"
    " created_ms, result, ended_ms, daily FROM tables WHERE id = ANY($1) ORDER BY id"};
constexpr Text kSeats{
    "SELECT table_id, seat, player_id, display_name, strategy, contribution, contribution_state,"
    " kind = 3 FROM seats JOIN players ON id = player_id WHERE table_id = ANY($1)"
    " ORDER BY table_id, seat"};

constexpr std::array kStates{TableState::kInPlay, TableState::kOver, TableState::kOpen,
                             TableState::kClosed};

// An index has the columns of the conditions first, then those of the order. A player with several
// seats at a table gets it once.
constexpr Text kAll{
    "SELECT created_ms, id FROM tables WHERE public = $1 AND state = $2"
    " AND (created_ms, id) < ($3, $4) ORDER BY created_ms DESC, id DESC LIMIT $5"};
constexpr Text kOfGame{
    "SELECT created_ms, id FROM tables WHERE game = $6 AND public = $1 AND state = $2"
    " AND (created_ms, id) < ($3, $4) ORDER BY created_ms DESC, id DESC LIMIT $5"};
constexpr Text kOfPlayer{
    "SELECT DISTINCT created_ms, table_id FROM seats WHERE player_id = $6 AND public = $1"
    " AND state = $2 AND (created_ms, table_id) < ($3, $4)"
    " ORDER BY created_ms DESC, table_id DESC LIMIT $5"};
constexpr Text kOfPlayerAndGame{
    "SELECT DISTINCT created_ms, table_id FROM seats WHERE player_id = $6 AND game = $7"
    " AND public = $1 AND state = $2 AND (created_ms, table_id) < ($3, $4)"
    " ORDER BY created_ms DESC, table_id DESC LIMIT $5"};
constexpr Text kWithBots{
    "SELECT DISTINCT created_ms, table_id FROM seats WHERE strategy <> '' AND public = $1"
    " AND state = $2 AND (created_ms, table_id) < ($3, $4)"
    " ORDER BY created_ms DESC, table_id DESC LIMIT $5"};

TableRow table_of(Row row) {
  TableRow table{.id = row.id<TableId>(0),
                 .game = row.text(1),
                 .config = row.text(2),
                 .options = row.text(3),
                 .owner = row.id<PlayerId>(4),
                 .invite = row.text(5),
                 .seed = row.text(6),
                 .state = row.one_of(7, TableState::kInPlay, TableState::kClosed),
                 .assisted = row.flag(8),
                 .seat_count = row.small<std::uint8_t>(9),
                 .seats = {},
                 .epoch = row.id<Epoch>(10),
                 .created_ms = row.number(11),
                 .ending = std::nullopt};
  if (!row.null(13)) table.ending = Ending{row.text(12), row.number(13)};
  if (!row.null(14)) table.daily = Day{std::chrono::days{row.number(14)}};
  return table;
}

SeatRow seat_of(Row row) {
  return {.seat = row.id<Seat>(1),
          .player = row.id<PlayerId>(2),
          .display_name = row.text(3),
          .strategy = row.text(4),
          .contribution = row.text(5),
          .contribution_state =
              row.one_of(6, games::ContributionState::kNone, games::ContributionState::kWithheld),
          .bot = row.flag(7)};
}

template <class Listed>
auto place_of(const Listed& listed) {
  return std::tie(listed.created_ms, listed.id);
}

constexpr auto kNewerFirst = [](const auto& a, const auto& b) { return place_of(a) > place_of(b); };

/// The cursor before which a list begins.
TableCursor start_of(const TableFilter& filter, const std::optional<TableCursor>& after) {
  TableCursor start =
      after.value_or(TableCursor{.created_ms = std::numeric_limits<std::int64_t>::max(), .id = {}});
  if (filter.made_before_ms) {
    const TableCursor then{.created_ms = *filter.made_before_ms, .id = {}};
    if (kNewerFirst(start, then)) start = then;
  }
  return start;
}

Text list_of(const TableFilter& filter) {
  if (filter.with_bots) return kWithBots;
  if (filter.player) return filter.game.empty() ? kOfPlayer : kOfPlayerAndGame;
  return filter.game.empty() ? kAll : kOfGame;
}

/// Each state, and private and public tables, is a walk of its own; their union contains the page.
Batch walks_of(const TableFilter& filter, const std::optional<TableCursor>& after,
               std::size_t max) {
  Batch walks;
  const TableCursor start = start_of(filter, after);
  const auto states = filter.state ? std::span<const TableState>(&*filter.state, 1)
                                   : std::span<const TableState>(kStates);
  for (const TableState state : states) {
    for (const bool is_public : {true, false}) {
      if (!is_public && !filter.private_too) continue;
      Query& walk = walks.add(list_of(filter))
                        .flag(is_public)
                        .one_of(state)
                        .number(start.created_ms)
                        .id(start.id)
                        .count(max);
      if (filter.player) walk.id(*filter.player);
      if (!filter.game.empty()) walk.text(filter.game);
    }
  }
  return walks;
}

std::vector<TableId> page_of(std::span<const Rows> walks, std::size_t max) {
  std::vector<TableCursor> page;
  for (const Rows& walk : walks) {
    for (const Row row : walk) {
      page.push_back({.created_ms = row.number(0), .id = row.id<TableId>(1)});
    }
  }
  std::ranges::sort(page, kNewerFirst);
  page.resize(std::min(page.size(), max));
  std::vector<TableId> ids;
  ids.reserve(page.size());
  for (const TableCursor& listed : page) ids.push_back(listed.id);
  return ids;
}

awaitable<std::vector<TableRow>> tables_by_id(Session& session, const std::vector<TableId>& ids) {
  Batch batch;
  add_tables(batch, ids);
  const auto answers = co_await session.finish(std::move(batch));
  session.wait_for_events();
  co_return tables_of(answers[0], answers[1]);
}

}  // namespace

awaitable<Expected<TableRow>> table(Session& session, TableId id) {
  const std::vector<TableId> only{id};
  std::vector<TableRow> tables = co_await tables_by_id(session, only);
  if (tables.empty()) co_return no_such_table();
  co_return std::move(tables.front());
}

awaitable<Expected<std::vector<TableRow>>> tables(Session& session, const TableFilter& filter,
                                                  const std::optional<TableCursor>& after,
                                                  std::size_t max) {
  if (filter.with_bots && (filter.player || !filter.game.empty())) co_return not_with_bots();
  Batch walks = walks_of(filter, after, max);
  const auto walked = co_await session.run(std::move(walks));
  const std::vector<TableId> ids = page_of(walked, max);
  std::vector<TableRow> tables = co_await tables_by_id(session, ids);
  std::ranges::sort(tables, kNewerFirst);
  co_return tables;
}

void add_tables(Batch& batch, const std::vector<TableId>& ids) {
  batch.add(kTables).ids(ids);
  batch.add(kSeats).ids(ids);
}

std::vector<TableRow> tables_of(const Rows& tables, const Rows& seats) {
  std::vector<TableRow> found = tables.map(table_of);
  auto next = found.begin();  // both are in the order of ids
  for (const Row seat : seats) {
    const auto table = std::find_if(
        next, found.end(), [&](const TableRow& each) { return each.id == seat.id<TableId>(0); });
    if (table == found.end()) continue;
    table->seats.push_back(seat_of(seat));
    next = table;
  }
  return found;
}

}  // namespace tesela::store::sql
