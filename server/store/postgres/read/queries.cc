#include "server/store/postgres/read/queries.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "server/store/postgres/connection/pipeline.h"
#include "server/store/refusals.h"

namespace tesela::store::postgres {
namespace {

using boost::asio::awaitable;

constexpr const char* kPlayer =
    "SELECT id, display_name, created_ms, kind, identity, erased_ms FROM players WHERE id = $1";
constexpr const char* kTables =
    "SELECT id, game, config, options, owner_id, invite, seed, state, assisted, seat_count, epoch,"
    " created_ms, result, ended_ms, daily FROM tables JOIN heads ON table_id = id"
    " WHERE id = ANY($1) ORDER BY id";
constexpr const char* kSeats =
    "SELECT table_id, seat, player_id, display_name, strategy, contribution, contribution_state,"
    " bot FROM seats WHERE table_id = ANY($1) ORDER BY table_id, seat";
constexpr const char* kSeekers =
    "SELECT p.id, r.mu, m.table_id, coalesce(t.state IN (1, 3), false) FROM players p"
    " LEFT JOIN ratings r ON r.game = $2 AND r.player_id = p.id"
    " LEFT JOIN last_matches m ON m.player_id = p.id"
    " LEFT JOIN tables t ON t.id = m.table_id WHERE p.id = ANY($1)";

std::optional<Day> day_of(const Result& result, int row, int column) {
  if (result.null(row, column)) return std::nullopt;
  return Day{std::chrono::days{result.number(row, column)}};
}

TableRow table_of(const Result& result, int row) {
  TableRow table{.id = result.id<TableId>(row, 0),
                 .game = result.text(row, 1),
                 .config = result.text(row, 2),
                 .options = result.text(row, 3),
                 .owner = result.id<PlayerId>(row, 4),
                 .invite = result.text(row, 5),
                 .seed = result.text(row, 6),
                 .state = result.one_of(row, 7, TableState::kInPlay, TableState::kClosed),
                 .assisted = result.flag(row, 8),
                 .seat_count = result.small<std::uint8_t>(row, 9),
                 .seats = {},
                 .epoch = result.id<Epoch>(row, 10),
                 .created_ms = result.number(row, 11),
                 .ending = std::nullopt,
                 .daily = day_of(result, row, 14)};
  if (!result.null(row, 13)) {
    table.ending = Ending{result.text(row, 12), result.number(row, 13)};
  }
  return table;
}

SeatRow seat_of(const Result& result, int row) {
  return {.seat = result.id<Seat>(row, 1),
          .player = result.id<PlayerId>(row, 2),
          .display_name = result.text(row, 3),
          .strategy = result.text(row, 4),
          .contribution = result.text(row, 5),
          .contribution_state = result.one_of(row, 6, games::ContributionState::kNone,
                                              games::ContributionState::kWithheld),
          .bot = result.flag(row, 7)};
}

}  // namespace

awaitable<Expected<PlayerRow>> player(Attempt& attempt, PlayerId id) {
  Pipeline pipeline;
  pipeline.add(kPlayer).id(id);
  const auto results = co_await attempt.run(std::move(pipeline));
  if (results.front().rows() == 0) co_return no_such_player();
  co_return player_of(results.front(), 0);
}

awaitable<Expected<TableRow>> table(Attempt& attempt, TableId id) {
  Pipeline pipeline;
  pipeline.add(kBeginReading);
  const std::vector<TableId> only{id};
  add_tables(pipeline, only);
  pipeline.add(kCommit);
  const auto results = co_await attempt.run(std::move(pipeline));
  std::vector<TableRow> tables = tables_of(results[1], results[2]);
  if (tables.empty()) co_return no_such_table();
  co_return std::move(tables.front());
}

awaitable<Expected<std::vector<SeekerRow>>> seekers(Attempt& attempt, const std::string& game,
                                                    const std::vector<PlayerId>& players) {
  Pipeline pipeline;
  pipeline.add(kSeekers).numbers(numbers_of(players)).bytes(game);
  const auto results = co_await attempt.run(std::move(pipeline));
  const Result& rows = results.front();
  std::vector<SeekerRow> found;
  for (int row = 0; row < rows.rows(); ++row) {
    SeekerRow& seeker =
        found.emplace_back(SeekerRow{.player = rows.id<PlayerId>(row, 0), .mu = kNewcomer.mu});
    if (!rows.null(row, 1)) seeker.mu = rows.real(row, 1);
    if (rows.null(row, 2)) continue;
    seeker.last_match = rows.id<TableId>(row, 2);
    seeker.match_lives = rows.flag(row, 3);
  }
  co_return found;
}

PlayerRow player_of(const Result& result, int row) {
  PlayerRow player{.id = result.id<PlayerId>(row, 0),
                   .display_name = result.text(row, 1),
                   .created_ms = result.number(row, 2),
                   .kind = result.one_of(row, 3, PlayerKind::kPerson, PlayerKind::kBot),
                   .identity = result.text(row, 4)};
  if (!result.null(row, 5)) player.erased_ms = result.number(row, 5);
  return player;
}

void add_tables(Pipeline& pipeline, const std::vector<TableId>& ids) {
  const std::vector<std::int64_t> numbers = numbers_of(ids);
  pipeline.add(kTables).numbers(numbers);
  pipeline.add(kSeats).numbers(numbers);
}

std::vector<TableRow> tables_of(const Result& tables, const Result& seats) {
  std::vector<TableRow> rows;
  int seat = 0;
  for (int row = 0; row < tables.rows(); ++row) {
    TableRow& table = rows.emplace_back(table_of(tables, row));
    for (; seat < seats.rows() && seats.id<TableId>(seat, 0) == table.id; ++seat) {
      table.seats.push_back(seat_of(seats, seat));
    }
  }
  return rows;
}

}  // namespace tesela::store::postgres
